import Store

extension Town {
    /// Waits for a commit after a position until a monotonic time, in nanoseconds; false when none came.
    ///
    /// - Throws: `overloaded` when too many clients follow.
    public func waitForCommit(after position: HistoryPosition, until end: Int) async throws(ServiceError) -> Bool {
        try await feed.next(after: position.sequence, until: end) { [store] in store.current.sequence }
    }

    /// Whether the commits after a position did not change the rights of a client, nor the slugs that decide what it
    /// sees, as the log shows. Otherwise it would see earlier commits with rights that it did not have then.
    ///
    /// - Parameters:
    ///   - position: the position.
    ///   - sequence: the sequence number of the last commit to consider.
    /// - Throws: what `LogCursor.next` throws.
    public func hasSteadyRights(
        _ viewer: Viewer, after position: HistoryPosition, through sequence: Int
    ) async throws -> Bool {
        let cursor = store.cursor(after: position)
        var last = position.sequence
        while last < sequence {
            guard case .commits(let commits, let end) = try await cursor.next(bytes: 256 << 10), !commits.isEmpty else {
                return false
            }
            for commit in commits where commit.position.sequence <= sequence {
                guard case .none = viewer.effect(of: commit) else { return false }
            }
            last = end.sequence
        }
        return true
    }
}
