import Bytes

/// What a journal can say of itself, for metrics and for the decision when to take a snapshot.
public struct JournalStatistics: Sendable, Hashable {
    /// Bytes of log that a start would read after the newest snapshot.
    public internal(set) var bytesSinceSnapshot = 0
    /// Commits in them.
    public internal(set) var commitsSinceSnapshot = 0
    /// Bytes of all segments that are kept.
    public internal(set) var logBytes = 0
    /// Segments that are kept.
    public internal(set) var segments = 0
    /// Bytes of the newest snapshot; 0 when there is none.
    public internal(set) var snapshotBytes = 0
    /// The sequence number of the newest snapshot; 0 when there is none.
    public internal(set) var snapshotSequence = 0
    /// When the state was reached that the newest snapshot holds; nil when there is none.
    public internal(set) var snapshotAt: Timestamp?
    /// Batches written since the journal was opened.
    public internal(set) var batches = 0
    /// Commits written since the journal was opened.
    public internal(set) var commits = 0
    /// How long the syncs of batches took since the journal was opened.
    public internal(set) var syncs = DurationHistogram()
    /// How long the sync of the last batch took.
    public internal(set) var lastSync = Duration.zero
}
