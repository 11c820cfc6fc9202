/// All businesses that match a query, read in parts.
public struct BusinessList: Sendable {
    private enum Source: Sendable {
        case run(BusinessRun)
        case places(any IteratorProtocol<Neighbour> & Sendable, Table<BusinessRecord>)
    }

    private var source: Source
    /// The IDs of those that match; nil for all.
    private let matching: IDSet?
    private var position = 0

    /// The number of candidates that are visited at a time.
    private static let partSize = 128

    /// The businesses of a run.
    ///
    /// - Parameter matching: the IDs of those that match; nil for all.
    init(_ run: BusinessRun, matching: IDSet? = nil) {
        (source, self.matching) = (.run(run), matching)
    }

    /// Businesses by their distance.
    init(_ places: any IteratorProtocol<Neighbour> & Sendable, in table: Table<BusinessRecord>) {
        (source, matching) = (.places(places, table), nil)
    }

    /// The next businesses, which may be none, from a limited number of candidates; nil at the end.
    public mutating func next() -> [BusinessRecord]? {
        switch source {
        case .run(let run):
            guard position < run.count else { return nil }
            let end = min(run.count, position + Self.partSize)
            defer { position = end }
            let records = run.records(position..<end)
            return if let matching { records.filter { matching.contains($0.id) } } else { records }
        case .places(var places, let table):
            // Only one reference may remain, or the first change would copy the heaps.
            source = .run(BusinessRun([]))
            var ids: [Int] = []
            while ids.count < Self.partSize, let neighbour = places.next() { ids.append(neighbour.id) }
            source = .places(places, table)
            return ids.isEmpty ? nil : table.records(with: ids)
        }
    }
}
