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
