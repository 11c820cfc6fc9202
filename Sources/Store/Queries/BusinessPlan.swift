import Bytes
import SookeModel

/// How a query is executed.
///
/// The filters become a set of IDs: each index gives the IDs of those that match a filter, and the sets are intersected.
/// The order is a walk of an index that visits the businesses in this order and takes those in the set; records are
/// accessed for the page only. A filter that the walk satisfies by itself, such as the category in the list of a
/// category, needs no set: then a page is found by rank, or by the nearest places.
struct BusinessPlan {
    /// A way to visit businesses in the order of the list.
    enum Walk {
        /// An index or an array in this order.
        case run(BusinessRun)
        /// The businesses whose name contains a folded text, by name.
        case named([UInt8])
        /// The businesses in a circle, from its center.
        case circle(GeoCircle)
        /// The businesses in a bounding box, from a point.
        case box(BoundingBox, from: SurfacePoint)
        /// Nothing matches.
        case nothing
    }

    let table: Table<BusinessRecord>
    let query: BusinessQuery
    let order: BusinessOrder
    private(set) var walk = Walk.nothing
    /// The IDs of those that match the filters that the walk does not satisfy; nil when it satisfies all.
    var matching: IDSet?

    /// Plans a query.
    init(_ query: BusinessQuery, in town: Town) {
        (self.query, table) = (query, town.businesses)
        order = query.effectiveOrder
        var filters = Filters(query)
        if let slug = query.category {
            guard let id = town.categories[slug]?.id else { return }
            filters.category = id
        }
        walk = choose(&filters)
        matching = ids(of: filters)
    }

    /// The filters that are not satisfied yet.
    private struct Filters {
        var search: [UInt8]?
        var matches: [RankedBusiness]?
        var category: Int?
        var near: GeoCircle?
        var box: BoundingBox?
        var updatedSince: Timestamp?
        var lists: [[BusinessRecord]]

        init(_ query: BusinessQuery) {
            search = query.search.map { CaseFolding.fold($0) }
            (matches, near, box) = (query.matches, query.near, query.box)
            (updatedSince, lists) = (query.updatedSince, query.among)
        }
    }

    /// Chooses the walk, and removes the filters that it satisfies.
    private func choose(_ filters: inout Filters) -> Walk {
        switch order {
        case .name:
            if let text = filters.search.take() { return .named(text) }
            if let category = filters.category.take() {
                return .run(BusinessRun(table.listed(in: category)))
            }
            if let records = filters.lists.popLast() { return .run(BusinessRun(records)) }
            return .run(BusinessRun(table.listed))
        case .updated:
            return .run(BusinessRun(table.listed(changedSince: filters.updatedSince.take()), in: table))
        case .relevance:
            return .run(BusinessRun(filters.matches.take() ?? [], in: table))
        case .distance:
            guard let near = filters.near.take() else { return .nothing }
            guard near.isEverywhere, let box = filters.box.take() else { return .circle(near) }
            return .box(box, from: SurfacePoint(near.center))
        }
    }

    /// The IDs of the businesses that match filters; nil when there are none.
    private func ids(of filters: Filters) -> IDSet? {
        var all: IDSet?
        func narrow(_ insert: (inout IDSet) -> Void) {
            var ids = IDSet(upTo: table.byID.last?.key ?? 0, of: table.count)
            insert(&ids)
            if let earlier = all { ids.formIntersection(earlier) }
            all = ids
        }
        if let text = filters.search { narrow { $0.insert(table.listedNames.ids(matching: text)) } }
        if let matches = filters.matches { narrow { $0.insert(matches.lazy.map(\.id)) } }
        if let category = filters.category {
            narrow { $0.insert(table.listed(in: category).mapKeys { $0.name.id }) }
        }
        if let near = filters.near { narrow { ids in table.listedPlaces.forEach(in: near) { ids.insert($0) } } }
        if let box = filters.box { narrow { ids in table.listedPlaces.forEach(in: box) { ids.insert($0) } } }
        if let moment = filters.updatedSince { narrow { $0.insert(table.listed(changedSince: moment).values) } }
        for records in filters.lists { narrow { $0.insert(records.lazy.map(\.id)) } }
        return all
    }
}

/// Executes the plan.
extension BusinessPlan {
    /// A page of the list.
    func page(_ request: PageRequest) -> Page<BusinessRecord> {
        switch walk {
        case .nothing: return Page(records: [], request: request, total: 0)
        case .run(let run): return page(request, of: run)
        case .named(let text):
            guard query.after == nil else { return page(request, of: namedRun(text)) }
            // Most chunks of names lie outside the page, where counting is faster than finding IDs.
            let isIncluded = matching.map { matching in { (id: Int) in matching.contains(id) } }
            let (ids, total) = table.listedNames.matches(of: text, at: request.ranks(in: .max), where: isIncluded)
            return Page(records: table.records(with: ids), request: request, total: total)
        case .circle(let circle): return page(request, in: circle, from: SurfacePoint(circle.center))
        case .box(let box, let center): return page(request, in: box, from: center)
        }
    }

    /// The whole list.
    func list() -> BusinessList {
        switch walk {
        case .nothing: BusinessList(BusinessRun([]))
        case .run(let run): BusinessList(run, matching: matching)
        case .named(let text): BusinessList(namedRun(text), matching: matching)
        case .circle(let circle):
            BusinessList(nearest(in: circle, from: SurfacePoint(circle.center)), in: table)
        case .box(let box, let center): BusinessList(nearest(in: box, from: center), in: table)
        }
    }

    /// A page of businesses in the order of the list.
    private func page(_ request: PageRequest, of run: BusinessRun) -> Page<BusinessRecord> {
        let start = query.after.map { key in run.firstRank { key < query.key(of: $0) } }
        guard let matching else {
            let ranks = start.map { $0..<min(run.count, $0 + request.size) } ?? request.ranks(in: run.count)
            return Page(
                records: run.records(ranks), request: request, total: run.count, hasNext: ranks.upperBound < run.count)
        }
        // The ranks of the page among the matches after the start.
        let wanted = start == nil ? request.ranks(in: .max) : 0..<request.size
        var (ids, before, after) = ([Int](), 0, 0)
        for ranks in run.slices {
            for (rank, id) in zip(ranks, run.ids(ranks)) where matching.contains(id) {
                if rank < start ?? 0 { before += 1; continue }
                if wanted.contains(after) { ids.append(id) }
                after += 1
            }
        }
        return Page(
            records: table.records(with: ids), request: request, total: before + after,
            hasNext: wanted.upperBound < after)
    }

    /// All businesses whose name contains a text.
    private func namedRun(_ text: [UInt8]) -> BusinessRun {
        BusinessRun(table.listedNames.ids(matching: text), in: table)
    }

    /// A page of the businesses in a region, the nearest first.
    private func page(
        _ request: PageRequest, in region: some GeoRegion, from center: SurfacePoint
    ) -> Page<BusinessRecord> {
        let places = table.listedPlaces
        let count = query.after == nil ? request.ranks(in: places.count).upperBound : request.size + 1
        var (ids, total) = ([Int](), 0)
        if let matching, matching.count < places.count / 64 {
            let found = table.records(with: matching.sorted).filter { $0.isPlaced(in: region) }
            total = found.count
            ids = found.compactMap { $0.neighbour(of: center) }.filter(isAfterKey).sorted().prefix(count).map(\.id)
        } else {
            total = places.count(in: region, among: matching)
            var nearest = nearest(in: region, from: center)
            while ids.count < count, let neighbour = nearest.next() { ids.append(neighbour.id) }
        }
        let ranks = query.after == nil ? request.ranks(in: ids.count) : 0..<min(ids.count, request.size)
        return Page(
            records: table.records(with: Array(ids[ranks])), request: request, total: total,
            hasNext: query.after.map { _ in ids.count > request.size })
    }

    /// The matches in a region by their distance.
    private func nearest<Region: GeoRegion>(in region: Region, from center: SurfacePoint) -> NearestPlaces<Region> {
        let (after, matching) = (query.after, matching)
        return NearestPlaces(table.listedPlaces, from: center, in: region) { neighbour in
            (matching?.contains(neighbour.id) ?? true) && (after.map { $0 < neighbour.key } ?? true)
        }
    }

    private func isAfterKey(_ neighbour: Neighbour) -> Bool { query.after.map { $0 < neighbour.key } ?? true }
}

extension Neighbour {
    /// Its place in a list by distance.
    fileprivate var key: BusinessKey { .distance(squaredChord: squaredChord, id: id) }
}

extension BusinessRecord {
    /// Whether it has a location in a region.
    fileprivate func isPlaced(in region: some GeoRegion) -> Bool { place.map(region.contains) ?? false }

    /// The business as seen from a point; nil without a location.
    func neighbour(of point: SurfacePoint) -> Neighbour? {
        place.map { Neighbour(squaredChord: point.squaredChord(to: SurfacePoint($0)), id: id) }
    }
}
