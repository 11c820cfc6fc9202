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
