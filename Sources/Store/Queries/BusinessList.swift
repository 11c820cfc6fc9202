import BTree

/// Businesses in an order, by rank: a part of an index or an array.
struct BusinessRun: Sendable {
    /// The number of businesses.
    let count: Int
    private let slice: @Sendable (Range<Int>) -> [BusinessRecord]

    /// A part of an index.
    init<Key>(_ elements: BTree<Key, BusinessRecord>.Elements) {
        count = elements.count
        slice = { elements.dropFirst($0.lowerBound).prefix($0.count).values }
    }

    /// An array.
    init(_ records: [BusinessRecord]) {
        count = records.count
        slice = { Array(records[$0]) }
    }

    /// The businesses with some ranks.
    subscript(ranks: Range<Int>) -> [BusinessRecord] { slice(ranks) }

    /// The rank of the first business after a place in the run.
    ///
    /// - Parameter isAfter: whether a business is after it.
    func firstRank(where isAfter: (BusinessRecord) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) >> 1
            if isAfter(slice(middle..<middle + 1)[0]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Calls a function with each business.
    func forEach(_ body: (BusinessRecord) -> Void) {
        for start in stride(from: 0, to: count, by: Self.sliceSize) {
            for record in slice(start..<min(count, start + Self.sliceSize)) { body(record) }
        }
    }

    static let sliceSize = 256
}

/// All businesses that match a query, read in parts.
public struct BusinessList: Sendable {
    private let run: BusinessRun
    private let predicate: (@Sendable (BusinessRecord) -> Bool)?
    private var position = 0

    init(_ run: BusinessRun, where predicate: (@Sendable (BusinessRecord) -> Bool)? = nil) {
        (self.run, self.predicate) = (run, predicate)
    }

    /// The next businesses, which may be none, from a limited number of candidates; nil at the end.
    public mutating func next() -> [BusinessRecord]? {
        guard position < run.count else { return nil }
        let end = min(run.count, position + BusinessRun.sliceSize)
        defer { position = end }
        let records = run[position..<end]
        return if let predicate { records.filter(predicate) } else { records }
    }
}
