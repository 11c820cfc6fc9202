import Bytes
import JSON
import SookeModel
import Store

protocol AnyPatch: Sendable {
    associatedtype Value: WritableRecord

    var fields: FieldSet<Value> { get }
    var values: Value { get }

    /// Replaces names by slugs and IDs, and resolves what else a row leaves open.
    mutating func lookUp(
        _ row: ImportRow, in lookup: inout NameLookup, _ transaction: inout WriteTransaction,
        _ options: ImportOptions, _ problems: inout FieldProblems)

    mutating func nameApart(_ row: inout ImportRow, in zone: TimeZone)

    /// The missing record has a problem of its own.
    func isConsequence(_ problem: FieldProblem, in lookup: NameLookup) -> Bool

    /// - Parameter byID: also when the stored record has another slug.
    func upsert(byID: Bool, in transaction: inout WriteTransaction) throws(FieldProblems) -> WriteTransaction.Effect
}

extension AnyPatch {
    var kind: RecordKind { Value.kind }
    var id: Int { values.id }
    var name: String { values.label }
    var timeZone: String? { values.timeZone }
    var isOnMap: Bool { Value.isOnMap }
    var key: RecordKey? { RecordKey(Value.kind, values.importKey) }

    /// Nil for a kind without places.
    var hasPlace: Bool? { Value.fields.place.map { fields.contains($0.latitude) } }

    /// Those that are given, such as the owner of a business.
    var fieldsOfPeople: [String] {
        Value.references.filter { $0.kind == .person && fields.contains($0.field) }.map(\.field)
    }

    /// The field with a person, and the column in which tables have an address instead.
    var person: (field: String, column: String)? {
        Value.references.lazy.compactMap { reference in
            if case .id = reference.path { reference.column.map { (reference.field, $0) } } else { nil }
        }.first
    }

    /// The field with a text that distinguishes records of the same name.
    var distinction: String? {
        if case .text(let field, _)? = Value.csvLayout?.distinction { field } else { nil }
    }
}

extension Patch: AnyPatch where Value: WritableRecord {
    func upsert(byID: Bool, in transaction: inout WriteTransaction) throws(FieldProblems) -> WriteTransaction.Effect {
        guard byID, let stored = Value.stored(id, in: transaction.town)?.value,
            !stored.importKey.hasSameBytes(as: values.importKey)
        else { return try transaction.upsert(self) }
        do throws(WriteError) {
            try transaction.update(id, self)
            return .updated
        } catch {
            throw FieldProblems(error)
        }
    }
}

extension FieldProblems {
    fileprivate init(_ error: WriteError) {
        self.init()
        switch error {
        case .invalid(let problems): self = problems
        case .taken(let slug): add("slug", "\"\(slug.text.excerpt())\" is the slug of another record here")
        case .nameTaken(let name): add("name", "\"\(name.excerpt())\" is the name of another record here")
        case .inUse, .notFound: add("id", "is that of a record that cannot be changed")
        }
    }
}

extension WritableRecord {
    /// The times of a record from a snapshot are skipped, because the import creates it.
    static func readPatch(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> any AnyPatch {
        try Patch<Self>(from: &reader, ignoring: RecordTimes.names, &problems)
    }
}

struct RecordKey: Hashable, Sendable {
    let kind: RecordKind
    let text: ByteText

    init?(_ kind: RecordKind, _ text: String) {
        if text.isEmpty { return nil }
        (self.kind, self.text) = (kind, ByteText(text))
    }

    init?(email: String) {
        self.init(.person, String(decoding: CaseFolding.fold(email), as: UTF8.self))
    }
}

extension Patch where Value: WritableRecord {
    @specialized(where Value == Business)
    @specialized(where Value == Event)
    mutating func lookUp(
        _ row: ImportRow, in lookup: inout NameLookup, _ transaction: inout WriteTransaction,
        _ options: ImportOptions, _ problems: inout FieldProblems
    ) {
        for reference in Value.references {
            if case .id(let path) = reference.path {
                guard let email = row.email, let column = reference.column else { continue }
                values[keyPath: path] = lookup.person(email, in: transaction.town, column)
                if values[keyPath: path] == nil { fields = fields.subtracting([reference.field]) }
                continue
            }
            if row.isForeign { dropUnknown(reference, in: &lookup, options, transaction.town) }
            addDefault(for: reference, options, transaction.town)
            guard let name = reference.slug(in: values) else { continue }
            reference.setSlug(
                lookup.slug(of: name, reference.kind, in: &transaction, reference.field, &problems), in: &values)
        }
        if let plain = row.plainSlug { keepSlug(plain, options, transaction.town) }
        keepOtherDays(than: row.days, in: transaction.town)
    }

    /// Where another term is given for records without one.
    private mutating func dropUnknown(
        _ reference: Reference<Value>, in lookup: inout NameLookup, _ options: ImportOptions, _ town: Town
    ) {
        guard options.term(of: reference.kind) != nil, let name = reference.slug(in: values),
            lookup.slugs(named: name.text, reference.kind, in: town).isEmpty
        else { return }
        reference.setSlug(Slug(""), in: &values)
        fields = fields.subtracting([reference.field])
    }

    private mutating func addDefault(for reference: Reference<Value>, _ options: ImportOptions, _ town: Town) {
        guard let name = options.term(of: reference.kind), reference.slug(in: values)?.isEmpty != false
        else { return }
        guard Value.id(of: Slug(values.importKey), in: town) == nil else {
            // An empty cell of a record that got the default before.
            fields = fields.subtracting([reference.field])
            return
        }
        reference.setSlug(Slug(name), in: &values)
        fields.insert(reference.field)
    }

    /// The plain slug may be that of the same record: a business with its address, an event on its day.
    private mutating func keepSlug(
        _ plain: Slug, _ options: ImportOptions, _ town: Town
    ) {
        guard let distinction = Value.csvLayout?.distinction, let id = Value.id(of: plain, in: town),
            let stored = Value.stored(id, in: town)?.value
        else { return }
        switch distinction {
        case .text(_, let path):
            guard stored[keyPath: path].hasSameBytes(as: values[keyPath: path]) else { return }
        case .day(let path):
            guard let start = values[keyPath: path], options.zone.localTime(start).date == stored[keyPath: path]?.date
            else { return }
        }
        values.ownSlug = plain
    }

    mutating func nameApart(_ row: inout ImportRow, in zone: TimeZone) {
        guard let distinction = Value.csvLayout?.distinction, let field = Value.fields.index(of: "slug") else { return }
        let plain = Slug.make(from: values.label)
        switch distinction {
        case .text(_, let path): values.ownSlug = Slug.make(from: "\(values.label) \(values[keyPath: path])")
        case .day(let path):
            guard let date = values[keyPath: path].map({ zone.localTime($0).date }) else { return }
            values.ownSlug = Slug("\(plain.text)-\(date.text)")
        }
        row.plainSlug = plain
        fields.insert(field)
    }

    /// Those of the days that have no column in the table.
    private mutating func keepOtherDays(than days: Set<Int>, in town: Town) {
        guard !days.isEmpty, let hours = Value.csvLayout?.hours,
            let id = Value.id(of: Slug(values.importKey), in: town)
        else { return }
        let existing = Value.stored(id, in: town)?.value[keyPath: hours] ?? []
        values[keyPath: hours] += existing.filter { !days.contains($0.dayOfWeek) }
    }

    func isConsequence(_ problem: FieldProblem, in lookup: NameLookup) -> Bool {
        guard let reference = Value.references.first(where: { $0.field == problem.field }) else { return false }
        if case .id(let path) = reference.path { return lookup.isMissing(person: values[keyPath: path]) }
        return lookup.isMissing(reference.kind, reference.slug(in: values))
    }
}
