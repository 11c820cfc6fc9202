import Bytes

/// Figures of a journal, for metrics and for the decision when to write a snapshot.
public struct JournalStatistics: Sendable, Hashable {
    /// Bytes of the log that a start would read after the newest snapshot.
    public internal(set) var bytesSinceSnapshot = 0
    /// Commits in these bytes.
    public internal(set) var commitsSinceSnapshot = 0
    /// Bytes of all stored segments.
    public internal(set) var logBytes = 0
    /// Stored segments.
    public internal(set) var segments = 0
    /// Bytes of the newest snapshot; 0 when there is none.
    public internal(set) var snapshotBytes = 0
    /// The sequence number of the newest snapshot; 0 when there is none.
    public internal(set) var snapshotSequence = 0
    /// When the state of the newest snapshot was reached; nil when there is none.
    public internal(set) var snapshotAt: Timestamp?
    /// The history that is stored.
    public internal(set) var history = HistoryExtent()
    /// Batches written since the journal was opened.
    public internal(set) var batches = 0
    /// Commits written since the journal was opened.
    public internal(set) var commits = 0
    /// Durations of the syncs since the journal was opened.
    public internal(set) var syncs = DurationHistogram()
    /// Duration of the last sync.
    public internal(set) var lastSync = Duration.zero
}
