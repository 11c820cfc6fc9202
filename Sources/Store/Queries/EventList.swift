import SookeModel

/// All listed events that match a query, read in parts.
public struct EventList: Sendable {
    private var candidates: ArraySlice<EventRecord>
    private let query: EventQuery
    private let community: Community

    /// The matches among some events, which stay in their order.
    init(_ candidates: [EventRecord], _ query: EventQuery, in community: Community) {
        (self.candidates, self.query, self.community) = (candidates[...], query, community)
    }

    /// The next events, which may be none; nil at the end.
    ///
    /// - Parameter count: how many candidates are visited; fewer if that takes too long.
    public mutating func next(visiting count: Int) -> [EventRecord]? {
        if candidates.isEmpty { return nil }
        var query = query
        query.clock = query.clock.renewed()
        return community.nextMatches(of: query, in: &candidates, visiting: count)
    }
}
