/// Scans a document byte by byte and in words of eight bytes.
extension RawSpan {
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// The eight bytes from an offset on, the first one lowest.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The same without a bounds check, which the line before must have done: measured to read strings in a sixth less
    /// time.
    @inline(__always)
    func uncheckedWord(at offset: Int) -> UInt64 {
        assert(offset >= 0 && offset &+ 8 <= byteCount)
        return UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// The first byte from an offset on that is not white space (RFC 8259, section 2), or the end.
    func endOfWhiteSpace(from start: Int) -> Int {
        var offset = start
        while offset < byteCount {
            switch self[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): offset += 1
            default: return offset
            }
            while offset &+ 8 <= byteCount {
                let spaces = uncheckedWord(at: offset).leadingSpaces
                offset += spaces
                if spaces < 8 { break }
            }
        }
        return offset
    }

    /// The first byte from an offset on that is `"`, `\`, a control or beyond ASCII, or the end.
    @inline(__always)
    func endOfPlain(from start: Int) -> Int {
        var offset = start
        while offset &+ 8 <= byteCount {
            let marks = uncheckedWord(at: offset).marksOfNotPlain
            if marks != 0 { return offset &+ marks.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while offset < byteCount {
            let byte = self[offset]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            offset += 1
        }
        return offset
    }

    /// The end of the string, after its closing quote, whose opening quote is at an offset; nil when it contains other
    /// bytes than plain ASCII.
    @inline(__always)
    func endOfPlainString(at quote: Int) -> Int? {
        let end = endOfPlain(from: quote + 1)
        return end < byteCount && self[end] == UInt8(ascii: "\"") ? end + 1 : nil
    }

    /// The integer of up to 18 digits at an offset and its end; nil for any other number or value.
    @inline(__always)
    func shortInteger(at start: Int) -> (value: Int, end: Int)? {
        var offset = start
        var value = 0
        while offset < byteCount {
            let digit = self[offset] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ Int(digit)
            offset &+= 1
        }
        // The general path handles a leading 0 and more than 18 digits.
        guard offset < byteCount, 1...18 ~= offset - start, self[start] != UInt8(ascii: "0") || offset == start + 1
        else { return nil }
        let next = self[offset]
        return next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") ? nil : (value, offset)
    }

    /// The first byte from an offset on that is `"`, `\` or a control, or the end.
    @inline(__always)
    func endOfUnescaped(from start: Int) -> Int {
        var offset = start
        while offset &+ 8 <= byteCount {
            let marks = uncheckedWord(at: offset).marksOfEscaped
            if marks != 0 { return offset &+ marks.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while offset < byteCount {
            let byte = self[offset]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            offset += 1
        }
        return offset
    }
}

/// Tests on eight bytes at once, the first byte of the text in the lowest eight bits.
extension UInt64 {
    @inline(__always)
    init(repeating byte: UInt8) {
        self = UInt64(byte) &* 0x0101_0101_0101_0101
    }

    private static let highBits = UInt64(repeating: 0x80)

    /// Marks `"`, `\`, controls below 0x20 and bytes of 0x80 and above.
    ///
    /// Subtracting from every byte sets the high bit of those that were smaller. A borrow can spoil the bytes above
    /// such a byte, never the ones below: only the *lowest* mark is exact (Hacker's Delight, section 6-1).
    @inline(__always)
    var marksOfNotPlain: UInt64 {
        let quotes = (self ^ UInt64(repeating: UInt8(ascii: "\""))) &- UInt64(repeating: 1)
        let backslashes = (self ^ UInt64(repeating: UInt8(ascii: "\\"))) &- UInt64(repeating: 1)
        let controls = self &- UInt64(repeating: 0x20)
        return (quotes | backslashes | controls | self) & Self.highBits
    }

    /// Marks `"`, `\` and controls below 0x20: what a writer escapes. Every mark is exact.
    @inline(__always)
    var marksOfEscaped: UInt64 {
        // A byte whose high bit is set beforehand lends to none above it, and keeps the bit unless it was too small.
        let quotes = (self ^ UInt64(repeating: UInt8(ascii: "\""))) | Self.highBits
        let backslashes = (self ^ UInt64(repeating: UInt8(ascii: "\\"))) | Self.highBits
        let bits = self | Self.highBits
        let one = UInt64(repeating: 1)
        let kept = (quotes &- one) & (backslashes &- one) & (bits &- UInt64(repeating: 0x20))
        return ~(kept | self) & Self.highBits
    }

    @inline(__always)
    var leadingSpaces: Int {
        (self ^ UInt64(repeating: UInt8(ascii: " "))).trailingZeroBitCount / 8
    }
}
