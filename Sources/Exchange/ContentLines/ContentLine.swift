import Bytes

/// A line of a vCard (RFC 6350, section 3.3) or of an iCalendar (RFC 5545, section 3.1), unfolded:
/// `item1.TEL;TYPE=work,voice:250-555-0101`.
struct ContentLine: Sendable, Equatable {
    struct Parameter: Sendable, Equatable {
        var name: String
        var values: [String]
    }

    var number: Int
    /// In upper case, without a group; empty when the text is not a content line.
    var name: String
    var parameters: [Parameter] = []
    /// With its escapes; the whole text when it is not a content line.
    var value: String
    var unreadCharacterSet: String?

    func values(of name: String) -> [String] {
        parameters.lazy.filter { $0.name == name }.flatMap(\.values)
    }

    subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.values.first }

    func has(_ name: String, _ value: String) -> Bool {
        values(of: name).contains { ASCII.equalIgnoringCase($0.utf8, value.utf8) }
    }

    /// A name of a time zone may have colons without quotes: `DTSTART;TZID=tzone://Microsoft/Utc:20270601T190000`.
    var withWholeZone: ContentLine {
        guard value.utf8.contains(UInt8(ascii: ":")), let index = parameters.firstIndex(where: { $0.name == "TZID" }),
            let first = parameters[index].values.first, let colon = value.lastIndex(of: ":")
        else { return self }
        var line = self
        line.parameters[index].values = ["\(first):\(value[..<colon])"]
        line.value = String(value[value.index(after: colon)...])
        return line
    }

    var text: String { ContentText.unescape(value) }

    func texts(at separator: Unicode.Scalar) -> [String] {
        ContentText.split(value, at: separator).map(ContentText.unescape)
    }
}

/// Texts in the values of content lines (RFC 6350, section 3.4; RFC 5545, section 3.3.11).
enum ContentText {
    /// `\n` is a line end, also as `\r\n`, and `\,`, `\;`, `\:` and `\\` are the character.
    static func unescape(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        return unescape(Array(text.utf8)[...], after: UInt8(ascii: "\\"), escapes)
    }

    private static let escapes = Dictionary(uniqueKeysWithValues: zip("nN,;:\\\"".utf8, "\n\n,;:\\\"".utf8))

    /// What is no escape stays.
    static func unescape(_ text: ArraySlice<UInt8>, after mark: UInt8, _ escapes: [UInt8: UInt8]) -> String {
        var (bytes, rest) = ([UInt8](), text)
        bytes.reserveCapacity(text.count)
        while let byte = rest.popFirst() {
            if byte == mark, let next = rest.first, let meant = escapes[next] {
                bytes.append(meant)
                rest.removeFirst()
            } else if byte == mark, rest.starts(with: [UInt8(ascii: "r"), mark, UInt8(ascii: "n")]) {
                rest.removeFirst()
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
        var (parts, isEscaped) = ([[UInt8]()], false)
        for byte in text.utf8 {
            if byte == UInt8(ascii: separator), !isEscaped {
                parts.append([])
            } else {
                parts[parts.count - 1].append(byte)
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Texts of vCards in quoted-printable or base64, and in a character set.
enum EncodedText {
    /// Bytes that are not UTF-8 are windows-1252, which includes Latin-1, unless a set is named; nil for an unread one.
    static func text(of bytes: [UInt8], in characterSet: String?) -> String? {
        if let string = String(validUTF8: bytes) { return string }
        let name = (characterSet ?? "").shortUppercased.filter { $0 != "-" && $0 != "_" }
        if name == "ISO885915" || name == "LATIN9" {
            return String(String.UnicodeScalarView(bytes.map { latin9[$0] ?? Unicode.Scalar($0) }))
        }
        return usual.contains(name) ? Windows1252.decode(bytes) : nil
    }

    private static let usual: Set<String> = [
        "", "UTF8", "USASCII", "ASCII", "ISO88591", "LATIN1", "WINDOWS1252", "CP1252", "ANSI",
    ]

    /// What differs from Latin-1.
    private static let latin9: [UInt8: Unicode.Scalar] = [
        0xA4: "€", 0xA6: "Š", 0xA8: "š", 0xB4: "Ž", 0xB8: "ž", 0xBC: "Œ", 0xBD: "œ", 0xBE: "Ÿ",
    ]

    static func message(aboutSet name: String) -> String {
        "is in the character set \"\(name.excerpt())\", which is not read; export the file as UTF-8"
    }

    /// RFC 4648, section 4, perhaps with spaces.
    static func base64(_ text: String) -> [UInt8]? {
        var digits = text.utf8.filter { $0 > UInt8(ascii: " ") }
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard !digits.contains(where: "-_".utf8.contains) else { return nil }
        let url = [UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_")]
        return Base64URL.decode(digits.map { url[$0] ?? $0 })
    }
}
