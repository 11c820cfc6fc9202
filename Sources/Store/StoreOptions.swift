import Bytes
import Journal

/// How a store behaves where there is a choice.
public struct StoreOptions: Sendable {
    /// How the journal behaves.
    public var journal = JournalOptions()
    /// A snapshot is taken when the log has grown by so many bytes since the last one. 64 MiB by default.
    public var snapshotBytes = 64 << 20
    /// What time it is, for the log.
    public var now: @Sendable () -> Timestamp
    /// Called when the disk has failed: the process must end, with 74, without answering anybody.
    public var onFailure: @Sendable (StoreError) -> Void

    /// The defaults, with a clock and what to do when the disk fails.
    public init(now: @escaping @Sendable () -> Timestamp, onFailure: @escaping @Sendable (StoreError) -> Void) {
        self.now = now
        self.onFailure = onFailure
    }
}
