/// Takes in what a journal holds when it is opened: a snapshot, line by line, and the commits after it.
///
/// The calls come in this order: `begin`, `snapshotLine` for each line, `endSnapshot`, `commit` for each commit. When
/// a snapshot turns out to be damaged after some of its lines were given, or has no end, `begin` is called again and
/// whatever came before must be forgotten. For an empty store `begin(nil)` is called, without a snapshot's lines.
public protocol Replayer {
    /// Forget everything; the lines of a snapshot of this state follow, or, when it is nil, commits from the first on.
    mutating func begin(_ origin: CheckedDocument.Origin?)

    /// A line of the snapshot's body, without its line feed. It is not proved before `endSnapshot` is called.
    ///
    /// What it throws counts only when the snapshot turns out to be sound: then the journal is not opened.
    mutating func snapshotLine(_ line: ArraySlice<UInt8>) throws

    /// The snapshot was whole and sound.
    mutating func endSnapshot() throws

    /// A commit that has proved itself.
    ///
    /// What it throws keeps the journal from being opened.
    mutating func commit(_ commit: LoggedCommit) throws
}

/// A commit as it is read back from the log.
public struct LoggedCommit: Sendable, Hashable {
    /// Its sequence number.
    public let sequence: Int
    /// What was given to `Journal.append`.
    public let payload: ArraySlice<UInt8>
    /// Whether its changes say what was before them: those in segments of version 1 do not.
    public let hasBeforeImages: Bool

    /// A commit in a segment with this first line.
    init(_ sequence: Int, _ payload: ArraySlice<UInt8>, in header: SegmentHeader) {
        (self.sequence, self.payload, hasBeforeImages) = (sequence, payload, header.version > 1)
    }
}
