import Bytes

/// A JSON document, laid out line by line, with a checksum over all of it: the format of snapshots, exports, backups
/// and seed files.
///
/// ```
/// {"format":"sooke/4","store":"8c…","sequence":1200,"at":"2026-11-21T09:30:00Z","chain":"8f3c5a7790d1e2b4",
/// "categories":[
/// {"id":1,"slug":"cafes","name":"Cafés"}
/// ],
/// "end":{"lines":4,"checksum":"1f0a77b2"}}
/// ```
///
/// The first line names the format and, in a snapshot, the store and the state; a state may have `"wall"` after `at`.
/// The body belongs to the owner; its last line ends in a comma. The last line contains the number of the lines before
/// it and the CRC-32C of all their bytes, line feeds included. The same values give the same bytes.
package enum CheckedDocument {
    /// Of a state, and of the log and the manifest. An export of any earlier version is read too.
    package static let versions = 3...4
    /// That is written.
    package static let version = versions.upperBound

    package struct Origin: Sendable, Hashable {
        package let store: String
        package let sequence: Int
        /// It must follow from the state, so that the same state gives the same bytes.
        package let at: Timestamp
        /// The time on the machine's clock, where that was earlier.
        package let wall: Timestamp?
        package let chain: CommitChain
        package let version: Int

        package init(
            store: String, position: CommitPosition, at: Timestamp, wall: Timestamp? = nil,
            version: Int = CheckedDocument.version
        ) {
            (self.store, self.at, self.wall, self.version) = (store, at, wall, version)
            (sequence, chain) = (position.sequence, position.chain)
        }

        package var position: CommitPosition { CommitPosition(sequence, chain) }
    }

    static func unknown(_ version: Int) -> String {
        "it has disk format \(version), and this sooke reads \(versions.lowerBound) to \(versions.upperBound)"
    }

    /// Reads a whole document from memory; nil is the origin of an export.
    ///
    /// - Parameter line: receives the lines of the body before they are verified: discard what was made from them when
    ///   the call throws.
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

/// The lines of the body of a small document. Their members are read leniently, since the document must be what its
/// owner would write: see `require`.
struct DocumentLines {
    private(set) var version = 0
    private let bytes: [UInt8]
    private var lines: [ArraySlice<UInt8>] = []

    init(_ bytes: [UInt8], kind: StaticString, versions: ClosedRange<Int>) throws(CheckedDocumentError) {
        self.bytes = bytes
        var reader = CheckedDocumentReader(kind: kind, versions: versions)
        try bytes.forEachLine { text, isEnded throws(CheckedDocumentError) in
            if case .line(let line) = try reader.read(text, isEnded: isEnded) { lines.append(line) }
        }
        try reader.finish()
        version = reader.version
    }

    /// Reads the value of a member that has a line of its own.
    func member<Value>(_ name: StaticString, _ read: (inout TextCursor) -> Value?) -> Value? {
        guard let line = lines.first(where: { TextCursor($0).begins(with: name) }) else { return nil }
        return TextCursor(line).member(name, read)
    }

    /// One element a line.
    func list(_ name: StaticString) -> [TextCursor] {
        guard let start = lines.firstIndex(where: { TextCursor($0).begins(with: name) }) else { return [] }
        return lines[(start + 1)...].prefix { $0.first == UInt8(ascii: "{") }.map { TextCursor($0) }
    }

    func require(_ written: [UInt8]) throws(CheckedDocumentError) {
        if written == bytes { return }
        let same = zip(written, bytes).prefix { $0 == $1 }
        throw CheckedDocumentError(code: .foreign, line: same.count { $0.0 == ASCII.lineFeed } + 1)
    }
}

extension [UInt8] {
    /// Without its line feed, and whether it has one.
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
    package let line: Int

    package var description: String {
        switch code {
        case .foreign: "the first line is not that of a document of this kind"
        case .version(let version): CheckedDocument.unknown(version)
        case .unended: "the line does not end"
        case .unfinished: "the document stops before its last line"
        case .lineCount(let count): "the last line counts \(Count(count, "line")), here are \(Count.grouped(line - 1))"
        case .checksum: "the checksum in the last line is not that of the lines before it"
        case .afterEnd: "something follows the last line"
        }
    }
}
