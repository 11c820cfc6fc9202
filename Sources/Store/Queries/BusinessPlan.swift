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
