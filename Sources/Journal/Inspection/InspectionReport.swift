/// The result of `JournalInspector` for a data folder.
public struct InspectionReport: Sendable {
    /// The severity of the damage.
    public enum Verdict: Int, Sendable, Comparable {
        /// No damage.
        case sound = 0
        /// There is damage, but the state after the last acknowledged commit can be read.
        case damaged = 1
        /// Acknowledged commits are lost or unreadable.
        case lost = 2

        /// Orders verdicts from harmless to severe.
        public static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
    }

    /// A place where a file differs from what was written.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The file: its name in the data folder.
        public let file: String
        /// The line number, from 1.
        public let line: Int?
        /// The offset of that line.
        public let byte: Int?
        /// The sequence number of the first commit that is affected.
        public let sequence: Int?
        /// What is wrong.
        public let message: String

        init(_ file: String, line: Int? = nil, byte: Int? = nil, sequence: Int? = nil, _ message: String) {
            (self.file, self.line, self.byte, self.sequence, self.message) = (file, line, byte, sequence, message)
        }

        /// The location and the message, in one line.
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
    /// Segments that were read.
    public internal(set) var segments = 0
    /// Commits that were read from the segments.
    public internal(set) var commits = 0
    /// Snapshots that were read.
    public internal(set) var snapshots = 0
    /// Bytes that were read.
    public internal(set) var bytes = 0
    /// The sequence number of the last known commit; 0 when there is none. Where a log has lost an unknown number of
    /// commits at its end, it is one more than that of the newest snapshot.
    public internal(set) var lastSequence = 0
    /// Damage that was found.
    public internal(set) var findings: [Finding] = []
    /// The severity of the damage.
    public internal(set) var verdict = Verdict.sound
}
