import Bytes

/// Checks a `CheckedDocument` line by line: discard what was made from its lines unless `finish()` returns.
package struct CheckedDocumentReader: Sendable {
    package enum Item: Sendable, Equatable {
        /// With the origin of a snapshot; nil in an export.
        case start(CheckedDocument.Origin?)
        case line(ArraySlice<UInt8>)
        case end
    }

    private let kind: StaticString
    private let versions: ClosedRange<Int>
    private let acceptsAny: Bool
    private(set) var version = 0
    private var state = State.start
    private var running = CRC32C()
    private(set) var lines = 0

    private enum State { case start, body, end }

    package init() {
        self.init(kind: "sooke", versions: CheckedDocument.versions)
    }

    /// `acceptsAny` reads other versions too, to find out whether they are complete: the frame stays the same.
    init(kind: StaticString, versions: ClosedRange<Int>, acceptsAny: Bool = false) {
        (self.kind, self.versions, self.acceptsAny) = (kind, versions, acceptsAny)
    }

    /// Of the lines before the last one; after the end, as in its last line.
    var checksum: UInt32 { running.value }

    /// Without its line feed. Nothing may be read after an error.
    package mutating func read(_ line: ArraySlice<UInt8>, isEnded: Bool = true) throws(CheckedDocumentError) -> Item {
        lines += 1
        switch state {
        case .start:
            let origin = try readStart(line)
            guard isEnded else { throw failure(.unended) }
            state = .body
            take(line)
            return .start(origin)
        case .body where line.starts(withLiteral: Self.endStart):
            try readEnd(line)
            guard isEnded else { throw failure(.unended) }
            state = .end
            return .end
        case .body:
            guard isEnded else { throw failure(.unended) }
            take(line)
            return .line(line)
        case .end:
            throw failure(.afterEnd)
        }
    }

    package func finish() throws(CheckedDocumentError) {
        guard state == .end else {
            throw CheckedDocumentError(code: lines == 0 ? .foreign : .unfinished, line: lines + 1)
        }
    }

    private static let endStart: StaticString = "\"end\":{\"lines\":"

    private mutating func take(_ line: ArraySlice<UInt8>) {
        running.update(line)
        running.update(CollectionOfOne(ASCII.lineFeed))
    }

    private mutating func readStart(_ line: ArraySlice<UInt8>) throws(CheckedDocumentError) -> CheckedDocument.Origin? {
        var cursor = TextCursor(line)
        guard cursor.take("{\"format\":\""), cursor.take(kind), cursor.take("/"), let found = cursor.decimal(),
            cursor.take("\",")
        else { throw failure(.foreign) }
        version = found
        let isExport = kind.description == "sooke" && cursor.isAtEnd && 1...versions.upperBound ~= found
        guard isExport || versions ~= found || acceptsAny else { throw failure(.version(found)) }
        if cursor.isAtEnd || !(versions ~= found) { return nil }
        guard cursor.take("\"store\":\""), let store = cursor.identity(),
            cursor.take("\",\"sequence\":"), let sequence = cursor.decimal(),
            cursor.take(",\"at\":\""), let at = cursor.momentAndQuote()
        else { throw failure(.foreign) }
        let wall = cursor.take(",\"wall\":\"") ? cursor.momentAndQuote() : nil
        guard let chain = cursor.chainMember(), cursor.take(","), cursor.isAtEnd else { throw failure(.foreign) }
        return CheckedDocument.Origin(
            store: store, position: CommitPosition(sequence, chain), at: at, wall: wall, version: found)
    }

    /// It ends a document that was not cut off.
    package static func isEnd(_ line: ArraySlice<UInt8>) -> Bool { end(line) != nil }

    private static func end(_ line: ArraySlice<UInt8>) -> (lines: Int, checksum: UInt32)? {
        var cursor = TextCursor(line)
        guard cursor.take(endStart), let count = cursor.decimal(), cursor.take(",\"checksum\":\""),
            let stated = cursor.checksum(), cursor.take("\"}}"), cursor.isAtEnd
        else { return nil }
        return (count, stated)
    }

    private func readEnd(_ line: ArraySlice<UInt8>) throws(CheckedDocumentError) {
        guard let (count, stated) = Self.end(line) else { throw failure(.unfinished) }
        guard count == lines - 1 else { throw failure(.lineCount(count)) }
        guard stated == running.value else { throw failure(.checksum) }
    }

    private func failure(_ code: CheckedDocumentError.Code) -> CheckedDocumentError {
        CheckedDocumentError(code: code, line: lines)
    }
}

/// Writes a `CheckedDocument` into memory, from which the caller takes it in pieces (`takeBytes`).
package struct CheckedDocumentWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private(set) var lines = 0
    private var taken = CRC32C()
    private var isFinished = false

    package init(origin: CheckedDocument.Origin? = nil) {
        self.init(kind: "sooke", version: origin?.version ?? CheckedDocument.version)
        guard let origin else { return }
        bytes.removeLast()
        let wall = origin.wall.map { ",\"wall\":\"\($0.rfc3339)\"" } ?? ""
        bytes.append(utf8: "\"store\":\"\(origin.store)\",\"sequence\":\(origin.sequence),")
        bytes.append(utf8: "\"at\":\"\(origin.at.rfc3339)\"\(wall),\"chain\":\"\(origin.chain)\",\n")
    }

    init(kind: StaticString, version: Int) {
        bytes.append(utf8: "{\"format\":\"\(kind)/\(version)\",\n")
        lines = 1
    }

    /// A line of the body; the line feed is added here.
    package mutating func append(line: [UInt8]) {
        precondition(
            !isFinished && line.firstIndex(of: ASCII.lineFeed, from: 0) == nil, "one line of a document that goes on")
        bytes.append(contentsOf: line)
        bytes.append(ASCII.lineFeed)
        lines += 1
    }

    mutating func append(text: String) {
        append(line: Array(text.utf8))
    }

    mutating func append(list name: String, _ elements: [String]) {
        append(text: "\"\(name)\":[")
        for (index, element) in elements.enumerated() {
            append(text: index == elements.count - 1 ? element : element + ",")
        }
        append(text: "],")
    }

    /// The line before must end in a comma.
    package mutating func finish() {
        precondition(!isFinished, "a document ends once")
        isFinished = true
        bytes.append(utf8: "\"end\":{\"lines\":\(lines),\"checksum\":\"\(Hex.text(of: checksum))\"}}\n")
    }

    package mutating func takeBytes() -> [UInt8] {
        taken.update(bytes)
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Of everything so far. Before `finish()` it is the one that the last line will contain.
    var checksum: UInt32 { CRC32C.checksum(bytes, continuing: taken.value) }
}

/// Reads a `CheckedDocument` from a file, in pieces.
struct DocumentScan: Equatable {
    struct Sound: Equatable {
        var origin: CheckedDocument.Origin?
        var lines = 0
        var length = 0
        var checksum: UInt32 = 0
    }

    enum Outcome: Equatable {
        case sound(Sound)
        case faulty(CheckedDocumentError, byte: Int)
        /// Without damage.
        case unknown(version: Int)
    }

    /// `item` receives the lines before they are verified: none of them counts unless the outcome is `sound`.
    static func scan(
        _ file: FolderFile, kind: StaticString = "sooke", versions: ClosedRange<Int> = CheckedDocument.versions,
        acceptsAny: Bool = false, item: (CheckedDocumentReader.Item, LineReader.Line) -> Void
    ) throws(JournalError) -> Outcome {
        var reader = CheckedDocumentReader(kind: kind, versions: versions, acceptsAny: acceptsAny)
        var lines = LineReader(file)
        var sound = Sound()
        var fault: CheckedDocumentError?
        while fault == nil, let line = try lines.next() {
            do throws(CheckedDocumentError) {
                let read = try reader.read(line.bytes, isEnded: line.isEnded)
                sound.length = line.end
                if case .start(let origin) = read { sound.origin = origin }
                item(read, line)
            } catch {
                fault = error
            }
        }
        do throws(CheckedDocumentError) {
            if fault == nil { try reader.finish() }
        } catch {
            fault = error
        }
        guard let fault else {
            sound.lines = reader.lines - 1
            sound.checksum = reader.checksum
            return .sound(sound)
        }
        // A damaged digit looks like another version too; then the rest of the document contradicts it.
        if case .version(let found) = fault.code,
            case .sound = try scan(file, kind: kind, versions: versions, acceptsAny: true, item: { _, _ in })
        {
            return .unknown(version: found)
        }
        return .faulty(fault, byte: sound.length)
    }

    /// Also returns the first line that the replayer refused. What it has was not verified unless the outcome is
    /// `sound`.
    static func scan(
        _ file: FolderFile, into replayer: inout some Replayer
    ) throws(JournalError) -> (outcome: Outcome, refusal: (line: Int, error: any Error)?) {
        var refusal: (line: Int, error: any Error)?
        let outcome = try scan(file) { item, line in
            guard refusal == nil else { return }
            do {
                switch item {
                case .start(let origin): replayer.begin(origin)
                case .line(let text): try replayer.snapshotLine(text)
                case .end: try replayer.endSnapshot()
                }
            } catch {
                refusal = (line.number, error)
            }
        }
        return (outcome, refusal)
    }
}
