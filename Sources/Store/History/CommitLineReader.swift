import Bytes
import JSON
import Journal

/// Reads what `CommitLines` gives, and finds out whether a commit is missing, swapped or changed.
///
/// The commits before a position are verified when it comes: until then, do nothing that cannot be undone.
public struct CommitLineReader {
    /// What a line is.
    public enum Line {
        /// The first line: the identity of the store, and the position after which the commits follow.
        case start(store: String, after: CommitPosition)
        /// The payload of a commit, and the position after it as computed from the payloads so far.
        case commit(ArraySlice<UInt8>, CommitPosition)
        /// All commits up to here are verified.
        case position(CommitPosition, at: Timestamp)
    }

    /// Why a line is not accepted.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The line, from 1.
        public let line: Int
        let reason: String

        /// What is wrong, and where.
        public var description: String { "line \(line): \(reason)" }
    }

    private var rest: [UInt8] = []
    /// The start of the next line, and up to where it is known to have no line feed.
    private var (start, searched) = (0, 0)
    private var number = 0
    private var position: CommitPosition?

    /// No line yet.
    public init() {}

    /// Adds the next bytes.
    public mutating func append(_ bytes: [UInt8]) {
        if start > 0 {
            rest.removeSubrange(..<start)
            (start, searched) = (0, max(0, searched - start))
        }
        rest += bytes
    }

    /// The next line; nil until its end was added.
    ///
    /// - Throws: `Failure`; nothing may be read after it.
    public mutating func next() throws(Failure) -> Line? {
        guard let end = rest.firstIndex(of: ASCII.lineFeed, from: max(start, searched)) else {
            searched = rest.count
            return nil
        }
        let line = rest[start..<end]
        (start, searched) = (end + 1, 0)
        number += 1
        guard let position else { return try readStart(line) }
        if let payload = Self.payload(of: line, after: position.sequence) {
            let reached = position.advanced(by: payload.span)
            self.position = reached
            return .commit(payload, reached)
        }
        return try readPosition(line)
    }

    private mutating func readStart(_ line: ArraySlice<UInt8>) throws(Failure) -> Line {
        let members = try members(of: line)
        guard members["format"] == "sooke-commits/1", let store = members["store"],
            let after = members["after"].flatMap(CommitPosition.init)
        else { throw failure("it is not the first line of `sooke log`") }
        position = after
        return .start(store: store, after: after)
    }

    private func readPosition(_ line: ArraySlice<UInt8>) throws(Failure) -> Line {
        let members = line.starts(with: "{\"position\":".utf8) ? try members(of: line) : [:]
        guard let stated = members["position"].flatMap(CommitPosition.init),
            let at = members["at"].flatMap({ Timestamp(rfc3339: $0) })
        else { throw failure("it is neither the next commit nor a position") }
        guard stated == position else {
            throw failure("a commit before it is missing or was changed: its position is \(stated)")
        }
        return .position(stated, at: at)
    }

    /// The payload in the line of the next commit; nil for any other line.
    private static func payload(of line: ArraySlice<UInt8>, after sequence: Int) -> ArraySlice<UInt8>? {
        let start = Array("{\"seq\":\(sequence + 1),".utf8)
        guard line.starts(with: start), line.last == UInt8(ascii: "}") else { return nil }
        return line.dropFirst(start.count).dropLast()
    }

    /// The members of an object of texts.
    private func members(of line: ArraySlice<UInt8>) throws(Failure) -> [String: String] {
        do throws(JSONError) {
            var reader = JSONReader(Array(line))
            var members: [String: String] = [:]
            try reader.beginObject()
            while let name = try reader.nextKey() { members[name] = try reader.readString() }
            try reader.finish()
            return members
        } catch {
            throw failure("\(error)")
        }
    }

    private func failure(_ reason: String) -> Failure { Failure(line: number, reason: reason) }
}
