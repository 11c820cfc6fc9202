import Bytes

/// The configuration of a journal.
package struct JournalOptions: Sendable {
    /// A segment of this many bytes is sealed, and a new one begins. 16 MiB by default: a start reads whole segments.
    package var segmentBytes = 16 << 20

    package enum Pruning: Sendable, Hashable {
        /// Nothing is dropped.
        case never
        /// History older than this many seconds is dropped, and the oldest part of it when it has more than this many
        /// bytes. Within that time and size any state can be built, with the author of each change. Both numbers are
        /// stored in the folder; nil stands for the stored one, or for 30 days and a tenth of the disk, at least 256
        /// MiB.
        case olderThan(Int?, beyond: Int? = nil)
    }

    /// Whether old history is dropped: only a server does that. Never by default.
    package var pruning = Pruning.never

    /// Whether the folder is only read: nothing in it is written, and no commit can be made. The lock is shared with
    /// others that only read.
    package var readsOnly = false

    /// Seconds on a monotonic clock.
    package var elapsedSeconds: @Sendable () -> Int = JournalOptions.systemSeconds

    private static let systemStart = ContinuousClock.now
    private static let systemSeconds: @Sendable () -> Int = { Int(systemStart.duration(to: .now) / .seconds(1)) }

    /// The unit that a power failure can destroy: two batches never share one. A power of two, 512 by default; 1
    /// assumes that the disk never harms the bytes before an unfinished write.
    package var sectorBytes = 512

    /// The bytes of a segment that are reserved at a time, which makes a sync cheaper; 0 for none. 256 KiB by default.
    package var reservedBytes = 256 << 10

    /// The identity of a new store; random when it is nil.
    var identity: String?

    /// Deliberate mistakes; the tests show that they are detected.
    var failpoints: Failpoints = []

    package init() {}

    struct Failpoints: OptionSet, Sendable {
        let rawValue: Int
        /// Acknowledges a batch before it is synced.
        static let acknowledgeBeforeSync = Failpoints(rawValue: 1)
        /// Renames a new file before its bytes are synced.
        static let renameBeforeSync = Failpoints(rawValue: 2)
        /// Cuts the log at the first invalid line, whatever follows.
        static let cutByLength = Failpoints(rawValue: 4)
        /// Continues after an unclean stop with the last segment as the page cache returns it.
        static let trustPageCache = Failpoints(rawValue: 8)
    }
}

/// Figures of a journal, for metrics and for the decision when to write a snapshot.
package struct JournalStatistics: Sendable, Hashable {
    /// Bytes of the log that a start would read after the newest snapshot.
    package internal(set) var bytesSinceSnapshot = 0
    /// Commits in these bytes.
    package internal(set) var commitsSinceSnapshot = 0
    package internal(set) var logBytes = 0
    package internal(set) var segments = 0
    /// Bytes of the newest snapshot; 0 when there is none.
    package internal(set) var snapshotBytes = 0
    /// The sequence number of the newest snapshot; 0 when there is none.
    package internal(set) var snapshotSequence = 0
    /// When the state of the newest snapshot was reached; nil when there is none.
    package internal(set) var snapshotAt: Timestamp?
    package internal(set) var history = HistoryExtent()
    /// Batches written since the journal was opened.
    package internal(set) var batches = 0
    /// Commits written since the journal was opened.
    package internal(set) var commits = 0
    /// Durations of the syncs since the journal was opened.
    package internal(set) var syncs = DurationHistogram()
    package internal(set) var lastSync = Duration.zero
}
