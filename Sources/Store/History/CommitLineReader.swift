import Bytes
import JSON
import Journal

/// Reads what `CommitLines` gives, and finds out whether a commit is missing, swapped or changed.
///
/// The commits before a position are verified when it comes: until then, do nothing that cannot be undone.
package struct CommitLineReader {
    package enum Line {
        /// The first line: the identity of the store, and the position after which the commits follow.
        case start(store: String, after: CommitPosition)
        case commit(LineOfCommit)
        /// All commits up to here are verified; so many are still to come.
        case position(CommitPosition, behind: Int)
    }

    package struct LineOfCommit: Sendable {
        package let bytes: [UInt8]
        /// Computed, and not yet verified.
        package let position: CommitPosition
        fileprivate let start: Int

        package var payload: ArraySlice<UInt8> { bytes[start..<bytes.count - 1] }
    }

    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        package let line: Int
        let reason: String

        package var description: String { "line \(line) of the log: \(reason)" }
    }

    private var piece: [UInt8] = []
    private var place = 0
    /// Pieces of the line under way: a line may be long, and is copied once.
    private var begun: [[UInt8]] = []
    private var number = 0
    /// After the last commit, as computed from the payloads.
    private var position: CommitPosition?

    package init() {}

    package mutating func append(_ bytes: [UInt8]) {
        if place < piece.count { begun.append(Array(piece[place...])) }
        (piece, place) = (bytes, 0)
    }

    /// Nil until the end of the next line was added. Nothing may be read after an error.
    package mutating func next() throws(Failure) -> Line? {
        guard let end = piece.firstIndex(of: ASCII.lineFeed, from: place) else { return nil }
        let line = takeLine(to: end)
        number += 1
        guard let position else { return try readStart(line) }
        let start = Array("{\"seq\":\(position.sequence + 1),".utf8)
        guard line.starts(with: start), line.last == UInt8(ascii: "}") else { return try readPosition(line) }
        let payload = line[start.count..<line.count - 1]
        let commit = LineOfCommit(
            bytes: line, position: position.advanced(by: payload.span), start: start.count)
        self.position = commit.position
        return .commit(commit)
    }

    private mutating func takeLine(to end: Int) -> [UInt8] {
        defer { place = end + 1 }
        if begun.isEmpty { return Array(piece[place..<end]) }
        var line: [UInt8] = []
        line.reserveCapacity(begun.reduce(end - place) { $0 + $1.count })
        for part in begun { line += part }
        begun = []
        line += piece[place..<end]
        return line
    }

    private mutating func readStart(_ line: [UInt8]) throws(Failure) -> Line {
        let (members, _) = try members(of: line)
        guard members["format"] == "sooke-commits/1", let store = members["store"],
            let after = members["after"].flatMap(CommitPosition.init)
        else { throw failure("it is not the first line of `sooke log`") }
        position = after
        return .start(store: store, after: after)
    }

    private func readPosition(_ line: [UInt8]) throws(Failure) -> Line {
        guard line.starts(with: "{\"position\":".utf8) else {
            throw failure("it is neither the next commit nor a position")
        }
        let (members, behind) = try members(of: line)
        guard let stated = members["position"].flatMap(CommitPosition.init), stated == position else {
            throw failure("a commit before it is missing or was changed")
        }
        return .position(stated, behind: behind)
    }

    private func members(of line: [UInt8]) throws(Failure) -> (texts: [String: String], behind: Int) {
        do throws(JSONError) {
            var reader = JSONReader(line)
            var (texts, behind) = ([String: String](), 0)
            try reader.beginObject()
            while let name = try reader.nextKey() {
                if name == "behind" { behind = try reader.readInt() } else { texts[name] = try reader.readString() }
            }
            try reader.finish()
            return (texts, behind)
        } catch {
            throw failure("\(error)")
        }
    }

    private func failure(_ reason: String) -> Failure { Failure(line: number, reason: reason) }
}
