import Bytes

/// In pieces, so that a large file is never in memory as a whole.
struct LineReader {
    struct Line {
        let bytes: ArraySlice<UInt8>
        /// Only the last line of a file may have no line feed.
        let isEnded: Bool
        let offset: Int
        let number: Int

        var end: Int { offset + bytes.count + (isEnded ? 1 : 0) }
    }

    private let file: FolderFile
    private let chunkBytes: Int
    private var buffer: [UInt8] = []
    private var position = 0
    private var bufferOffset: Int
    private var number: Int
    private var isAtEnd = false

    /// A line with this number begins at the offset.
    init(_ file: FolderFile, offset: Int = 0, number: Int = 1, chunkBytes: Int = 256 << 10) {
        (self.file, self.chunkBytes, bufferOffset, self.number) = (file, chunkBytes, offset, number)
    }

    mutating func next() throws(JournalError) -> Line? {
        var searched = position
        while true {
            if let lineFeed = buffer.firstIndex(of: ASCII.lineFeed, from: searched) {
                defer { position = lineFeed + 1 }
                return line(to: lineFeed, isEnded: true)
            }
            searched = buffer.count - position
            guard try fill() else { break }
        }
        guard position < buffer.count else { return nil }
        defer { position = buffer.count }
        return line(to: buffer.count, isEnded: false)
    }

    private mutating func line(to end: Int, isEnded: Bool) -> Line {
        defer { number += 1 }
        return Line(
            bytes: buffer[position..<end], isEnded: isEnded, offset: bufferOffset + position, number: number)
    }

    /// Discards the lines that were read; false at the end of the file. A line that is longer than a piece is read in
    /// increasing pieces, so that the cost is linear in its length.
    private mutating func fill() throws(JournalError) -> Bool {
        guard !isAtEnd else { return false }
        let kept = buffer[position...]
        let wanted = max(chunkBytes, kept.count)
        let read = try file.read(at: bufferOffset + buffer.count, count: wanted)
        isAtEnd = read.count < wanted
        bufferOffset += position
        buffer = kept.isEmpty ? read : kept + read
        position = 0
        return !read.isEmpty
    }
}

/// Reads one line strictly in the form in which this program writes it: any other spacing, a leading zero or an
/// upper-case digit means that the file was changed.
struct TextCursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ line: ArraySlice<UInt8>) {
        rest = line
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ literal: StaticString) -> Bool {
        guard rest.starts(withLiteral: literal) else { return false }
        rest = rest.dropFirst(literal.utf8CodeUnitCount)
        return true
    }

    /// A decimal number below 2⁶², so that adding to a sequence number cannot overflow.
    mutating func decimal() -> Int? {
        let digits = rest.prefix(while: ASCII.isDigit)
        guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0"), digits.count <= 19 else {
            return nil
        }
        var value = 0
        for digit in digits {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(Int(digit &- UInt8(ascii: "0")))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        guard value < 1 << 62 else { return nil }
        rest = rest[digits.endIndex...]
        return value
    }

    mutating func checksum() -> UInt32? {
        guard let digits = hexDigits(8), let value = Hex.integer(digits, as: UInt32.self) else { return nil }
        return value
    }

    mutating func identity() -> String? {
        hexDigits(32).map { String(decoding: $0, as: UTF8.self) }
    }

    /// With the quotation mark after it.
    mutating func momentAndQuote() -> Timestamp? {
        let text = rest.prefix { $0 != UInt8(ascii: "\"") }
        guard text.endIndex < rest.endIndex, let moment = Timestamp(rfc3339: text) else { return nil }
        rest = rest[(text.endIndex + 1)...]
        return moment
    }

    func begins(with name: StaticString) -> Bool {
        var cursor = self
        return cursor.take("\"") && cursor.take(name) && cursor.take("\":")
    }

    /// Reads the value of a member of the line, without the quotation mark before it.
    func member<Value>(_ name: StaticString, _ read: (inout TextCursor) -> Value?) -> Value? {
        for start in rest.indices where TextCursor(rest[start...]).begins(with: name) {
            var cursor = TextCursor(rest[(start + name.utf8CodeUnitCount + 3)...])
            _ = cursor.take("\"")
            return read(&cursor)
        }
        return nil
    }

    /// In lower case.
    mutating func hexDigits(_ count: Int) -> ArraySlice<UInt8>? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(Self.isLowerHex) else { return nil }
        rest = rest[digits.endIndex...]
        return digits
    }

    private static func isLowerHex(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
}

extension ArraySlice<UInt8> {
    func starts(withLiteral literal: StaticString) -> Bool {
        literal.withUTF8Buffer { starts(with: $0) }
    }
}
