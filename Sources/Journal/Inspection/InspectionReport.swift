/// What `JournalInspector` found in a data folder.
public struct InspectionReport: Sendable {
    /// How bad it is.
    public enum Verdict: Int, Sendable, Comparable {
        /// All is as it was written.
        case sound = 0
        /// Something is not, but the state after the last answered commit can be read.
        case damaged = 1
        /// Answered commits are lost or unreadable.
        case lost = 2

        /// Whether one verdict is better than another.
        public static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
    }

    /// Something that is not as it was written.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The file: its name in the data folder.
        public let file: String
        /// The line in it, from 1.
        public let line: Int?
        /// The offset in it where that line begins.
        public let byte: Int?
        /// The sequence number of the first commit that it concerns.
        public let sequence: Int?
        /// What is wrong.
        public let message: String

        init(_ file: String, line: Int? = nil, byte: Int? = nil, sequence: Int? = nil, _ message: String) {
            (self.file, self.line, self.byte, self.sequence, self.message) = (file, line, byte, sequence, message)
        }

        /// Where and what, in one line.
        public var description: String {
            var places = [file]
            if let line { places.append("line \(line)") }
            if let byte { places.append("byte \(byte)") }
            if let sequence { places.append("sequence \(sequence)") }
            return "\(places.joined(separator: ", ")): \(message)"
        }
    }

    /// The identity of the store; nil when the manifest cannot be read.
    public internal(set) var identity: String?
    /// Segments of the log that were read.
    public internal(set) var segments = 0
    /// Commits that were read from them.
    public internal(set) var commits = 0
    /// Snapshots that were read.
    public internal(set) var snapshots = 0
    /// Bytes that were read.
    public internal(set) var bytes = 0
    /// The sequence number of the last commit that is known of; 0 when there is none. Where a log has lost its end, and
    /// nobody can say how much that was, it is one more than the newest snapshot's.
    public internal(set) var lastSequence = 0
    /// What is not as it was written.
    public internal(set) var findings: [Finding] = []
    /// How bad it is.
    public internal(set) var verdict = Verdict.sound
}
