import Bytes

/// Appends single JSON values to text, for fragments that are joined later.
extension [UInt8] {
    /// Appends a string with its quotes (RFC 8259, section 7). It escapes only what must be escaped: `"`, `\` and
    /// controls below 0x20, in the short form if there is one.
    public mutating func append(json text: String) {
        var text = text
        text.withUTF8 { append(json: $0) }
    }

    /// Appends the shortest number that reads back as the same `Double`, which must be finite; an integer without `.0`.
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

    /// Appends a string with its quotes; the buffer contains valid UTF-8.
    mutating func append(json text: UnsafeBufferPointer<UInt8>) {
        append(UInt8(ascii: "\""))
        var start = 0
        while true {
            let end = text.span.bytes.endOfUnescaped(from: start)
            append(contentsOf: text[start..<end])
            guard end < text.count else { break }
            appendEscape(text[end])
            start = end + 1
        }
        append(UInt8(ascii: "\""))
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
