import Bytes

extension Token {
    /// A text for a log: in every token the kind remains, and `***` replaces the rest.
    ///
    /// People paste tokens where they do not belong, such as into a path, and a log must not contain them.
    public static func masking(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // Most texts contain none, and are not copied.
        guard var secret = firstSecret(in: text) else { return text }
        var masked: [UInt8] = []
        var rest = text
        while true {
            masked += rest[..<secret.lowerBound]
            masked.append("***")
            rest = rest[secret.upperBound...]
            guard let next = firstSecret(in: rest) else { break }
            secret = next
        }
        return masked[...] + rest
    }

    /// The range after the first name of a kind; both may be percent-encoded, even several times.
    private static func firstSecret(in text: ArraySlice<UInt8>) -> Range<Int>? {
        for index in text.indices where text[index] == UInt8(ascii: "s") || text[index] == UInt8(ascii: "%") {
            for kind in TokenKind.allCases {
                guard let start = end(of: kind.rawValue.utf8, at: index, in: text) else { continue }
                var end = start
                while let (byte, next) = decoded(at: end, in: text), isSecret(byte) { end = next }
                if start < end { return start..<end }
            }
        }
        return nil
    }

    /// The end of a name that begins at an index of the text; nil when the text differs.
    private static func end(of name: String.UTF8View, at start: Int, in text: ArraySlice<UInt8>) -> Int? {
        var place = start
        for letter in name {
            guard let (byte, next) = decoded(at: place, in: text), byte == letter else { return nil }
            place = next
        }
        return place
    }

    /// The byte at an index of the text, and the index of the next one. `%5F` is `_`, and so is `%255F`, which a client
    /// sends that encodes a text twice.
    private static func decoded(at start: Int, in text: ArraySlice<UInt8>) -> (byte: UInt8, next: Int)? {
        guard start < text.endIndex else { return nil }
        var (byte, next) = (text[start], start + 1)
        while byte == UInt8(ascii: "%"), next + 1 < text.endIndex, let high = ASCII.hexValue(text[next]),
            let low = ASCII.hexValue(text[next + 1])
        {
            (byte, next) = (high << 4 | low, next + 2)
        }
        return (byte, next)
    }

    /// Whether a byte is a digit of base64url.
    private static func isSecret(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.lowercased(byte) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}
