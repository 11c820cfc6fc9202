import Bytes

/// The plain text of what other programs write: HTML, entities and control characters of windows-1252.
///
/// Only known tags and entities are markup, so that `a < b`, `AT&T` and `<ada@town.example>` stay. Lines of HTML become
/// lines, and the address of a link follows its text: `Map (https://walk.example/a)`. Any text takes linear time.
enum PlainText {
    static func of(_ text: String) -> String {
        guard text.withUTF8Bytes(mayHaveMarkup) else { return text }
        var bytes = withoutControls(Array(text.utf8))
        var html = HTMLText(bytes)
        bytes = html.read()
        // Some programs write the entities of HTML that they have escaped.
        if !html.hasTags, html.hasEntities {
            var again = HTMLText(bytes)
            bytes = again.read()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func mayHaveMarkup(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.contains { byte in
            byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == ASCII.carriageReturn || byte == 0xC2
        }
    }

    /// Windows-1252 has characters in place of C1 controls.
    private static func withoutControls(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let (byte, next) = (bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0)
            if byte == ASCII.carriageReturn {
                result.append(ASCII.lineFeed)
                if next == ASCII.lineFeed { index += 1 }
            } else if byte == 0xC2, 0x80...0x9F ~= next {
                result.append(contentsOf: String(Windows1252.scalar(next)).utf8)
                index += 1
            } else {
                result.append(byte)
            }
            index += 1
        }
        return result
    }
}

/// Of many files that do not say their character set.
enum Windows1252 {
    static func decode(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map(scalar)))
    }

    static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        0x80...0x9F ~= byte ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    private static let special = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}
