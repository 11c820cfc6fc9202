import BTree

/// Businesses in an order, by rank: a part of an index or an array.
struct BusinessRun: Sendable {
    /// The number of businesses.
    let count: Int
    /// The IDs of the businesses with some ranks.
    let ids: @Sendable (Range<Int>) -> [Int]
    let records: @Sendable (Range<Int>) -> [BusinessRecord]

    /// A part of the index by name.
    init(_ elements: BTree<NameKey, BusinessRecord>.Elements) {
        count = elements.count
        ids = { elements.part($0).mapKeys { $0.id } }
        records = { elements.part($0).values }
    }

    /// A part of the index by category and name.
    init(_ elements: BTree<CategoryKey, BusinessRecord>.Elements) {
        count = elements.count
        ids = { elements.part($0).mapKeys { $0.name.id } }
        records = { elements.part($0).values }
    }

    /// A part of the index by last change.
    init(_ elements: BTree<MomentKey, Int>.Elements, in table: Table<BusinessRecord>) {
        count = elements.count
        ids = { elements.part($0).values }
        records = { table.records(with: elements.part($0).values) }
    }

    /// The businesses with some IDs.
    init(_ given: [Int], in table: Table<BusinessRecord>) {
        count = given.count
        ids = { Array(given[$0]) }
        records = { table.records(with: Array(given[$0])) }
    }

    /// The matches of a search.
    init(_ given: [RankedBusiness], in table: Table<BusinessRecord>) {
        count = given.count
        ids = { given[$0].map(\.id) }
        records = { table.records(with: given[$0].map(\.id)) }
    }

    /// An array.
    init(_ given: [BusinessRecord]) {
        count = given.count
        ids = { given[$0].map(\.id) }
        records = { Array(given[$0]) }
    }

    /// The rank of the first business for which a condition is true, as for all after it.
    func firstRank(where isTrue: (BusinessRecord) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) >> 1
            if records(middle..<middle + 1).contains(where: isTrue) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Ranges of ranks that together are all, each small enough to be visited at a time.
    var slices: some Sequence<Range<Int>> {
        stride(from: 0, to: count, by: Self.sliceSize).lazy.map { [count] in $0..<min(count, $0 + Self.sliceSize) }
    }

    static let sliceSize = 512
}

/// All businesses that match a query, read in parts.
public struct BusinessList: Sendable {
    private enum Source: Sendable {
        case run(BusinessRun)
        case places(any BoundedPlaces, Table<BusinessRecord>)
    }

    private var source: Source
    /// The IDs of those that match; nil for all.
    private let matching: IDSet?
    private var position = 0

    /// The businesses of a run.
    ///
    /// - Parameter matching: the IDs of those that match; nil for all.
    init(_ run: BusinessRun, matching: IDSet? = nil) {
        (source, self.matching) = (.run(run), matching)
    }

    /// Businesses by their distance.
    init(_ places: any BoundedPlaces, in table: Table<BusinessRecord>) {
        (source, matching) = (.places(places, table), nil)
    }

    /// The next businesses, which may be none; nil at the end.
    ///
    /// - Parameter count: how many candidates are visited.
    public mutating func next(visiting count: Int) -> [BusinessRecord]? {
        switch source {
        case .run(let run):
            guard position < run.count else { return nil }
            let end = min(run.count, position + count)
            defer { position = end }
            let records = run.records(position..<end)
            return if let matching { records.filter { matching.contains($0.id) } } else { records }
        case .places(var places, let table):
            // Only one reference may remain, or the first change would copy the heaps.
            source = .run(BusinessRun([]))
            var (ids, visits) = ([Int](), count)
            while let neighbour = places.next(&visits) { ids.append(neighbour.id) }
            source = .places(places, table)
            return ids.isEmpty && visits > 0 ? nil : table.records(with: ids)
        }
    }
}
