import Bytes
import SookeModel

/// Reads businesses from vCards 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350), one or many in a file.
struct VCardReader {
    private var records: [ImportRow] = []
    /// The card that is open.
    private var card: VCard?
    /// Where it begins.
    private var start = 0
    /// How many cards are open inside it, which are those of agents.
    private var inner = 0
    /// The name of the last line, and whether it was binary data, whose lines may be broken.
    private var (lastName, isBinary) = ("", false)
    /// Whether the text before was reported.
    private var isOutsideReported = false

    static func records(of bytes: [UInt8]) -> [ImportRow] {
        var reader = VCardReader()
        var lines = ContentLineReader(bytes)
        while let line = lines.next() {
            let count = reader.records.count
            let isInside = reader.card != nil
            reader.read(line)
            if !isInside, reader.card != nil { reader.start = lines.start }
            if reader.records.count > count { reader.records[count].source = [reader.start..<lines.position] }
        }
        reader.reportMissingEnd()
        return reader.records
    }

    private mutating func read(_ line: ContentLine) {
        defer { lastName = line.name }
        switch line.name {
        case "BEGIN" where line.isOfCard: begin(line)
        case "END" where line.isOfCard && inner > 0: inner -= 1
        case "END" where line.isOfCard && card != nil: endCard()
        default: readProperty(line)
        }
    }

    private mutating func begin(_ line: ContentLine) {
        isOutsideReported = false
        if card != nil, inner > 0 || lastName == "AGENT" {
            inner += 1
            return
        }
        reportMissingEnd()
        card = VCard(line: line.number)
    }

    private mutating func endCard() {
        if let card { records.append(card.record) }
        card = nil
    }

    private mutating func readProperty(_ line: ContentLine) {
        guard card != nil else {
            if !isOutsideReported {
                let text = (line.name.isEmpty ? line.value : line.name).excerpt()
                records.append(
                    ImportRow(
                        line: line.number, problem: "",
                        "\"\(text)\" is not in a card; a card is between BEGIN:VCARD and END:VCARD, so remove the line"
                            + " or export the cards again"))
            }
            isOutsideReported = true
            return
        }
        if inner > 0 { return }
        if line.name.isEmpty {
            guard !isBinary, card?.problem == nil else { return }
            let message =
                "is \"\(line.value.excerpt())\", not a valid vCard line such as FN:Harbour Books; correct the line"
            card?.problem = ImportRow(line: line.number, problem: "", message)
            return
        }
        isBinary = line.has("ENCODING", "BASE64") || line.has("ENCODING", "b")
        guard isBinary else { return insert(line) }
        guard VCard.texts.contains(line.name) else { return }
        var text = line
        text.value = ""
        if let bytes = EncodedText.base64(line.value) {
            let decoded = EncodedText.text(of: bytes, in: line["CHARSET"])
            (text.value, text.unreadCharacterSet) = (decoded ?? "", decoded == nil ? line["CHARSET"] : nil)
        }
        insert(text)
    }

    /// Adds a property to the card. A text that is not read is a problem.
    private mutating func insert(_ line: ContentLine) {
        // Some programs write properties without a value.
        let isEmpty = line.value.trimmed.isEmpty && !isBinary && line.unreadCharacterSet == nil
        if !isEmpty { card?.insert(line) }
        guard let name = line.unreadCharacterSet, VCard.texts.contains(line.name), card?.problem == nil else { return }
        card?.problem = ImportRow(
            line: line.number, problem: line.name, EncodedText.message(aboutSet: name))
    }

    private mutating func reportMissingEnd() {
        guard let card else { return }
        records.append(
            ImportRow(
                line: card.line, problem: "",
                "the card that begins here has no END:VCARD; add that line, or export the cards again"))
        (self.card, inner) = (nil, 0)
    }
}

extension ContentLine {
    /// Whether the value of `BEGIN` or `END` is a card.
    fileprivate var isOfCard: Bool { ASCII.equalIgnoringCase(value.trimmed.utf8, "VCARD".utf8) }
}
