import Bytes
import Journal

/// The options of a store.
public struct StoreOptions: Sendable {
    /// The options of the journal.
    public var journal = JournalOptions()
    /// A snapshot is taken when the log has grown by so many bytes since the last one; 64 MiB by default.
    public var snapshotBytes = 64 << 20
    /// A snapshot is taken at the latest so long after the first commit that is in none; one hour by default.
    public var snapshotInterval = Duration.seconds(3600)
    /// The memory for the newest commits, which a feed reads.
    var recentCommits = RecentCommits.Limits()
    /// The clock, for the log.
    public var now: @Sendable () -> Timestamp
    /// Waits before a snapshot; throws when the task is cancelled. The monotonic clock by default.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Called when the disk has failed, or the folder is not in its place: the process must end without any further
    /// response.
    public var onFailure: @Sendable (StoreError) -> Void
    /// Called with messages for the owner of the server, each in one line without a full stop: that snapshots cannot be
    /// written, and that they can be written again.
    public var onMessage: @Sendable (String) -> Void = { _ in }

    /// The defaults, with a clock and a handler of failures.
    public init(now: @escaping @Sendable () -> Timestamp, onFailure: @escaping @Sendable (StoreError) -> Void) {
        self.now = now
        self.onFailure = onFailure
    }
}
