import Bytes

struct JSONText {
    let start: Int
    let end: Int
    private(set) var hasEscapes = false

    var count: Int { end - start }

    @inline(__always)
    func string(in bytes: [UInt8]) -> String {
        if hasEscapes { return String(decoding: unescaped(in: bytes), as: UTF8.self) }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    func unescaped(in bytes: [UInt8]) -> [UInt8] {
        guard hasEscapes else { return Array(bytes[start..<end]) }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var offset = start
        while offset < end {
            // Every escape has been validated.
            if bytes[offset] == UInt8(ascii: "\\"), let escape = try? JSONEscape(scanning: bytes.span.bytes, at: offset)
            {
                result.append(contentsOf: String(Character(escape.scalar)).utf8)
                offset += escape.length
            } else {
                result.append(bytes[offset])
                offset += 1
            }
        }
        return result
    }
}

extension JSONText {
    init(scanning text: RawSpan, at quote: Int) throws(JSONFault) {
        start = quote + 1
        var offset = start
        while true {
            offset = text.endOfPlain(from: offset)
            guard offset < text.byteCount else { throw JSONFault("a string without its closing quote", at: quote) }
            switch text[offset] {
            case UInt8(ascii: "\""):
                end = offset
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                offset += try JSONEscape(scanning: text, at: offset).length
            case ..<0x20:
                throw JSONFault("a control character that is not escaped", at: offset)
            default:
                offset = try Self.endOfMultibyte(text, from: offset)
            }
        }
    }

    /// The end of a run of scalars beyond ASCII. The sequences are those of the Unicode Standard, table 3-7.
    private static func endOfMultibyte(_ text: RawSpan, from start: Int) throws(JSONFault) -> Int {
        var offset = start
        while offset < text.byteCount, text[offset] >= 0x80 {
            let (length, second): (Int, ClosedRange<UInt8>) =
                switch text[offset] {
                case 0xC2...0xDF: (2, 0x80...0xBF)
                case 0xE0: (3, 0xA0...0xBF)
                case 0xED: (3, 0x80...0x9F)
                case 0xE1...0xEF: (3, 0x80...0xBF)
                case 0xF0: (4, 0x90...0xBF)
                case 0xF1...0xF3: (4, 0x80...0xBF)
                case 0xF4: (4, 0x80...0x8F)
                default: (0, 0...0)
                }
            guard length > 0, offset + length <= text.byteCount, second ~= text[offset + 1],
                length < 3 || text[offset + 2] & 0xC0 == 0x80, length < 4 || text[offset + 3] & 0xC0 == 0x80
            else { throw JSONFault("text that is not valid UTF-8", at: offset) }
            offset += length
        }
        return offset
    }
}

/// An escape sequence in a string (RFC 8259, section 7); a surrogate pair is one.
struct JSONEscape {
    let scalar: Unicode.Scalar
    let length: Int

    init(scanning text: RawSpan, at backslash: Int) throws(JSONFault) {
        let letter = backslash + 1 < text.byteCount ? text[backslash + 1] : 0
        if letter == UInt8(ascii: "u") {
            (scalar, length) = try Self.numbered(text, at: backslash)
        } else if let scalar = Self.short(letter) {
            (self.scalar, length) = (scalar, 2)
        } else {
            throw JSONFault("a backslash that none of \"\\/bfnrtu follows", at: backslash)
        }
    }

    private static func numbered(_ text: RawSpan, at backslash: Int) throws(JSONFault) -> (Unicode.Scalar, Int) {
        guard let unit = codeUnit(text, at: backslash) else {
            throw JSONFault("a \\u that four hexadecimal digits do not follow", at: backslash)
        }
        if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
        guard UTF16.isLeadSurrogate(unit), let trail = codeUnit(text, at: backslash + 6),
            UTF16.isTrailSurrogate(trail),
            let scalar = Unicode.Scalar(0x1_0000 + UInt32(unit & 0x3FF) << 10 + UInt32(trail & 0x3FF))
        else { throw JSONFault("half of a surrogate pair", at: backslash) }
        return (scalar, 12)
    }

    private static func codeUnit(_ text: RawSpan, at backslash: Int) -> UInt16? {
        guard backslash + 6 <= text.byteCount, text[backslash] == UInt8(ascii: "\\"),
            text[backslash + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for offset in backslash + 2..<backslash + 6 {
            guard let digit = ASCII.hexValue(text[offset]) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private static func short(_ letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
        case UInt8(ascii: "b"): "\u{08}"
        case UInt8(ascii: "f"): "\u{0C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }
}
