import Bytes

/// An e-mail as it is sent: plain text only (RFC 5322, RFC 2045).
package struct MailMessage: Sendable {
    package let id: Int
    /// Nil leaves it to the program that sends.
    package let from: String?
    package let to: String
    var sender = ""
    var replyTo: String?
    var subject = ""
    package var text = ""
    /// The same for each try, so that a program that receives it twice shows it once.
    var messageID = ""
    /// The address that ends e-mail of this kind.
    var stop = ""
    var date = Timestamp.epoch

    init(_ id: Int, from: String?, to: String) {
        (self.id, self.from, self.to) = (id, from, to)
    }

    /// In ASCII but for addresses, with line feeds. No text of a record can begin a new line of the header.
    package var bytes: [UInt8] {
        let fields: [(name: String, value: String?)] = [
            ("From", from.map { "\(Self.encoded(sender)) <\($0)>" }), ("To", to),
            ("Reply-To", replyTo.flatMap { Self.isAddress($0) ? $0 : nil }), ("Subject", Self.encoded(subject)),
            ("Date", "\(date.httpDate.dropLast(3))+0000"), ("Message-ID", "<\(messageID)>"),
            ("List-Unsubscribe", "<\(stop)>"), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
            ("Auto-Submitted", "auto-generated"), ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Transfer-Encoding", "quoted-printable"),
        ]
        let head = fields.map { field in field.value.map { "\(field.name): \($0)\n" } ?? "" }.joined()
        return Array("\(head)\n".utf8) + Self.quotedPrintable(text)
    }

    /// Whether a text is a single address in a header (RFC 5322, section 3.2.3).
    package static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count { $0 == UInt8(ascii: "@") } == 1
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && !separators.contains($0) }
    }

    private static let separators = Array(#"()<>[]:;\,""#.utf8)

    /// A text as encoded words if needed (RFC 2047), on lines of at most 76 characters.
    static func encoded(_ text: String) -> String {
        let isPlain = text.utf8.count <= 60 && text.utf8.allSatisfy { isLetter($0) || " -'!?/".utf8.contains($0) }
        if isPlain { return text }
        var words = [""]
        for given in text.unicodeScalars {
            let scalar = given.properties.generalCategory == .control ? " " : given
            let piece = String(scalar).utf8.map { isLetter($0) ? String(Unicode.Scalar($0)) : escaped($0) }.joined()
            if words[words.count - 1].utf8.count + piece.utf8.count > 60 { words.append("") }
            words[words.count - 1] += piece
        }
        return words.map { "=?utf-8?Q?\($0)?=" }.joined(separator: "\n ")
    }

    /// RFC 2045, section 6.7.
    static func quotedPrintable(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        for line in text.utf8.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
            var length = 0
            for (index, byte) in line.enumerated() {
                let isText = 0x20...0x7E ~= byte && byte != UInt8(ascii: "=")
                let isLastSpace = byte == UInt8(ascii: " ") && index == line.count - 1
                let piece = isText && !isLastSpace ? [byte] : Array(escaped(byte).utf8)
                if length + piece.count > 75 {
                    output.append("=\n")
                    length = 0
                }
                output += piece
                length += piece.count
            }
            output.append(ASCII.lineFeed)
        }
        return output
    }

    private static func escaped(_ byte: UInt8) -> String { "=" + Hex.encode([byte]).uppercased() }

    private static func isLetter(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) }
}
