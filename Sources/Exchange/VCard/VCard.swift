import Bytes
import SookeModel

struct VCard {
    let line: Int
    var problem: ImportRow?
    private var properties: [String: [ContentLine]] = [:]
    private var names: [String] = []

    init(line: Int) {
        self.line = line
    }

    /// These say nothing about a business.
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
        set("email", "EMAIL", best("EMAIL").map { Self.without("mailto:", $0.text) })
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
        "address": "is missing; add a line such as ADR:;;6701 West Coast Rd;Sooke to the card",
        "coordinates": "are missing; add a line such as GEO:geo:48.374,-123.726 to the card",
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

    /// Street, extension and locality of `box;extended;street;locality;region;code;country`; else its label.
    private static func address(_ property: ContentLine) -> String? {
        let parts = property.texts(at: ";").map(oneLine)
        let street = [2, 1].filter(parts.indices.contains).map { parts[$0] }.filter { !$0.isEmpty }
        let box = street.isEmpty ? parts.prefix(1).filter { !$0.isEmpty } : []
        let lines = street + box
        guard !lines.isEmpty else { return property["LABEL"].map { oneLine(ContentText.unescape($0)) } }
        return (lines + (parts.count > 3 && !parts[3].isEmpty ? [parts[3]] : [])).joined(separator: ", ")
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty }.joined(
            separator: ", ")
    }

    /// `tel:+1-250-555-0101;ext=5` is a URI (RFC 3966).
    private static func phone(_ property: ContentLine) -> String {
        let text = without("tel:", property.text)
        guard text.utf8.count != property.text.utf8.count else { return text }
        let parts = text.split(separator: ";")
        let number = parts.first.map(String.init) ?? ""
        let line = parts.dropFirst().first { $0.lowercased().hasPrefix("ext=") }?.dropFirst(4)
        return line.map { "\(number) ext. \($0)" } ?? number
    }

    private static func without(_ scheme: String, _ text: String) -> String {
        CellText.without(scheme, text.trimmed)
    }
}

extension ContentLine {
    /// `PREF=1` of vCard 4.0, or the type `pref` of earlier versions.
    fileprivate var isPreferred: Bool { has("TYPE", "pref") || has("PREF", "1") }

    fileprivate var isFaxOnly: Bool {
        (has("TYPE", "fax") || has("TYPE", "pager") || has("TYPE", "textphone")) && !has("TYPE", "voice")
    }
}
