/// The result of opening a journal.
package struct RecoveryReport: Sendable {
    /// A message for the administrator. No acknowledged commit was lost.
    package struct Warning: Sendable, Hashable, CustomStringConvertible {
        package enum Kind: Sendable, Hashable {
            /// The end of the log was torn: it was cut, and the rest was moved into `quarantine/`.
            case cut
            /// A snapshot was damaged or missing: the one before it was read, with the longer log.
            case skippedSnapshot
            /// A file of an interrupted step was removed.
            case leftover
            /// The retention period of the history is unknown.
            case history
            /// It is unknown since when and why the store is read-only.
            case readOnly
            /// The folder is a copy of one that was in use: it has no later change.
            case copied
            /// The disk is full: the state can be read but not changed.
            case noRoom
        }

        package let kind: Kind
        /// The name of the file in the data folder.
        package let file: String
        /// The line number, from 1.
        package var line: Int?
        /// The offset of that line.
        package var byte: Int?
        package var message: String

        package var description: String {
            let place = line.map { ", line \($0)" } ?? ""
            return "\(file)\(place)\(byte.map { ", byte \($0)" } ?? ""): \(message)"
        }
    }

    package internal(set) var isNew = false
    /// The store was closed cleanly the last time.
    package internal(set) var wasClosed = false
    /// The sequence number of the snapshot that was read; nil when there was none.
    package internal(set) var snapshot: Int?
    package internal(set) var replayedCommits = 0
    /// The sequence number of the last commit; 0 in an empty store.
    package internal(set) var lastSequence = 0
    package internal(set) var warnings: [Warning] = []
}

extension RecoveryReport.Warning {
    /// The file that makes the store read-only is damaged.
    static func readOnly(_ fault: String) -> Self {
        Self(
            kind: .readOnly, file: FileName.readOnly,
            message: "\(fault); nothing can be changed until `sooke read-only off` removes the file")
    }

    /// The folder is a copy, and ends at this commit.
    static func copied(at sequence: Int) -> Self {
        Self(
            kind: .copied, file: FileName.durable,
            message: "this folder is a copy of one that was in use or whose server was killed; it ends at change "
                + "\(sequence), and what was changed there after the copy is not in it")
    }

    /// The state can be read but not changed.
    static func noRoom(_ cause: FileSystemError, in folder: DataFolder) -> Self {
        Self(
            kind: .noRoom, file: folder.path,
            message: "the disk is full, so nothing can be changed until there is room: \(cause)")
    }
}

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
