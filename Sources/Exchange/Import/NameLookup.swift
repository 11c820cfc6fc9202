import Bytes
import SookeModel
import Store

/// Resolves the references of records to others, and collects the records that could not be imported.
struct NameLookup {
    /// The slugs of all categories and of all event types, by their names.
    private var terms: [RecordKind: [ByteText: [Slug]]] = [:]
    /// The records that are in the files but not in the town, because they are invalid.
    private var missing: Set<RecordKey> = []
    private var missingPeople: Set<Int> = []

    /// Replaces the names in a row of a table by slugs and IDs. All terms and people must be in the town.
    mutating func lookUp(
        _ names: TableNames, in community: Community, _ patch: inout AnyPatch, _ problems: inout FieldProblems
    ) {
        switch patch {
        case .business(var business):
            if let category = business.values.category {
                business.values.category = slug(of: category, in: community.categories, "category", &problems)
            }
            if let email = names.email {
                business.values.ownerID = person(email, in: community, names.personColumn, &problems)
            }
            keepOtherDays(than: names.days, in: community, &business)
            patch = .business(business)
        case .event(var event):
            event.values.eventType = slug(of: event.values.eventType, in: community.eventTypes, "event_type", &problems)
            if let email = names.email {
                event.values.submittedBy = person(email, in: community, names.personColumn, &problems)
            }
            patch = .event(event)
        case .category, .eventType, .person: break
        }
    }

    /// Adds the stored hours of the days that have no column in the table.
    private func keepOtherDays(than days: Set<Int>, in community: Community, _ business: inout Patch<Business>) {
        guard !days.isEmpty else { return }
        let given = business.values.slug
        let slug = given.isEmpty ? Slug.make(from: business.values.name) : given
        let hours = community.businesses[slug]?.value.hours ?? []
        business.values.hours += hours.filter { !days.contains($0.dayOfWeek) }
    }

    /// Adds a record that could not be imported.
    mutating func insertMissing(_ patch: AnyPatch) {
        if let key = patch.key { missing.insert(key) }
        if patch.kind == .person { missingPeople.insert(patch.id) }
    }

    /// Whether a problem is only that the record refers to a missing one, whose own problem was reported.
    func isConsequence(_ problem: FieldProblem, of patch: AnyPatch) -> Bool {
        switch (patch, problem.field) {
        case (.business(let business), "category"): isMissing(.category, business.values.category)
        case (.business(let business), "owner_id"): isMissing(person: business.values.ownerID)
        case (.event(let event), "event_type"): isMissing(.eventType, event.values.eventType)
        case (.event(let event), "business"): isMissing(.business, event.values.business)
        case (.event(let event), "submitted_by"): isMissing(person: event.values.submittedBy)
        default: false
        }
    }

    private func isMissing(_ kind: RecordKind, _ name: Slug?) -> Bool {
        guard let name else { return false }
        let keys = [RecordKey(kind, name), RecordKey(kind, Slug(""), named: name.text)]
        return keys.contains { $0.map(missing.contains) == true }
    }

    private func isMissing(person: Int?) -> Bool {
        person.map(missingPeople.contains) == true
    }

    /// The slug of the term that a cell refers to by slug or by name; the cell itself when there is no such term.
    private mutating func slug<Vocabulary>(
        of cell: Slug, in table: TermTable<Vocabulary>, _ field: String, _ problems: inout FieldProblems
    ) -> Slug {
        if cell.isEmpty || table[cell] != nil { return cell }
        let kind = Vocabulary.kind
        let byName =
            terms[kind]
            ?? Dictionary(grouping: table.inOrderOfID.map(\.value), by: { ByteText($0.name) })
            .mapValues { $0.map(\.slug) }
        terms[kind] = byName
        guard let slugs = byName[ByteText(cell.text)] else { return cell }
        if slugs.count > 1 {
            let choice = slugs.map { "\"\($0.text)\"" }.joined(separator: " or ")
            problems.add(field, "\"\(cell.text.excerpt())\" is more than one \(kind.label); write \(choice)")
        }
        return slugs[0]
    }

    private func person(
        _ email: String, in community: Community, _ field: String, _ problems: inout FieldProblems
    ) -> Int? {
        if let person = community.people[email: email] { return person.id }
        if RecordKey(email: email).map(missing.contains) != true {
            problems.add(field, "there is no user with the e-mail address \"\(email.excerpt())\"")
        }
        return nil
    }
}
