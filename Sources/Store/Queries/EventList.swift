import SookeModel

/// All listed events that match a query, read in parts.
public struct EventList: Sendable {
    private var candidates: ArraySlice<EventRecord>
    private let query: EventQuery
    private let town: Town

    /// The matches among some events, which stay in their order.
    init(_ candidates: [EventRecord], _ query: EventQuery, in town: Town) {
        (self.candidates, self.query, self.town) = (candidates[...], query, town)
    }

    /// The next events, which may be none; nil at the end.
    ///
    /// - Parameter count: how many candidates are visited; fewer if that takes too long.
    public mutating func next(visiting count: Int) -> [EventRecord]? {
        if candidates.isEmpty { return nil }
        var query = query
        query.clock = query.clock.renewed()
        return town.nextMatches(of: query, in: &candidates, visiting: count)
    }
}
