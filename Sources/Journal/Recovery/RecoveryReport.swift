import Bytes

package struct RecoveryReport: Sendable {
    /// For the administrator. No acknowledged commit was lost.
    package struct Warning: Sendable, Hashable, CustomStringConvertible {
        package enum Kind: Sendable, Hashable {
            /// The torn end of the log was moved into `quarantine/`.
            case cut
            /// The snapshot before it was read, with the longer log.
            case skippedSnapshot
            /// Of a folder that was in use: it has no later change.
            case copied
            /// The state can be read but not changed.
            case noRoom
            /// It has a newer disk format than before.
            case upgraded
            case leftover, history, readOnly
        }

        package let kind: Kind
        package let file: String
        /// The line, from 1, and its offset.
        package var line, byte: Int?
        package var message: String

        package var description: String { "\(JournalError.place(file, line, byte, nil)): \(message)" }
    }

    package internal(set) var isNew = false
    /// The last time.
    package internal(set) var wasClosed = false
    package internal(set) var snapshot: Int?
    package internal(set) var replayedCommits = 0
    /// 0 in an empty store.
    package internal(set) var lastSequence = 0
    /// The oldest format of the files that were read.
    package internal(set) var oldestFormat = CheckedDocument.version
    package internal(set) var warnings: [Warning] = []
}

extension RecoveryReport.Warning {
    static func readOnly(_ fault: String) -> Self {
        Self(
            kind: .readOnly, file: FileName.readOnly,
            message: "\(fault); nothing can be changed until `sooke read-only off` removes the file")
    }

    static func copied(at sequence: Int) -> Self {
        Self(
            kind: .copied, file: FileName.durable,
            message: "this folder is a copy of one that was in use or whose server was killed; it ends at change "
                + "\(sequence), and what was changed there after the copy is not in it")
    }

    static func noRoom(_ cause: JournalError, in folder: StoreFolder) -> Self {
        Self(
            kind: .noRoom, file: folder.path,
            message: "the disk is full, so nothing can be changed until there is room: \(cause.detail)")
    }
}

/// Receives the contents of a journal when it is opened: a snapshot, line by line, and the commits after it.
///
/// The order of the calls is `begin`, `snapshotLine` for each line, `endSnapshot`, `commit` for each commit. If a
/// snapshot turns out to be damaged after some of its lines were passed, `begin` is called again and everything before
/// it must be discarded. For an empty store `begin(nil)` is called, without lines of a snapshot.
package protocol Replayer {
    /// The lines of a snapshot of this state follow or, when it is nil, commits from the first on.
    mutating func begin(_ origin: CheckedDocument.Origin?)

    /// Without its line feed; not verified before `endSnapshot`. An error counts only if the snapshot is valid: then
    /// the journal is not opened.
    mutating func snapshotLine(_ line: ArraySlice<UInt8>) throws

    /// The snapshot was complete and valid.
    mutating func endSnapshot() throws

    /// An error prevents the opening of the journal.
    mutating func commit(_ commit: LoggedCommit) throws

    /// All was read; the folder is not changed before this returns. An error prevents the opening of the journal.
    mutating func end(at position: CommitPosition) throws(JournalError)

    /// When the state was reached.
    var clock: (at: Timestamp, wall: Timestamp?) { get }

    /// The lines of a snapshot of the state in an earlier format; see `SnapshotWriter`.
    func appendLines(to snapshot: inout SnapshotLines, version: Int) throws(JournalError)
}

extension Replayer {
    package mutating func end(at position: CommitPosition) {}

    package var clock: (at: Timestamp, wall: Timestamp?) { (Timestamp.epoch, nil) }

    package func appendLines(to snapshot: inout SnapshotLines, version: Int) {}
}

package struct LoggedCommit: Sendable, Hashable {
    /// Given to `Journal.append`.
    package let payload: ArraySlice<UInt8>
    package let position: CommitPosition
    package let previous: CommitPosition

    package var sequence: Int { position.sequence }

    init(_ payload: ArraySlice<UInt8>, at position: CommitPosition, after previous: CommitPosition) {
        (self.payload, self.position, self.previous) = (payload, position, previous)
    }

    /// Without the part of the file around it.
    package var copied: LoggedCommit { LoggedCommit(Array(payload)[...], at: position, after: previous) }
}
