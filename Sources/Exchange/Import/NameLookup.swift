import Bytes
import SookeModel
import Store

/// Resolves the references of records to others, and collects the records that could not be imported.
///
/// A cell may hold the slug of another record or its name, in any case. All of the other kind must be in the town.
struct NameLookup {
    private struct Names {
        var slugs: [ByteText: [Slug]] = [:]
        /// As they are written, and their words; at most `candidates`.
        var all: [(name: String, words: Set<String>)] = []
    }

    private let createsTerms: Bool
    private var names: [RecordKind: Names] = [:]
    /// Terms that were found, which most rows have in common.
    private var terms: [RecordKind: Set<Slug>] = [:]
    /// In the files but not in the town, because they are invalid.
    private var missing: Set<RecordKey> = []
    private var missingPeople: Set<Int> = []
    private var messages: [RecordKey: String] = [:]
    /// For a place, of which some are compared with names.
    private var words: Set<ByteText> = []
    /// By the end of their slugs, for those that calendars cancel.
    private var events: [String: Slug]?
    private var warnings: [FieldProblem] = []
    private var created: [RecordKind] = []

    /// The names that are compared with an unknown one, and the unknown ones that are compared.
    private static let candidates = 1_000
    private static let comparisons = 20
    private static let namesInCell = 10
    private static let listed = 12

    init(createsTerms: Bool) {
        self.createsTerms = createsTerms
    }

    mutating func takeNews() -> (created: [RecordKind], warnings: [FieldProblem]) {
        defer { (created, warnings) = ([], []) }
        return (created, warnings)
    }

    mutating func insertMissing(_ patch: any AnyPatch) {
        if let key = patch.key { missing.insert(key) }
        if patch.kind == .person { missingPeople.insert(patch.id) }
    }

    func isMissing(_ kind: RecordKind, _ name: Slug?) -> Bool {
        guard let name else { return false }
        let keys = [RecordKey(kind, name.text), RecordKey(kind, Slug.make(from: name.text).text)]
        return keys.contains { $0.map { missing.contains($0) || messages[$0] != nil } == true }
    }

    func isMissing(person: Int?) -> Bool {
        person.map(missingPeople.contains) == true
    }

    /// The cell itself when there is none, which becomes a problem.
    mutating func slug(
        of cell: Slug, _ kind: RecordKind, in transaction: inout WriteTransaction, _ field: String,
        _ problems: inout FieldProblems
    ) -> Slug {
        if cell.isEmpty || terms[kind]?.contains(cell) == true { return cell }
        let isTerm = Self.isTerm(kind)
        if Self.has(cell, kind, transaction.town) {
            if isTerm { terms[kind, default: []].insert(cell) }
            return cell
        }
        let cell = Slug(CellText.withoutLink(cell.text))
        let slugs = slugs(named: cell.text, kind, in: transaction.town)
        if slugs.count > 1 {
            let choice = slugs.prefix(Self.listed).map { "\"\($0.text)\"" }.joined(separator: " or ")
            problems.add(field, "\"\(cell.text.trimmed.excerpt())\" is more than one \(kind.label); write \(choice)")
        }
        if let slug = slugs.first { return slug }
        if isTerm, let slug = first(of: cell.text, kind, in: transaction.town, field) { return slug }
        if isMissing(kind, cell), RecordKey(kind, cell.text).map({ messages[$0] == nil }) == true { return cell }
        if isTerm, let slug = fitting(cell.text, kind, in: transaction.town, field) { return slug }
        if createsTerms, let slug = create(newName(in: cell.text, kind, field), kind, in: &transaction) { return slug }
        problems.add(field, message(cell.text, kind, in: transaction.town))
        return cell
    }

    mutating func slugs(named name: String, _ kind: RecordKind, in town: Town) -> [Slug] {
        let name = CellText.withoutLink(name.trimmed)
        if let slugs = names(of: kind, in: town).slugs[Self.key(name)] { return slugs }
        let slug = Slug.make(from: name)
        return !slug.isEmpty && Self.has(slug, kind, town) ? [slug] : []
    }

    /// A name that several records have says nothing.
    mutating func only(named name: String, _ kind: RecordKind, in town: Town) -> Slug? {
        let slugs = slugs(named: name, kind, in: town)
        return slugs.count == 1 ? slugs[0] : nil
    }

    /// The business with a name that stands alone or before an address.
    mutating func place(named text: String, in town: Town) -> Slug? {
        let commas = text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: ",") }.prefix(Self.namesInCell)
        for end in [text.endIndex] + commas.reversed() {
            if let slug = only(named: String(text[..<end]), .business, in: town) { return slug }
        }
        if words.count < Self.comparisons, words.insert(Self.key(text)).inserted,
            let near = Self.nearest(to: text, in: names(of: .business, in: town).all.map(\.name))
        {
            let message = "\"\(text.excerpt())\" stays in words; did you mean \"\(near.excerpt())\"?"
            warnings.append(FieldProblem("location", message))
        }
        return nil
    }

    private mutating func first(
        of cell: String, _ kind: RecordKind, in town: Town, _ field: String
    ) -> Slug? {
        guard cell.utf8.count <= 1000 else { return nil }
        var (names, isJoined) = (CellList.names(in: cell), false)
        if names.count == 1 { (names, isJoined) = (CellList.joinedNames(in: cell), true) }
        guard 2...Self.namesInCell ~= names.count else { return nil }
        let slugs = names.map { only(named: $0, kind, in: town) }
        // What "and" joins may be one name, unless all of them are known.
        guard let index = slugs.firstIndex(where: { $0 != nil }), !isJoined || !slugs.contains(nil) else { return nil }
        let others = names.indices.filter { $0 != index }.map { names[$0] }
        warnings.append(FieldProblem(field, CellList.warning(taking: names[index], leavingOut: others)))
        return slugs[index]
    }

    /// The only term with all the words of a cell, such as *Cafés & Bakeries* for `Café`; where terms are created, with
    /// the same words, such as *Restaurants* for `Restaurant`.
    private mutating func fitting(
        _ cell: String, _ kind: RecordKind, in town: Town, _ field: String
    ) -> Slug? {
        guard cell.utf8.count <= 200 else { return nil }
        let wanted = NameWords.words(of: cell)
        guard 1...Self.namesInCell ~= wanted.count else { return nil }
        let names = names(of: kind, in: town)
        let fits = names.all.filter { createsTerms ? $0.words == wanted : $0.words.isSuperset(of: wanted) }
        guard fits.count == 1, let name = fits.first?.name, let slug = names.slugs[Self.key(name)]?.first else {
            return nil
        }
        let words = "the only \(kind.label) with that in its name"
        warnings.append(FieldProblem(field, "\"\(cell.excerpt())\" was taken for \"\(name.excerpt())\", \(words)"))
        return slug
    }

    /// Or the one whose slug ends with the digest of an identifier in a calendar.
    mutating func event(_ slug: String?, endingWith digest: String, in town: Town) -> Slug? {
        if let slug = slug.map(Slug.init), town.events[slug] != nil { return slug }
        let known =
            events
            ?? Event.all(in: town).reduce(into: [:]) { known, event in
                known[String(event.slug.text.suffix(digest.count + 1))] = event.slug
            }
        events = known
        return known["-" + digest]
    }

    private static func key(_ name: String) -> ByteText {
        ByteText(String(decoding: CaseFolding.fold(name), as: UTF8.self))
    }

    private static func isTerm(_ kind: RecordKind) -> Bool { Town.recordType(of: kind)?.isTerm == true }

    private static func has(_ slug: Slug, _ kind: RecordKind, _ town: Town) -> Bool {
        Town.recordType(of: kind)?.id(of: slug, in: town) != nil
    }

    private mutating func names(of kind: RecordKind, in town: Town) -> Names {
        if let known = names[kind] { return known }
        let found = Town.recordType(of: kind).map { Self.names($0, in: town) } ?? Names()
        names[kind] = found
        return found
    }

    private static func names<Value: WritableRecord>(_ type: Value.Type, in town: Town) -> Names {
        var names = Names()
        for record in type.all(in: town) {
            guard let slug = record.ownSlug else { continue }
            names.slugs[key(record.label), default: []].append(slug)
            if names.all.count < candidates { names.all.append((record.label, NameWords.words(of: record.label))) }
        }
        return names
    }

    /// Of several between semicolons, bars or lines the first. A comma may be a part of a name.
    private mutating func newName(in cell: String, _ kind: RecordKind, _ field: String) -> String {
        guard Self.isTerm(kind), cell.utf8.count <= 1000 else { return cell }
        let names = CellList.names(in: cell, at: ";|\n\r")
        guard 2...Self.namesInCell ~= names.count else { return cell }
        warnings.append(FieldProblem(field, CellList.warning(taking: names[0], leavingOut: names.dropFirst())))
        return names[0]
    }

    private mutating func create(
        _ name: String, _ kind: RecordKind, in transaction: inout WriteTransaction
    ) -> Slug? {
        let name = Slug.termName(from: name.trimmed)
        guard let slug = Town.recordType(of: kind)?.createTerm(name, in: &transaction) else { return nil }
        created.append(kind)
        names[kind]?.slugs[Self.key(name), default: []].append(slug)
        if names[kind]?.all.count ?? 0 < Self.candidates { names[kind]?.all.append((name, NameWords.words(of: name))) }
        return slug
    }

    private mutating func message(_ cell: String, _ kind: RecordKind, in town: Town) -> String {
        let key = RecordKey(kind, cell)
        if let key, let message = messages[key] { return message }
        let message = "there is no \(kind.label) \"\(cell.excerpt())\"" + advice(cell, kind, in: town)
        if let key { messages[key] = message }
        return message
    }

    private mutating func advice(_ cell: String, _ kind: RecordKind, in town: Town) -> String {
        let all = names(of: kind, in: town).all.map(\.name)
        let isTerm = Self.isTerm(kind)
        if createsTerms, isTerm {
            return ", and it cannot be one: a name has at most \(TextRules.name.upperBound) characters"
        }
        var advice = ";"
        if messages.count < Self.comparisons, let near = Self.nearest(to: cell, in: all) {
            advice = "; did you mean \"\(near.excerpt())\"? Or"
        } else if isTerm, !all.isEmpty, all.count <= Self.listed {
            advice = "; there is " + all.map { "\"\($0.excerpt())\"" }.joined(separator: ", ") + ", or"
        }
        guard isTerm else { return advice + " import it first, or leave the cell empty and give coordinates" }
        let starter = all.isEmpty ? ", or begin with a set of them: --starter" : ""
        return advice + " create it with --create-categories" + starter
    }

    private static func nearest(to cell: String, in names: [String]) -> String? {
        let folded = names.map { String(decoding: CaseFolding.fold($0), as: UTF8.self) }
        let typed = String(decoding: CaseFolding.fold(cell.trimmed), as: UTF8.self)
        return Suggestion.nearest(to: typed, in: folded).flatMap { folded.firstIndex(of: $0) }.map { names[$0] }
    }

    /// Nil with a warning when there is none. One that is in the files and invalid has problems of its own.
    mutating func person(_ email: String, in town: Town, _ field: String) -> Int? {
        if let person = town.people[email: email] { return person.id }
        if RecordKey(email: email).map(missing.contains) == true { return nil }
        let unknown = "there is no user with the e-mail address \"\(email.excerpt())\", so it was left out"
        warnings.append(FieldProblem(field, "\(unknown); add the account, and import again"))
        return nil
    }
}

/// Without what is often left out or written differently: case, accents, punctuation, plurals, "the", "and", "Ltd".
enum NameWords {
    private static let dropped: Set<String> = [
        "the", "and", "of", "for", "et", "und", "ltd", "inc", "llc", "co",
    ]

    static func words(of name: String) -> Set<String> { Set(list(name).map(singular)) }

    /// Two names with the same are probably of the same business. A name without words, such as "☕", is as it is.
    static func joined(_ name: String) -> ByteText { ByteText([list(name).joined()].first { !$0.isEmpty } ?? name) }

    private static func list(_ name: String) -> [String] {
        var words: [String] = []
        TextWords.forEach(in: name) { if $0.kind == .plain { words.append($0.word.text) } }
        return words.filter { !dropped.contains($0) }
    }

    private static func singular(_ word: String) -> String {
        if word.utf8.count > 4, word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        if ["ches", "shes", "xes", "sses"].contains(where: word.hasSuffix) { return String(word.dropLast(2)) }
        return word.utf8.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
    }
}

extension Slug {
    /// A cell may be the slug: `live-music` gives `Live music`.
    fileprivate static func termName(from cell: String) -> String {
        let isSlug = Slug.make(from: cell).text.hasSameBytes(as: cell)
        let name = isSlug ? cell.split(separator: "-").joined(separator: " ") : cell
        guard let first = name.first, first.isLowercase else { return name }
        return first.uppercased() + name.dropFirst()
    }
}
