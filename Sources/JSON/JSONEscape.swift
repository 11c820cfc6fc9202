import Bytes

/// An escape sequence in a string (RFC 8259, section 7); a surrogate pair is one.
struct JSONEscape {
    let scalar: Unicode.Scalar
    let length: Int

    /// Scans the escape sequence whose backslash is at an offset.
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
