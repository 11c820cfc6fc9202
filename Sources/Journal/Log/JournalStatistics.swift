import Bytes

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
