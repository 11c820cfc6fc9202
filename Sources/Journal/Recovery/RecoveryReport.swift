/// What was found when a journal was opened.
public struct RecoveryReport: Sendable {
    /// Something that a person should hear of. None of it has cost an answered commit.
    public struct Warning: Sendable, Hashable, CustomStringConvertible {
        /// What it is about.
        public enum Kind: Sendable, Hashable {
            /// The end of the log was torn: it was cut, and the rest moved into `quarantine/`.
            case cut
            /// A snapshot was damaged or gone: the one before it was read, with the longer log.
            case skippedSnapshot
            /// A file was left over by a step that did not come to its end: it was removed.
            case leftover
            /// It is not known how long the history is to be kept.
            case history
            /// There is no room to write: the state can be read, and nothing can be changed until there is.
            case noRoom
        }

        /// What it is about.
        public let kind: Kind
        /// The file: its name in the data folder.
        public let file: String
        /// The line in it, from 1.
        public var line: Int?
        /// The offset in it where that line begins.
        public var byte: Int?
        /// What was found and done.
        public var message: String

        /// Where and what, in one line.
        public var description: String {
            let place = line.map { ", line \($0)" } ?? ""
            return "\(file)\(place)\(byte.map { ", byte \($0)" } ?? ""): \(message)"
        }
    }

    /// There was nothing before: the folder is a new store.
    public internal(set) var isNew = false
    /// The store was closed the last time, not killed.
    public internal(set) var wasClosed = false
    /// The sequence number of the snapshot that was read; nil when there was none.
    public internal(set) var snapshot: Int?
    /// How many commits were read from the log.
    public internal(set) var replayedCommits = 0
    /// The sequence number of the last commit; 0 in an empty store.
    public internal(set) var lastSequence = 0
    /// What a person should hear of.
    public internal(set) var warnings: [Warning] = []
}

extension RecoveryReport.Warning {
    /// The state can be read, but nothing can be written.
    static func noRoom(_ cause: FileSystemError, in folder: DataFolder) -> Self {
        Self(
            kind: .noRoom, file: folder.path,
            message: "the disk is full, so nothing can be changed until there is room: \(cause)")
    }
}
