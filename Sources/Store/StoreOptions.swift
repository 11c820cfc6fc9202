import Bytes
import Journal

/// How a store behaves where there is a choice.
public struct StoreOptions: Sendable {
    /// How the journal behaves.
    public var journal = JournalOptions()
    /// A snapshot is taken when the log has grown by so many bytes since the last one. 64 MiB by default.
    public var snapshotBytes = 64 << 20
    /// A snapshot is taken when so long has passed since the first commit that is in none. One hour by default.
    public var snapshotInterval = Duration.seconds(3600)
    /// The newest commits are kept in memory for a feed, up to so many bytes. 16 MiB by default.
    public var recentCommitBytes = RecentCommits.defaultLimit
    /// What time it is, for the log.
    public var now: @Sendable () -> Timestamp
    /// Waits, for the snapshots; throws when the task is cancelled. The monotonic clock by default.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Called when the disk has failed, or the folder is not where it was: the process must end without answering
    /// anybody.
    public var onFailure: @Sendable (StoreError) -> Void
    /// Called with what the owner of the server should read, in one line without a full stop: that snapshots cannot
    /// be written, and that they can again.
    public var onMessage: @Sendable (String) -> Void = { _ in }

    /// The defaults, with a clock and what to do when the disk fails.
    public init(now: @escaping @Sendable () -> Timestamp, onFailure: @escaping @Sendable (StoreError) -> Void) {
        self.now = now
        self.onFailure = onFailure
    }
}
