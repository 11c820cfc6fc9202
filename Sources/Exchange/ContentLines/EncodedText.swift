import Bytes

/// Texts of vCards that are encoded: in quoted-printable or base64, and in a character set.
enum EncodedText {
    /// The text of decoded bytes; nil in a character set that is not read.
    ///
    /// Bytes that are not UTF-8 are in windows-1252, the other usual set, unless another one is named. It has the characters
    /// of Latin-1 as well.
    static func text(of bytes: [UInt8], in characterSet: String?) -> String? {
        if let string = String(validUTF8: bytes) { return string }
        let name = (characterSet ?? "").shortUppercased.filter { $0 != "-" && $0 != "_" }
        if name == "ISO885915" || name == "LATIN9" { return latin9(bytes) }
        return usual.contains(name) ? Windows1252.decode(bytes) : nil
    }

    private static let usual: Set<String> = [
        "", "UTF8", "USASCII", "ASCII", "ISO88591", "LATIN1", "WINDOWS1252", "CP1252", "ANSI",
    ]

    /// The characters of ISO 8859-15 that differ from Latin-1.
    private static let differing: [UInt8: Unicode.Scalar] = [
        0xA4: "€", 0xA6: "Š", 0xA8: "š", 0xB4: "Ž", 0xB8: "ž", 0xBC: "Œ", 0xBD: "œ", 0xBE: "Ÿ",
    ]

    private static func latin9(_ bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(differing[byte] ?? Unicode.Scalar(byte)) }
        return String(scalars)
    }

    /// What to do about a text in a character set that is not read.
    static func message(aboutSet name: String) -> String {
        "is in the character set \"\(name.excerpt())\", which is not read; export the file as UTF-8"
    }

    /// The bytes of a text in base64 (RFC 4648, section 4), perhaps with spaces; nil for another text.
    static func base64(_ text: String) -> [UInt8]? {
        var digits = text.utf8.filter { $0 > UInt8(ascii: " ") }
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard !digits.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return nil }
        return Base64URL.decode(
            digits.map { byte in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: byte
                }
            })
    }
}
