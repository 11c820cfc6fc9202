import Bytes
import SookeModel

/// Executes the plan.
extension BusinessPlan {
    /// A page of the list.
    func page(_ request: PageRequest) -> Page<BusinessRecord> {
        let places = community.businesses.listedPlaces
        return switch candidates {
        case nil: Page(records: [], request: request, total: 0)
        case .run(let run, order): page(request, of: run)
        case .named(let text) where order == .name: page(request, named: text)
        case .circle(let circle) where order == .distance && predicate == nil: page(request, of: places, in: circle)
        case .box(let box) where order == .distance && predicate == nil: page(request, of: places, in: box)
        case .run(let run, _): select(request, from: run.forEach)
        case .named(let text): select(request) { forEachBusiness(named: text, $0) }
        case .circle(let circle): select(request) { body in places.forEach(in: circle) { body($0.record) } }
        case .box(let box): select(request) { body in places.forEach(in: box) { body($0.record) } }
        }
    }

    /// The whole list.
    func list() -> BusinessList {
        switch candidates {
        case nil: BusinessList(BusinessRun([]))
        case .run(let run, order): BusinessList(run, where: predicate)
        default: BusinessList(BusinessRun(page(.everything).records))
        }
    }

    /// A page of candidates in the order of the list.
    private func page(_ request: PageRequest, of run: BusinessRun) -> Page<BusinessRecord> {
        let start = query.after.map { key in run.firstRank { self.key(of: $0) > key } }
        guard let predicate else {
            let ranks = start.map { $0..<min(run.count, $0 + request.size) } ?? request.ranks(in: run.count)
            return Page(records: run[ranks], request: request, total: run.count, hasNext: ranks.upperBound < run.count)
        }
        var collector = PageCollector(request, isAfterKey: start != nil)
        var rank = 0
        run.forEach { record in
            if predicate(record) { collector.append(record, isAfterKey: rank >= start ?? 0) }
            rank += 1
        }
        return collector.page
    }

    /// A page of the businesses whose name contains a text.
    private func page(_ request: PageRequest, named text: [UInt8]) -> Page<BusinessRecord> {
        let table = community.businesses
        if query.after == nil {
            let isIncluded = predicate.map { predicate in { (id: Int) in table[id].map(predicate) ?? false } }
            let (ids, total) = table.listedNames.matches(of: text, at: request.ranks(in: .max), where: isIncluded)
            return Page(records: table.records(with: ids), request: request, total: total)
        }
        var collector = PageCollector(request, isAfterKey: true)
        forEachBusiness(named: text) { record in
            guard predicate?(record) ?? true else { return }
            // Once a page is full, only the count is missing.
            collector.append(record, isAfterKey: collector.isFull || isAfterKey(key(of: record)))
        }
        return collector.page
    }

    /// A page of the businesses in a region, the nearest first.
    private func page(
        _ request: PageRequest, of places: PlaceIndex, in region: some GeoRegion
    ) -> Page<BusinessRecord> {
        guard let center else { return Page(records: [], request: request, total: 0) }
        let total = places.count(in: region)
        let found = places.nearest(limit(request, total), to: center, in: region) { neighbour in
            guard let key = query.after else { return true }
            return BusinessKey.distance(squaredChord: neighbour.squaredChord, id: neighbour.record.id) > key
        }
        return page(request, ofFirst: found.map(\.record), total)
    }

    /// A page of candidates in no particular order.
    private func select(
        _ request: PageRequest, from forEach: ((BusinessRecord) -> Void) -> Void
    ) -> Page<BusinessRecord> {
        var total = 0
        var found = Smallest<Keyed>(limit(request, community.businesses.count))
        forEach { record in
            guard predicate?(record) ?? true else { return }
            total += 1
            let key = key(of: record)
            if isAfterKey(key) { found.insert(Keyed(key: key, record: record)) }
        }
        return page(request, ofFirst: found.sorted().map(\.record), total)
    }

    /// How many of the first businesses of a list determine a page.
    private func limit(_ request: PageRequest, _ total: Int) -> Int {
        query.after == nil ? request.ranks(in: total).upperBound : request.size + 1
    }

    private func page(
        _ request: PageRequest, ofFirst records: [BusinessRecord], _ total: Int
    ) -> Page<BusinessRecord> {
        guard query.after == nil else {
            return Page(
                records: Array(records.prefix(request.size)), request: request, total: total,
                hasNext: records.count > request.size)
        }
        return Page(records: Array(records[request.ranks(in: records.count)]), request: request, total: total)
    }

    private func forEachBusiness(named text: [UInt8], _ body: (BusinessRecord) -> Void) {
        let table = community.businesses
        table.listedNames.forEachMatch(of: text) { id in if let record = table[id] { body(record) } }
    }

    private func isAfterKey(_ key: BusinessKey) -> Bool { query.after.map { $0 < key } ?? true }

    /// The place of a candidate in the list.
    func key(of record: BusinessRecord) -> BusinessKey {
        switch order {
        case .name: .name(record.nameKey)
        case .updated: .updated(record.updated, id: record.id)
        case .distance:
            .distance(squaredChord: squaredChord(to: record) ?? .infinity, id: record.id)
        case .relevance:
            .relevance(rank: query.matches?.first { $0.record.id == record.id }?.rank ?? 0, record.nameKey)
        }
    }

    private func squaredChord(to record: BusinessRecord) -> Double? {
        guard let center, let place = record.place else { return nil }
        return center.squaredChord(to: SurfacePoint(place))
    }

    private struct Keyed: Comparable {
        let key: BusinessKey
        let record: BusinessRecord

        static func < (left: Keyed, right: Keyed) -> Bool { left.key < right.key }
        static func == (left: Keyed, right: Keyed) -> Bool { left.key == right.key }
    }
}

/// Collects a page of records that are visited in order.
private struct PageCollector {
    private let request: PageRequest
    /// The ranks of the page, among the records after the key if there is one.
    private let wanted: Range<Int>
    private var records: [BusinessRecord] = []
    private var total = 0
    private var rank = 0

    /// - Parameter isAfterKey: whether the page begins after a key.
    init(_ request: PageRequest, isAfterKey: Bool) {
        self.request = request
        wanted = isAfterKey ? 0..<request.size : request.ranks(in: .max)
    }

    /// Whether the page is complete.
    var isFull: Bool { rank >= wanted.upperBound }

    mutating func append(_ record: BusinessRecord, isAfterKey: Bool) {
        total += 1
        guard isAfterKey else { return }
        if wanted.contains(rank) { records.append(record) }
        rank += 1
    }

    var page: Page<BusinessRecord> {
        Page(records: records, request: request, total: total, hasNext: rank > wanted.upperBound)
    }
}
