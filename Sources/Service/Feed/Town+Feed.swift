import Platform
import Store

extension Town {
    /// The longest part of the log that is read at a time, in bytes, unless a commit is longer: others wait for it, and
    /// a client that reads slowly has it in memory.
    public static let logPart = 64 << 10

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
    ///   - network: the network of the client.
    ///   - isWanted: whether the client still waits for it.
    /// - Throws: what `LogCursor.next` and `ReplayQueue.run` throw.
    public func hasSteadyRights(
        _ viewer: Viewer, after position: HistoryPosition, through sequence: Int, for network: ClientNetwork,
        isWanted: @escaping @Sendable () -> Bool
    ) async throws -> Bool {
        let cursor = store.cursor(after: position)
        var last = position.sequence
        while last < sequence {
            let part = try await replays.run(for: network, isWanted: isWanted) {
                try cursor.next(bytes: Self.logPart) { commit in
                    commit.position.sequence > sequence || viewer.isUnaffected(by: commit)
                }
            }
            guard let part, !part.elements.isEmpty, part.elements.allSatisfy(\.self) else { return false }
            last = part.through.sequence
        }
        return true
    }
}
