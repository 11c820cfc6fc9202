import Bytes

/// Appends single JSON values to text, for fragments that are joined later.
extension [UInt8] {
    /// Appends a string with its quotes (RFC 8259, section 7). It escapes only what must be escaped: `"`, `\` and
    /// controls below 0x20, in the short form if there is one.
    public mutating func append(json text: String) {
        var text = text
        text.withUTF8 { append(json: $0) }
    }

    /// Appends the shortest number that reads back as the same `Double`; an integer is written without `.0`.
    ///
    /// - Precondition: the value is finite, since JSON has no other numbers.
    public mutating func append(json value: Double) {
        precondition(value.isFinite, "JSON has no infinity and no NaN")
        var text = value.description
        text.withUTF8 { digits in
            let point = digits.count - 2
            let isInteger =
                point > 0 && digits[point] == UInt8(ascii: ".") && digits[point + 1] == UInt8(ascii: "0")
            append(contentsOf: digits.extracting(..<(isInteger ? point : digits.count)))
        }
    }

    /// Appends a string with its quotes, after and before a structural character, 0 for none; the buffer contains valid
    /// UTF-8.
    ///
    /// It takes a buffer because `String` and `StaticString` provide one without a copy. A text without characters to
    /// escape is copied as a whole, which is measured to take half the time of single appends.
    mutating func append(json text: UnsafeBufferPointer<UInt8>, after prefix: UInt8 = 0, before suffix: UInt8 = 0) {
        let span = text.span.bytes
        let plain = span.endOfUnescaped(from: 0)
        append(addingCapacity: plain + 4) { output in
            if prefix != 0 { output.append(prefix) }
            output.append(UInt8(ascii: "\""))
            output.append(copying: text.extracting(..<plain))
            if plain == text.count {
                output.append(UInt8(ascii: "\""))
                if suffix != 0 { output.append(suffix) }
            }
        }
        if plain == text.count { return }
        var start = plain
        while start < text.count {
            appendEscape(text[start])
            let end = span.endOfUnescaped(from: start + 1)
            append(contentsOf: text[start + 1..<end])
            start = end
        }
        append(UInt8(ascii: "\""))
        if suffix != 0 { append(suffix) }
    }

    private mutating func appendEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case 0x0C: append(UInt8(ascii: "f"))
        case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
        default:
            append("u00")
            append(hex: byte)
        }
    }
}
