/// Receives the contents of a journal when it is opened: a snapshot, line by line, and the commits after it.
///
/// The order of the calls is `begin`, `snapshotLine` for each line, `endSnapshot`, `commit` for each commit. If a
/// snapshot turns out to be damaged after some of its lines were passed, `begin` is called again and everything before
/// it must be discarded. For an empty store `begin(nil)` is called, without lines of a snapshot.
package protocol Replayer {
    /// Discards everything. The lines of a snapshot of this state follow or, when it is nil, commits from the first on.
    mutating func begin(_ origin: CheckedDocument.Origin?)

    /// A line of the snapshot's body, without its line feed. It is not verified before `endSnapshot` is called.
    ///
    /// An error that it throws counts only if the snapshot is valid: then the journal is not opened.
    mutating func snapshotLine(_ line: ArraySlice<UInt8>) throws

    /// The snapshot was complete and valid.
    mutating func endSnapshot() throws

    /// An error that it throws prevents the opening of the journal.
    mutating func commit(_ commit: LoggedCommit) throws

    /// All was read; the folder is not changed before this returns.
    ///
    /// - Parameter position: the position after the last commit.
    /// - Throws: a `JournalError`, which prevents the opening of the journal.
    mutating func end(at position: CommitPosition) throws(JournalError)
}

extension Replayer {
    package mutating func end(at position: CommitPosition) {}
}

/// A commit, as read from the log.
package struct LoggedCommit: Sendable, Hashable {
    /// The payload that was given to `Journal.append`.
    package let payload: ArraySlice<UInt8>
    package let position: CommitPosition
    /// The position before it.
    package let previous: CommitPosition

    package var sequence: Int { position.sequence }

    init(_ payload: ArraySlice<UInt8>, at position: CommitPosition, after previous: CommitPosition) {
        (self.payload, self.position, self.previous) = (payload, position, previous)
    }

    /// The same commit, without the part of the file around it.
    package var copied: LoggedCommit { LoggedCommit(Array(payload)[...], at: position, after: previous) }
}
