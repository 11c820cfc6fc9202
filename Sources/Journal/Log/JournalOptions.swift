import Bytes

package struct JournalOptions: Sendable {
    /// Then a segment is sealed. A start reads whole segments.
    package var segmentBytes = 16 << 20

    package enum Pruning: Sendable, Hashable {
        case never
        /// History older than so many seconds is dropped, and its oldest part when it has more than so many bytes.
        /// Within both any state can be built. nil means the number stored in the folder, or for 30 days and a
        /// tenth of the disk, at least 256 MiB.
        case olderThan(Int?, beyond: Int? = nil)
    }

    /// Only a server drops history.
    package var pruning = Pruning.never

    /// Nothing is written, and no commit can be made. The lock is shared with others that only read.
    package var readsOnly = false

    /// On a monotonic clock.
    package var elapsedSeconds: @Sendable () -> Int = JournalOptions.systemSeconds

    private static let systemStart = ContinuousClock.now
    private static let systemSeconds: @Sendable () -> Int = { Int(systemStart.duration(to: .now) / .seconds(1)) }

    /// The unit that a power failure can destroy: two batches never share one. A power of two; 1 assumes that the disk
    /// never harms the bytes before an unfinished write.
    package var sectorBytes = 512

    /// At a time, which makes a sync cheaper; 0 for none.
    package var reservedBytes = 256 << 10

    /// Of a new store; random when it is nil.
    var identity: String?

    /// The format that is written; in tests that of an earlier program.
    var version = CheckedDocument.version

    /// Deliberate mistakes; the tests show that they are detected.
    var failpoints: Failpoints = []

    package init() {}

    struct Failpoints: OptionSet, Sendable {
        let rawValue: Int
        /// Acknowledges a batch before it is synced.
        static let acknowledgeBeforeSync = Failpoints(rawValue: 1)
        /// Renames a new file before its bytes are synced.
        static let renameBeforeSync = Failpoints(rawValue: 2)
        /// Cuts the log at the first invalid line, regardless of what follows.
        static let cutByLength = Failpoints(rawValue: 4)
        /// Continues after an unclean stop with the last segment as the page cache returns it.
        static let trustPageCache = Failpoints(rawValue: 8)
    }
}

/// For metrics and for the decision when to write a snapshot.
package struct JournalStatistics: Sendable, Hashable {
    /// Of the log that a start would read after the newest snapshot.
    package internal(set) var bytesSinceSnapshot = 0
    package internal(set) var commitsSinceSnapshot = 0
    package internal(set) var logBytes = 0
    package internal(set) var segments = 0
    /// 0 when there is none, as the sequence number.
    package internal(set) var snapshotBytes = 0
    package internal(set) var snapshotSequence = 0
    /// When its state was reached.
    package internal(set) var snapshotAt: Timestamp?
    package internal(set) var history = HistoryExtent()
    /// These three count since the journal was opened.
    package internal(set) var batches = 0
    package internal(set) var commits = 0
    package internal(set) var syncs = DurationHistogram()
    package internal(set) var lastSync = Duration.zero
}
