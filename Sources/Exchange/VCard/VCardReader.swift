import Bytes
import SookeModel

/// Reads businesses from vCards 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350), one or many in a file.
struct VCardReader {
    private var records: [ImportRow] = []
    private var card: VCard?
    private var start = 0
    private var inner = 0
    /// Lines of binary data may be broken.
    private var (lastName, isBinary) = ("", false)
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
        case "END" where line.isOfCard && card != nil:
            if let card { records.append(card.record) }
            card = nil
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

    private mutating func readProperty(_ line: ContentLine) {
        guard card != nil else {
            if !isOutsideReported {
                let text = (line.name.isEmpty ? line.value : line.name).excerpt()
                let message =
                    "\"\(text)\" is not in a card; a card is between BEGIN:VCARD and END:VCARD, so remove the line or "
                    + "export the cards again"
                records.append(ImportRow(line: line.number, problem: "", message))
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

    private mutating func insert(_ line: ContentLine) {
        // Some programs write properties without a value.
        let isEmpty = line.value.trimmed.isEmpty && !isBinary && line.unreadCharacterSet == nil
        if !isEmpty { card?.insert(line) }
        guard let name = line.unreadCharacterSet, VCard.texts.contains(line.name), card?.problem == nil else { return }
        card?.problem = ImportRow(line: line.number, problem: line.name, EncodedText.message(aboutSet: name))
    }

    private mutating func reportMissingEnd() {
        guard let card else { return }
        let message = "the card that begins here has no END:VCARD; add that line, or export the cards again"
        records.append(ImportRow(line: card.line, problem: "", message))
        (self.card, inner) = (nil, 0)
    }
}

extension ContentLine {
    fileprivate var isOfCard: Bool { ASCII.equalIgnoringCase(value.trimmed.utf8, "VCARD".utf8) }
}

struct VCard {
    let line: Int
    var problem: ImportRow?
    private var properties: [String: [ContentLine]] = [:]
    private var names: [String] = []

    init(line: Int) {
        self.line = line
    }

    private static let silent: Set<String> = [
        "VERSION", "PRODID", "REV", "UID", "N", "KIND", "PHOTO", "LOGO", "SOUND", "KEY", "SOURCE", "NAME", "PROFILE",
        "CLIENTPIDMAP", "CLASS", "SORT-STRING", "MAILER", "X-ABLABEL", "X-ABUID", "X-ABSHOWAS", "X-ABADR",
    ]

    static let texts: Set<String> = ["FN", "N", "ORG", "ADR", "LABEL", "NOTE", "EMAIL", "TEL", "URL", "CATEGORIES"]

    mutating func insert(_ property: ContentLine) {
        if properties[property.name] == nil { names.append(property.name) }
        properties[property.name, default: []].append(property)
    }

    private var isGroup: Bool {
        ["KIND", "X-ADDRESSBOOKSERVER-KIND"].contains { name in
            properties[name]?.contains { ASCII.equalIgnoringCase($0.value.trimmed.utf8, "group".utf8) } ?? false
        }
    }

    /// A list of other cards is left out with a warning.
    var record: ImportRow {
        guard isGroup, problem == nil else { return business }
        let name = (best("FN")?.text ?? "").excerpt()
        return ImportRow(line: line, warning: "", "\"\(name)\" is a group of an address book, and was left out")
    }

    private var business: ImportRow {
        if let problem { return problem }
        var record = ImportRow(line: line, .other)
        record.advice = Self.advice
        var used: Set<String> = []
        func set(_ column: String, _ name: String, _ text: String?) {
            guard let text = text?.withoutInvisibleEnds, !text.isEmpty, record[column] == nil else { return }
            record.set(column, text)
            used.insert(name)
        }
        if isPerson { set("name", "ORG", organization) }
        set("name", "FN", best("FN")?.text)
        set("name", "ORG", organization)
        set("name", "N", personName)
        used.insert("ORG")
        let address = best("ADR")
        set("address", "ADR", address.flatMap(Self.address))
        set("address", "LABEL", best("LABEL").map { Self.oneLine($0.text) })
        set("coordinates", "GEO", best("GEO")?.text)
        set("coordinates", "ADR", address?["GEO"])
        set("phone", "TEL", best("TEL") { !$0.isFaxOnly }.map(Self.phone))
        set("email", "EMAIL", best("EMAIL").map { CellText.without("mailto:", $0.text.trimmed) })
        set("website", "URL", best("URL")?.text)
        set("description", "NOTE", properties["NOTE"].map { $0.map(\.text).joined(separator: "\n") })
        set("category", "CATEGORIES", properties["CATEGORIES"]?.first?.texts(at: ",").first { !$0.trimmed.isEmpty })
        set(
            "time_zone", "TZ",
            best("TZ").map(\.text).flatMap { $0.contains("/") && TimeZone.isAcceptable($0) ? $0 : nil })
        for name in names where !Self.silent.contains(name) {
            let rest = (properties[name]?.count ?? 0) - 1
            if !used.contains(name) {
                record.ignored.append(name)
            } else if rest > 0, name != "NOTE" {
                record.ignored.append("\(name) (\(rest) more)")
            }
        }
        return record
    }

    private static let advice = [
        "name": "is missing; add a line such as FN:Harbour Books to the card",
        "coordinates": "add a line such as GEO:geo:48.374,-123.726 to the card",
    ]

    /// Then the business is where the person works.
    private var isPerson: Bool {
        guard let name = best("FN")?.text.withoutInvisibleEnds, let parts = best("N")?.texts(at: ";"),
            properties["KIND"]?.contains(where: { ASCII.equalIgnoringCase($0.value.trimmed.utf8, "org".utf8) }) != true
        else { return false }
        let names = parts.prefix(2).map(\.withoutInvisibleEnds)
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return false }
        return [personName, "\(names[1]) \(names[0])", "\(names[0]) \(names[1])", "\(names[0]), \(names[1])"]
            .contains { $0?.lowercased() == name.lowercased() }
    }

    /// That which its author prefers, else the first one of the business, else the first one.
    private func best(_ name: String, where isUsable: (ContentLine) -> Bool = { _ in true }) -> ContentLine? {
        let usable = (properties[name] ?? []).filter(isUsable)
        return usable.first(where: \.isPreferred) ?? usable.first { $0.has("TYPE", "work") } ?? usable.first
    }

    private var organization: String? { best("ORG")?.texts(at: ";").first?.trimmed }

    /// `Family;Given;Additional;Prefix;Suffix` in the order in which people say it.
    private var personName: String? {
        guard let parts = best("N")?.texts(at: ";") else { return nil }
        return [3, 1, 2, 0, 4].filter(parts.indices.contains).map { parts[$0].withoutInvisibleEnds }.filter {
            !$0.isEmpty
        }
        .joined(separator: " ")
    }

    /// Of `box;extended;street;locality;region;code;country` all but the country, or its label without a street.
    private static func address(_ property: ContentLine) -> String? {
        let parts = property.texts(at: ";").map(oneLine)
        let lines = [2, 1, 0].filter(parts.indices.contains).map { parts[$0] }.filter { !$0.isEmpty }
        guard !lines.isEmpty else { return property["LABEL"].map { oneLine(ContentText.unescape($0)) } }
        let region = parts.dropFirst(4).prefix(2).filter { !$0.isEmpty }.joined(separator: " ")
        return (lines + parts.dropFirst(3).prefix(1) + [region]).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty }.joined(
            separator: ", ")
    }

    /// `tel:+1-250-555-0101;ext=5` is a URI (RFC 3966).
    private static func phone(_ property: ContentLine) -> String {
        let text = CellText.without("tel:", property.text.trimmed)
        guard text.utf8.count != property.text.utf8.count else { return text }
        let parts = text.split(separator: ";")
        let number = parts.first.map(String.init) ?? ""
        let line = parts.dropFirst().first { $0.lowercased().hasPrefix("ext=") }?.dropFirst(4)
        return line.map { "\(number) ext. \($0)" } ?? number
    }
}

extension ContentLine {
    /// `PREF=1` of vCard 4.0, or the type `pref` of earlier versions.
    fileprivate var isPreferred: Bool { has("TYPE", "pref") || has("PREF", "1") }

    fileprivate var isFaxOnly: Bool {
        (has("TYPE", "fax") || has("TYPE", "pager") || has("TYPE", "textphone")) && !has("TYPE", "voice")
    }
}
