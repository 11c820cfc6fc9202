import Platform
import Store

extension TownService {
    /// Waits for a commit after a position until a monotonic time, in nanoseconds; false when none came, or the client
    /// has lost its place.
    ///
    /// - Throws: `overloaded` when too many clients follow.
    public func waitForCommit(
        after position: HistoryPosition, until end: Int, for network: ClientNetwork
    ) async throws(ServiceError) -> Bool {
        try await feed.next(after: position.sequence, until: end, for: network) { [store] in store.current.sequence }
    }

    /// Where a client continues from a position; nil when it must begin anew: the commits after it are not in memory,
    /// it is not a position of this town, or the client could see other records then than now.
    public func resume(from position: FeedPosition, for viewer: Viewer, in version: Version) -> HistoryPosition? {
        guard viewer.canContinue(from: position), let commit = position.commit(in: version, for: viewer, positionKey),
            viewer.hasSteadyRights(in: version, after: commit)
        else { return nil }
        return commit
    }

    /// A position in the history as a client gets it; the owner of the data folder as the log has it.
    public func position(_ commit: HistoryPosition, for viewer: Viewer) -> FeedPosition {
        let isOwner = viewer.scope == .all && !viewer.hasAccount
        return FeedPosition(commit, isOwner ? .anyone : viewer.scope, isOwner ? nil : positionKey)
    }

    /// A position in the history as those see it who may see only what is public: the same for equal positions.
    public func publicPosition(_ position: HistoryPosition) -> String {
        "\(FeedPosition(position, .anyone, positionKey))"
    }
}
