import Bytes
import SookeModel
import Store

/// Resolves the references of records to others, and collects the records that could not be imported.
///
/// A cell may hold the slug of another record or its name, in any case. All records of the other kind must be in the
/// town.
struct NameLookup {
    /// The names of the records of a kind.
    private struct Names {
        /// The slugs by name, in lower case.
        var slugs: [ByteText: [Slug]] = [:]
        /// The names, as they are written, at most `NameLookup.candidates`.
        var all: [String] = []
    }

    private let createsTerms: Bool
    private var names: [RecordKind: Names] = [:]
    /// The records that are in the files but not in the town, because they are invalid.
    private var missing: Set<RecordKey> = []
    private var missingPeople: Set<Int> = []
    /// The messages about names without a record.
    private var messages: [RecordKey: String] = [:]
    /// The terms that were created.
    private(set) var created: [RecordKind] = []

    /// The most names that are compared with an unknown one, and the most unknown ones that are compared.
    private static let candidates = 1_000
    private static let comparisons = 20
    /// The most terms that a message lists.
    private static let listed = 12

    init(createsTerms: Bool) {
        self.createsTerms = createsTerms
    }

    /// Takes the kinds of the terms that were created since the last call.
    mutating func takeCreated() -> [RecordKind] {
        defer { created = [] }
        return created
    }

    /// Adds a record that could not be imported.
    mutating func insertMissing(_ patch: any AnyPatch) {
        if let key = patch.key { missing.insert(key) }
        if patch.kind == .person { missingPeople.insert(patch.id) }
    }

    fileprivate func isMissing(_ kind: RecordKind, _ name: Slug?) -> Bool {
        guard let name else { return false }
        let keys = [RecordKey(kind, name.text), RecordKey(kind, Slug.make(from: name.text).text)]
        return keys.contains { $0.map { missing.contains($0) || messages[$0] != nil } == true }
    }

    fileprivate func isMissing(person: Int?) -> Bool {
        person.map(missingPeople.contains) == true
    }

    /// The slug of the record that a cell refers to; the cell itself when there is none, which becomes a problem.
    fileprivate mutating func slug(
        of cell: Slug, _ kind: RecordKind, in transaction: inout WriteTransaction, _ field: String,
        _ problems: inout FieldProblems
    ) -> Slug {
        if cell.isEmpty || Self.has(cell, kind, transaction.community) { return cell }
        if let slug = find(cell.text, kind, in: transaction.community, field, &problems) { return slug }
        if isMissing(kind, cell), RecordKey(kind, cell.text).map({ messages[$0] == nil }) == true { return cell }
        if createsTerms, let slug = create(cell.text, kind, in: &transaction) { return slug }
        problems.add(field, message(cell.text, kind, in: transaction.community))
        return cell
    }

    /// The slug of the record with a name; nil when there is none. A name that several have becomes a problem.
    mutating func find(
        _ name: String, _ kind: RecordKind, in community: Community, _ field: String, _ problems: inout FieldProblems
    ) -> Slug? {
        let name = name.trimmed
        guard let slugs = names(of: kind, in: community).slugs[Self.key(name)], let first = slugs.first else {
            let slug = Slug.make(from: name)
            return !slug.isEmpty && Self.has(slug, kind, community) ? slug : nil
        }
        if slugs.count > 1 {
            let choice = slugs.prefix(Self.listed).map { "\"\($0.text)\"" }.joined(separator: " or ")
            problems.add(field, "\"\(name.excerpt())\" is more than one \(kind.label); write \(choice)")
        }
        return first
    }

    private static func key(_ name: String) -> ByteText {
        ByteText(String(decoding: CaseFolding.fold(name), as: UTF8.self))
    }

    private static func has(_ slug: Slug, _ kind: RecordKind, _ community: Community) -> Bool {
        guard let type = Community.recordType(of: kind) else { return false }
        return type.id(of: slug, in: community) != nil
    }

    private mutating func names(of kind: RecordKind, in community: Community) -> Names {
        if let known = names[kind] { return known }
        let known = Community.recordType(of: kind).map { Self.names($0, in: community) } ?? Names()
        names[kind] = known
        return known
    }

    private static func names<Value: WritableRecord>(_ type: Value.Type, in community: Community) -> Names {
        var names = Names()
        for case let record as any SluggedRecord in type.all(in: community) {
            names.slugs[key(record.name), default: []].append(record.slug)
            if names.all.count < candidates { names.all.append(record.name) }
        }
        return names
    }

    /// Creates a term; nil for kinds that are no terms, and for a name that cannot be one.
    private mutating func create(
        _ name: String, _ kind: RecordKind, in transaction: inout WriteTransaction
    ) -> Slug? {
        let name = StarterTerms.name(from: name.trimmed)
        guard let slug = transaction.createTerm(kind, name) else { return nil }
        created.append(kind)
        names[kind]?.slugs[Self.key(name), default: []].append(slug)
        names[kind]?.all.append(name)
        return slug
    }

    /// What to do about a name without a record.
    private mutating func message(_ cell: String, _ kind: RecordKind, in community: Community) -> String {
        let key = RecordKey(kind, cell)
        if let key, let message = messages[key] { return message }
        let all = names(of: kind, in: community).all
        var message = "there is no \(kind.label) \"\(cell.excerpt())\""
        let folded = all.map { String(decoding: CaseFolding.fold($0), as: UTF8.self) }
        let typed = String(decoding: CaseFolding.fold(cell.trimmed), as: UTF8.self)
        if messages.count < Self.comparisons, let near = Suggestion.nearest(to: typed, in: folded),
            let index = folded.firstIndex(of: near)
        {
            message += "; did you mean \"\(all[index].excerpt())\"?" + (kind == .business ? "" : " Or")
        } else if kind != .business, !all.isEmpty, all.count <= Self.listed {
            message += "; there is " + all.map { "\"\($0.excerpt())\"" }.joined(separator: ", ") + ", or"
        }
        if kind != .business {
            message += message.hasSuffix("or") || message.hasSuffix("Or") ? " " : "; "
            message += "create it with --create-categories"
            if all.isEmpty { message += ", or begin with a set of them: --starter" }
        }
        if let key { messages[key] = message }
        return message
    }

    fileprivate func person(
        _ email: String, in community: Community, _ field: String, _ problems: inout FieldProblems
    ) -> Int? {
        if let person = community.people[email: email] { return person.id }
        if RecordKey(email: email).map(missing.contains) != true {
            problems.add(field, "there is no user with the e-mail address \"\(email.excerpt())\"")
        }
        return nil
    }
}

extension Patch where Value: WritableRecord {
    @specialized(where Value == Business)
    @specialized(where Value == Event)
    mutating func lookUp(
        _ row: TableNames, in lookup: inout NameLookup, _ transaction: inout WriteTransaction,
        _ options: ImportOptions, _ problems: inout FieldProblems
    ) {
        if let calendar = row.calendar { lookUp(calendar, in: &lookup, transaction.community) }
        for reference in Value.references {
            if case .id(let path) = reference.path {
                guard let email = row.email else { continue }
                values[keyPath: path] = lookup.person(email, in: transaction.community, reference.column, &problems)
                continue
            }
            if row.isFromOtherFile { dropUnknown(reference, in: &lookup, options, transaction.community) }
            addDefault(for: reference, options, transaction.community)
            guard let name = reference.slug(in: values) else { continue }
            reference.setSlug(
                lookup.slug(of: name, reference.kind, in: &transaction, reference.field, &problems), in: &values)
        }
        keepOtherDays(than: row.days, in: transaction.community)
        resolve(row.localTimes, options, transaction.community)
    }

    /// The category or event type that new records get.
    private static func defaultTerm(of kind: RecordKind, _ options: ImportOptions) -> String? {
        switch kind {
        case .category: options.category
        case .eventType: options.eventType
        default: nil
        }
    }

    /// Removes the name of a term that does not exist, where another one is given for records without.
    private mutating func dropUnknown(
        _ reference: Reference<Value>, in lookup: inout NameLookup, _ options: ImportOptions, _ community: Community
    ) {
        var ignored = FieldProblems()
        guard Self.defaultTerm(of: reference.kind, options) != nil, let name = reference.slug(in: values),
            lookup.find(name.text, reference.kind, in: community, "", &ignored) == nil
        else { return }
        reference.setSlug(Slug(""), in: &values)
        fields = fields.subtracting([reference.field])
    }

    /// Sets the category or the event type of a new record that has none.
    private mutating func addDefault(for reference: Reference<Value>, _ options: ImportOptions, _ community: Community)
    {
        guard let name = Self.defaultTerm(of: reference.kind, options), reference.slug(in: values)?.isEmpty != false,
            Value.id(of: Slug(values.importKey), in: community) == nil
        else { return }
        reference.setSlug(Slug(name), in: &values)
        fields.insert(reference.field)
    }

    /// Adds the stored hours of the days that have no column in the table.
    private mutating func keepOtherDays(than days: Set<Int>, in community: Community) {
        guard !days.isEmpty, let hours = Value.csvLayout?.hours,
            let id = Value.id(of: Slug(values.importKey), in: community)
        else { return }
        let existing = Value.stored(id, in: community)?.value[keyPath: hours] ?? []
        values[keyPath: hours] += existing.filter { !days.contains($0.dayOfWeek) }
    }

    /// Sets the times on the clocks of an event: those of its own zone, of its business or of the town.
    private mutating func resolve(_ times: [TableNames.LocalTime], _ options: ImportOptions, _ community: Community) {
        guard !times.isEmpty, var event = self as? Patch<Event> else { return }
        let existing = Event.id(of: Slug(values.importKey), in: community).flatMap { Event.stored($0, in: community) }
        let whole = event.applied(to: existing?.value ?? Event())
        let clock = EventClock(now: Timestamp(seconds: 0), zone: options.zone, find: options.findZone)
        let zone = clock.zone(of: whole, at: whole.business.flatMap { community.businesses[$0] })
        for time in times {
            let moment = zone.moment(of: time.date, secondsOfDay: time.secondsOfDay)
            if time.field == "starts_at" { event.values.startsAt = moment } else { event.values.endsAt = moment }
        }
        if let resolved = event as? Self { self = resolved }
    }

    func isConsequence(_ problem: FieldProblem, in lookup: NameLookup) -> Bool {
        guard let reference = Value.references.first(where: { $0.field == problem.field }) else { return false }
        if case .id(let path) = reference.path { return lookup.isMissing(person: values[keyPath: path]) }
        return lookup.isMissing(reference.kind, reference.slug(in: values))
    }
}
