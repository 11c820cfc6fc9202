import Bytes

/// A JSON document, laid out line by line, with a checksum over all of it: the format of snapshots, exports, backups
/// and seed files.
///
/// ```
/// {"format":"sooke/3","store":"8c…","sequence":1200,"at":"2026-11-21T09:30:00Z","chain":"8f3c5a7790d1e2b4",
/// "categories":[
/// {"id":1,"slug":"cafes","name":"Cafés"}
/// ],
/// "end":{"lines":4,"checksum":"1f0a77b2"}}
/// ```
///
/// The first line names the format and, in a snapshot, the store and the state; an export, which any store can read,
/// omits these. A state may have `"wall"` after `at`. The body belongs to the owner; its last line ends in a comma. The
/// last line contains the number of the lines before it and the CRC-32C of all their bytes, line feeds included. A JSON
/// parser reads the whole document; a line-by-line reader needs only one line in memory. The same values give the same
/// bytes.
///
/// `CheckedDocumentWriter` and `CheckedDocumentReader` work on bytes and leave files to their callers.
package enum CheckedDocument {
    /// The version of a state, which is also that of the log and the manifest: the first one that is read.
    package static let version = 3
    /// The version of an export.
    static let exportVersion = 1

    /// The state that a snapshot contains.
    package struct Origin: Sendable, Hashable {
        /// The identity of the store: 32 hexadecimal digits in lower case.
        package let store: String
        package let sequence: Int
        /// When that state was reached. It must follow from the state, so that the same state gives the same bytes.
        package let at: Timestamp
        /// What the clock of the machine said then, where that was earlier.
        package let wall: Timestamp?
        /// The chain of all commits up to it.
        package let chain: CommitChain

        package init(store: String, position: CommitPosition, at: Timestamp, wall: Timestamp? = nil) {
            (self.store, self.at, self.wall) = (store, at, wall)
            (sequence, chain) = (position.sequence, position.chain)
        }

        package var position: CommitPosition { CommitPosition(sequence, chain) }
    }

    /// Reads a whole document from memory.
    ///
    /// - Parameter line: receives each line of the body, without its line feed. The lines are not verified until the
    ///   call returns: discard what was made from them when it throws.
    /// - Returns: the origin in the first line; nil in an export.
    /// - Throws: `CheckedDocumentError`, or what `line` throws.
    @discardableResult
    package static func read(_ bytes: [UInt8], line: (ArraySlice<UInt8>) throws -> Void) throws -> Origin? {
        var reader = CheckedDocumentReader()
        var origin: Origin?
        try bytes.forEachLine { text, isEnded in
            switch try reader.read(text, isEnded: isEnded) {
            case .start(let found): origin = found
            case .line(let text): try line(text)
            case .end: break
            }
        }
        try reader.finish()
        return origin
    }
}

/// The lines of the body of a small document, which are read in order.
struct DocumentLines {
    private var lines: [ArraySlice<UInt8>] = []
    private var next = 0

    /// Reads a whole document of a kind.
    init(_ bytes: [UInt8], kind: StaticString, version: Int) throws(CheckedDocumentError) {
        var reader = CheckedDocumentReader(kind: kind, version: version)
        try bytes.forEachLine { text, isEnded throws(CheckedDocumentError) in
            if case .line(let line) = try reader.read(text, isEnded: isEnded) { lines.append(line) }
        }
        try reader.finish()
    }

    /// Reads the next line; nil, and it stays the next one, unless the function reads all of it.
    mutating func take<Value>(_ read: (inout TextCursor) -> Value?) -> Value? {
        guard next < lines.count else { return nil }
        var cursor = TextCursor(lines[next])
        guard let value = read(&cursor), cursor.isAtEnd else { return nil }
        next += 1
        return value
    }

    /// Reads an array of one element a line.
    mutating func takeList<Value>(_ start: StaticString, _ read: (inout TextCursor) -> Value?) -> [Value]? {
        guard take({ $0.take(start) ? true : nil }) != nil else { return nil }
        var values: [Value] = []
        while let value = take({ cursor in
            let value = read(&cursor)
            _ = cursor.take(",")
            return value
        }) { values.append(value) }
        return take { $0.take("],") ? values : nil }
    }

    var isAtEnd: Bool { next == lines.count }

    /// The error for a document whose next line differs from what this program writes.
    var foreign: CheckedDocumentError { CheckedDocumentError(code: .foreign, line: next + 2) }
}

extension [UInt8] {
    /// Passes each line, without its line feed, and whether it has one.
    func forEachLine<Failure: Error>(
        _ line: (ArraySlice<UInt8>, _ isEnded: Bool) throws(Failure) -> Void
    ) throws(Failure) {
        var position = 0
        while position < count {
            let end = firstIndex(of: ASCII.lineFeed, from: position)
            try line(self[position..<(end ?? count)], end != nil)
            position = (end ?? count) + 1
        }
    }
}

/// Why a document was refused.
package struct CheckedDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    enum Code: Hashable {
        case foreign
        case version(Int)
        case unended
        case unfinished
        case lineCount(Int)
        case checksum
        case afterEnd
    }

    let code: Code
    /// The line, from 1.
    package let line: Int

    /// What is wrong, without the location.
    package var description: String {
        switch code {
        case .foreign: "the first line is not that of a document of this kind"
        case .version(let version):
            "it has disk format \(version), and this sooke knows those up to \(CheckedDocument.version)"
        case .unended: "the line does not end"
        case .unfinished: "the document stops before its last line"
        case .lineCount(let count): "the last line counts \(Count(count, "line")), here are \(Count.grouped(line - 1))"
        case .checksum: "the checksum in the last line is not that of the lines before it"
        case .afterEnd: "something follows the last line"
        }
    }
}
