import Bytes

extension Token {
    /// A text for a log: of every token in it the kind stays, and `***` stands for the rest.
    ///
    /// Somebody will paste a token where it does not belong, such as into a path, and a log should not keep it.
    public static func masking(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // Most texts have none, and are not copied.
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

    /// What stands behind the first name of a kind.
    private static func firstSecret(in text: ArraySlice<UInt8>) -> Range<Int>? {
        for index in text.indices where text[index] == UInt8(ascii: "s") {
            for kind in TokenKind.allCases where text[index...].starts(with: kind.rawValue.utf8) {
                let start = index + kind.rawValue.utf8.count
                let end = text[start...].firstIndex { !isSecret($0) } ?? text.endIndex
                if start < end { return start..<end }
            }
        }
        return nil
    }

    /// Whether a byte is a digit of base64url.
    private static func isSecret(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.lowercased(byte) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }
}
