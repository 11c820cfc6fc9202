import Bytes
import Journal

package struct StoreOptions: Sendable {
    package var journal = JournalOptions()
    /// A snapshot is taken when the log has grown by so many bytes since the last one.
    package var snapshotBytes = 64 << 20
    /// A snapshot is taken at the latest so long after the first commit that is in none.
    package var snapshotInterval = Duration.seconds(3600)
    /// The memory for the newest commits, which a feed reads.
    var recentCommits = RecentCommits.Limits()
    package var now: @Sendable () -> Timestamp
    /// Waits before a snapshot; throws when the task is cancelled. The monotonic clock by default.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Called when the disk has failed, or the folder is not in its place: the process must end without any further
    /// response.
    package var onFailure: @Sendable (StoreError) -> Void
    /// Called with messages for the owner of the server, each in one line without a full stop: that snapshots cannot be
    /// written, and that they can be written again.
    package var onMessage: @Sendable (String) -> Void = { _ in }

    package init(now: @escaping @Sendable () -> Timestamp, onFailure: @escaping @Sendable (StoreError) -> Void) {
        self.now = now
        self.onFailure = onFailure
    }
}
