import Bytes

/// One line of the log.
///
/// ```
/// 5d0f3c21 {"format":"sooke-log/4","store":"8c…","first":1201,"previous":"9a3e01c7","chain":"8f…"}
/// 0b6e7f10 {"seq":1201,"at":"2026-11-21T09:30:00Z","by":1,"changes":[…]}
/// 77d2a9e4 {"seq":1202,"at":"2026-11-21T09:30:00Z","by":4,"changes":[…]}
/// c1908f3b {"synced":1202,"after":"77d2a9e4"}
/// ```
///
/// A line is a checksum of eight digits, a space, one JSON object, any number of spaces, a line feed. The checksum is
/// the CRC-32C of everything between the first space and the line feed; it continues the checksum of the line before,
/// so that a line verifies the whole segment up to itself. The first line of a segment starts a new checksum and
/// contains that of the last segment in `previous`.
///
/// There are three kinds of lines:
///
/// - The *header*, once, at the top: `SegmentHeader`.
/// - A *commit*. The journal reads its sequence number; the other members belong to the store.
/// - A *mark*: all commits up to `synced` were on stable storage before this line was written. It is written after each
///   batch, before the batch is acknowledged. It repeats the checksum that it continues, so that it can be
///   distinguished from garbage without the lines before it. `DurabilityProof` explains its purpose.
///
/// The bytes of one `write` end at the end of a sector: the last line is padded with spaces. So the next write never
/// touches a sector with acknowledged commits, which a loss of power might turn to garbage.
///
/// Zeros may follow the last line: space that is reserved while the file is written to.
enum LogLine: Equatable {
    case commit(sequence: Int, payload: ArraySlice<UInt8>)
    /// Every commit up to this sequence is on stable storage.
    case mark(synced: Int)

    enum Fault: Error, Equatable {
        case unended
        case malformed
        case wrongChecksum
    }

    var sequence: Int {
        switch self {
        case .commit(let sequence, _), .mark(let sequence): sequence
        }
    }

    /// Of the checksum and the space.
    static let prefixLength = 9

    /// Without its line feed; verifies the checksum.
    static func open(
        _ line: ArraySlice<UInt8>, continuing previous: UInt32
    ) throws(Fault) -> (checksum: UInt32, json: ArraySlice<UInt8>) {
        var cursor = TextCursor(line)
        guard let checksum = cursor.checksum(), cursor.take(" ") else { throw .malformed }
        guard CRC32C.checksum(cursor.rest, continuing: previous) == checksum else { throw .wrongChecksum }
        return (checksum, cursor.rest)
    }

    /// nil when the text is neither.
    init?(json: ArraySlice<UInt8>, continuing previous: UInt32) {
        var cursor = TextCursor(json)
        if cursor.take("{\"seq\":") {
            let text = json.droppingTrailingSpaces()
            guard let sequence = cursor.decimal(), cursor.take(","), text.last == UInt8(ascii: "}"),
                cursor.rest.startIndex < text.endIndex - 1
            else { return nil }
            self = .commit(sequence: sequence, payload: json[cursor.rest.startIndex..<text.endIndex - 1])
        } else {
            guard let mark = Mark(&cursor), mark.after == previous,
                cursor.rest.droppingTrailingSpaces().isEmpty
            else { return nil }
            self = .mark(synced: mark.synced)
        }
    }

    struct Mark {
        static let start: StaticString = "{\"synced\":"
        /// Checksum, space, names, nineteen and eight digits.
        static let longest = LogLine.prefixLength + 10 + 19 + 10 + 8 + 2

        let synced: Int
        let after: UInt32

        init?(_ cursor: inout TextCursor) {
            guard cursor.take(Self.start), let synced = cursor.decimal(), cursor.take(",\"after\":\""),
                let after = cursor.checksum(), cursor.take("\"}")
            else { return nil }
            (self.synced, self.after) = (synced, after)
        }
    }
}

extension [UInt8] {
    /// Returns the line's checksum. When `json` throws, nothing is appended.
    mutating func appendLogLine<Failure>(
        continuing previous: UInt32, json: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) -> UInt32 {
        let start = count
        append("00000000 ")
        do throws(Failure) {
            try json(&self)
        } catch {
            removeSubrange(start...)
            throw error
        }
        let checksum = CRC32C.checksum(self[(start + LogLine.prefixLength)...], continuing: previous)
        setChecksum(checksum, at: start)
        append(ASCII.lineFeed)
        return checksum
    }

    mutating func appendMark(synced: Int, after previous: UInt32) -> UInt32 {
        appendLogLine(continuing: previous) { text in
            text.append(LogLine.Mark.start)
            text.append(decimal: synced)
            text.append(",\"after\":\"")
            text.append(hex: previous)
            text.append("\"}")
        }
    }

    /// Before its line feed; returns the line's new checksum.
    mutating func padLastLine(from start: Int, checksum: UInt32, with spaces: Int) -> UInt32 {
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: spaces)
        insert(contentsOf: padding, at: count - 1)
        let padded = CRC32C.checksum(padding, continuing: checksum)
        setChecksum(padded, at: start)
        return padded
    }

    private mutating func setChecksum(_ checksum: UInt32, at start: Int) {
        for digit in 0..<8 {
            self[start + digit] = Hex.digit(UInt8(truncatingIfNeeded: checksum >> (28 - 4 * UInt32(digit))) & 0x0F)
        }
    }
}

extension ArraySlice<UInt8> {
    func droppingTrailingSpaces() -> ArraySlice<UInt8> {
        var end = endIndex
        while end > startIndex, self[end - 1] == UInt8(ascii: " ") { end -= 1 }
        return self[startIndex..<end]
    }
}

/// The commits that the next `write` appends, encoded as lines.
struct LogBatch {
    private(set) var bytes: [UInt8] = []
    /// Of the last line, or of the line before an empty batch.
    private(set) var checksum: UInt32
    private(set) var chain: CommitChain
    private var lastLine = 0

    init(after checksum: UInt32, _ chain: CommitChain) {
        (self.checksum, self.chain) = (checksum, chain)
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// `payload` appends the members of the object after `seq`: not empty, and on one line. When it throws, the batch
    /// is as before.
    mutating func append<Failure>(sequence: Int, payload: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
        let line = bytes.count
        checksum = try bytes.appendLogLine(continuing: checksum) { text throws(Failure) in
            text.append("{\"seq\":")
            text.append(decimal: sequence)
            text.append(UInt8(ascii: ","))
            let start = text.count
            try payload(&text)
            precondition(
                text.count > start && text.firstIndex(of: ASCII.lineFeed, from: start) == nil,
                "a commit is one line of the log")
            chain = chain.appending(text.span.extracting(start...))
            text.append(UInt8(ascii: "}"))
        }
        lastLine = line
    }

    /// The batch, written at `offset`, ends at the end of a sector.
    mutating func pad(at offset: Int, sectorBytes: Int) {
        let spaces = (offset + bytes.count).distance(toMultipleOf: sectorBytes)
        if spaces > 0 { checksum = bytes.padLastLine(from: lastLine, checksum: checksum, with: spaces) }
    }

    mutating func reset(after checksum: UInt32, _ chain: CommitChain) {
        // A large import must not occupy memory permanently.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
        (self.checksum, self.chain) = (checksum, chain)
        lastLine = 0
    }
}
