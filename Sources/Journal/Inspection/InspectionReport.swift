/// The result of `JournalInspector` for a data folder.
package struct InspectionReport: Sendable {
    package enum Verdict: Int, Sendable, Comparable {
        case sound = 0
        /// There is damage, but the state after the last acknowledged commit can be read.
        case damaged = 1
        /// Acknowledged commits are lost or unreadable.
        case lost = 2

        /// Orders verdicts from harmless to severe.
        package static func < (left: Verdict, right: Verdict) -> Bool { left.rawValue < right.rawValue }
    }

    /// A place where a file differs from what was written.
    package struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The file: its name in the data folder.
        package let file: String
        /// The line number, from 1.
        package let line: Int?
        /// The offset of that line.
        package let byte: Int?
        /// The sequence number of the first commit that is affected.
        package let sequence: Int?
        package let message: String

        init(_ file: String, line: Int? = nil, byte: Int? = nil, sequence: Int? = nil, _ message: String) {
            (self.file, self.line, self.byte, self.sequence, self.message) = (file, line, byte, sequence, message)
        }

        package var description: String {
            var places = [file]
            if let line { places.append("line \(line)") }
            if let byte { places.append("byte \(byte)") }
            if let sequence { places.append("sequence \(sequence)") }
            return "\(places.joined(separator: ", ")): \(message)"
        }
    }

    /// The identity of the store; nil when the manifest cannot be read.
    package internal(set) var identity: String?
    package internal(set) var segments = 0
    /// Commits that were read from the segments.
    package internal(set) var commits = 0
    package internal(set) var snapshots = 0
    package internal(set) var bytes = 0
    /// The sequence number of the last known commit; 0 when there is none. Where a log has lost an unknown number of
    /// commits at its end, it is one more than that of the newest snapshot.
    package internal(set) var lastSequence = 0
    package internal(set) var findings: [Finding] = []
    package internal(set) var verdict = Verdict.sound
}
