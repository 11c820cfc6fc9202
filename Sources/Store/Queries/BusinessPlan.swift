import Bytes
import SookeModel

/// How a query is executed: which candidates are visited, and which predicates they must satisfy.
///
/// Each filter is a predicate, and most can also provide candidates. The cheapest candidates are visited, and the other
/// filters become predicates. Candidates in another order than that of the list must all be visited before the first
/// page is known, but so must they be to count the matches of a predicate.
struct BusinessPlan {
    typealias Predicate = @Sendable (BusinessRecord) -> Bool

    /// Businesses that may match.
    enum Candidates {
        /// Of an index or a list, in an order.
        case run(BusinessRun, BusinessOrder)
        /// Those whose name contains a folded text, by name.
        case named([UInt8])
        /// Those in a circle.
        case circle(GeoCircle)
        /// Those in a bounding box.
        case box(BoundingBox)
    }

    let community: Community
    let query: BusinessQuery
    let order: BusinessOrder
    /// Nil when nothing matches.
    private(set) var candidates: Candidates?
    /// The filters that the candidates do not satisfy by themselves.
    private(set) var predicate: Predicate?
    /// The point from which distances are measured.
    let center: SurfacePoint?

    /// Chooses the candidates for a query.
    init(_ query: BusinessQuery, in community: Community) {
        (self.query, self.community) = (query, community)
        center = query.near.map { SurfacePoint($0.center) }
        order =
            switch query.order {
            case .distance where query.near == nil, .relevance where query.matches == nil: .name
            default: query.order
            }
        guard let filters = Self.filters(of: query, in: community) else { return }
        let businesses = community.businesses
        var (best, least) = (-1, Double.infinity)
        let all = Self.all(in: businesses, order)
        for (index, filter) in ([all] + filters).enumerated() {
            guard let candidates = filter.candidates else { continue }
            let others = filters.enumerated().lazy.filter { $0.offset != index - 1 }.map(\.element.cost).reduce(0, +)
            let isInOrder = candidates.order(for: order) == order
            let cost = isInOrder && others == 0 ? 0 : Double(filter.count) * (1 + others + (isInOrder ? 0 : 2))
            // The ranks of a ranked search are with its candidates.
            if cost < least || filter.isRequired { (best, least) = (index, filter.isRequired ? -1 : cost) }
        }
        candidates = best > 0 ? filters[best - 1].candidates : all.candidates
        predicate = Self.conjunction(filters.enumerated().filter { $0.offset != best - 1 }.map(\.element.predicate))
    }

    /// A filter of the query.
    private struct Filter {
        /// The candidates that satisfy it, if they can be found without visiting all businesses.
        var candidates: Candidates?
        /// The number of these candidates, at least about.
        var count = 0
        /// The relative cost of the predicate, where a visit of a candidate costs 1.
        let cost: Double
        var isRequired = false
        let predicate: Predicate
    }

    private static func all(in businesses: Table<BusinessRecord>, _ order: BusinessOrder) -> Filter {
        let run =
            order == .updated ? BusinessRun(businesses.listed(changedSince: nil)) : BusinessRun(businesses.listed)
        return Filter(
            candidates: .run(run, order == .updated ? .updated : .name), count: run.count, cost: 0,
            predicate: { _ in true })
    }

    /// The filters of a query; nil when nothing matches.
    private static func filters(of query: BusinessQuery, in community: Community) -> [Filter]? {
        let businesses = community.businesses
        var filters: [Filter] = []
        if let slug = query.category {
            guard let id = community.categories[slug]?.id else { return nil }
            let run = BusinessRun(businesses.listed(in: id))
            filters.append(
                Filter(candidates: .run(run, .name), count: run.count, cost: 0.1) { $0.categoryID == id })
        }
        if let moment = query.updatedSince {
            let run = BusinessRun(businesses.listed(changedSince: moment))
            filters.append(
                Filter(candidates: .run(run, .updated), count: run.count, cost: 0.1) { $0.updated >= moment })
        }
        if let box = query.box {
            let count = businesses.listedPlaces.count(in: box)
            filters.append(Filter(candidates: .box(box), count: count, cost: 0.2) { $0.isPlaced(in: box) })
        }
        if let circle = query.near {
            let count = businesses.listedPlaces.count(in: circle)
            filters.append(Filter(candidates: .circle(circle), count: count, cost: 0.3) { $0.isPlaced(in: circle) })
        }
        for filter in query.filters {
            let run = filter.sortedByName.map { BusinessRun($0) }
            filters.append(
                Filter(
                    candidates: run.map { .run($0, .name) }, count: run?.count ?? 0, cost: 1,
                    predicate: filter.isIncluded))
        }
        if let search = query.search {
            let text = CaseFolding.fold(search)
            // The number of matches is not known, and finding them costs about as much as visiting a tenth.
            filters.append(
                Filter(candidates: .named(text), count: businesses.listed.count / 10, cost: 3) {
                    CaseFolding.contains($0.foldedName, text)
                })
        }
        if let matches = query.matches {
            let run = BusinessRun(matches.map(\.record))
            filters.append(
                Filter(candidates: .run(run, .relevance), count: run.count, cost: 0, isRequired: true) { _ in true })
        }
        return filters
    }

    private static func conjunction(_ predicates: [Predicate]) -> Predicate? {
        guard var all = predicates.first else { return nil }
        for next in predicates.dropFirst() {
            let earlier = all
            all = { earlier($0) && next($0) }
        }
        return all
    }
}

extension BusinessPlan.Candidates {
    /// The order in which the candidates are found, given the order of the list; nil for none.
    func order(for wanted: BusinessOrder) -> BusinessOrder? {
        switch self {
        case .run(_, let order): order
        case .named: .name
        case .circle, .box: wanted == .distance ? .distance : nil
        }
    }
}

extension BusinessRecord {
    /// Whether it has a location in a region.
    fileprivate func isPlaced(in region: some GeoRegion) -> Bool { place.map(region.contains) ?? false }
}
