import Bytes
import SookeModel
import Store

/// Resolves the references of records to others, and collects the records that could not be imported.
struct NameLookup {
    /// The terms of a vocabulary.
    private struct Terms {
        var slugs: Set<Slug> = []
        var slugsByName: [ByteText: [Slug]] = [:]
    }

    /// The terms of all categories and of all event types.
    private var terms: [RecordKind: Terms] = [:]
    /// The records that are in the files but not in the town, because they are invalid.
    private var missing: Set<RecordKey> = []
    private var missingPeople: Set<Int> = []

    /// Adds a record that could not be imported.
    mutating func insertMissing(_ patch: any AnyPatch) {
        if let key = patch.key { missing.insert(key) }
        if patch.kind == .person { missingPeople.insert(patch.id) }
    }

    fileprivate func isMissing(_ kind: RecordKind, _ name: Slug?) -> Bool {
        guard let name else { return false }
        let keys = [RecordKey(kind, name.text), RecordKey(kind, Slug.make(from: name.text).text)]
        return keys.contains { $0.map(missing.contains) == true }
    }

    fileprivate func isMissing(person: Int?) -> Bool {
        person.map(missingPeople.contains) == true
    }

    /// The slug of the term that a cell refers to by slug or by name; the cell itself when there is no such term. All
    /// terms must be in the town.
    fileprivate mutating func slug(
        of cell: Slug, _ kind: RecordKind, in community: Community, _ field: String, _ problems: inout FieldProblems
    ) -> Slug {
        let known = terms[kind] ?? Community.recordType(of: kind).map { Self.terms($0, in: community) } ?? Terms()
        terms[kind] = known
        if cell.isEmpty || known.slugs.contains(cell) { return cell }
        guard let slugs = known.slugsByName[ByteText(cell.text)] else { return cell }
        if slugs.count > 1 {
            let choice = slugs.map { "\"\($0.text)\"" }.joined(separator: " or ")
            problems.add(field, "\"\(cell.text.excerpt())\" is more than one \(kind.label); write \(choice)")
        }
        return slugs[0]
    }

    private static func terms<Value: WritableRecord>(_ type: Value.Type, in community: Community) -> Terms {
        var terms = Terms()
        for case let record as any SluggedRecord in type.all(in: community) {
            terms.slugs.insert(record.slug)
            terms.slugsByName[ByteText(record.name), default: []].append(record.slug)
        }
        return terms
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
    mutating func lookUp(
        _ row: TableNames, in lookup: inout NameLookup, _ community: Community, _ problems: inout FieldProblems
    ) {
        for reference in Value.references {
            if case .id(let path) = reference.path {
                guard let email = row.email else { continue }
                values[keyPath: path] = lookup.person(email, in: community, reference.column, &problems)
            } else if reference.allowsName, let name = reference.slug(in: values) {
                reference.setSlug(
                    lookup.slug(of: name, reference.kind, in: community, reference.field, &problems), in: &values)
            }
        }
        keepOtherDays(than: row.days, in: community)
    }

    /// Adds the stored hours of the days that have no column in the table.
    private mutating func keepOtherDays(than days: Set<Int>, in community: Community) {
        guard !days.isEmpty, let hours = Value.csvLayout?.hours,
            let id = Value.id(of: Slug(values.importKey), in: community)
        else { return }
        let existing = Value.stored(id, in: community)?.value[keyPath: hours] ?? []
        values[keyPath: hours] += existing.filter { !days.contains($0.dayOfWeek) }
    }

    func isConsequence(_ problem: FieldProblem, in lookup: NameLookup) -> Bool {
        guard let reference = Value.references.first(where: { $0.field == problem.field }) else { return false }
        if case .id(let path) = reference.path { return lookup.isMissing(person: values[keyPath: path]) }
        return lookup.isMissing(reference.kind, reference.slug(in: values))
    }
}
