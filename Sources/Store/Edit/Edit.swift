import SookeModel

/// A change of the town under way: what a transaction's body works on.
///
/// An edit starts as the newest version. Each step is checked against the town as the steps before it left it, and is
/// noted as a change for the log. When the body throws, nothing of it remains.
public struct Edit {
    /// The town as the steps so far leave it.
    public private(set) var community: Community
    private(set) var changes: [Change] = []
    /// The highest numbers before the step under way, to go back to when it is refused.
    private var numbersBefore = RecordNumbers()

    /// An edit of a version; one that no store runs changes nothing but itself, as a dry run does.
    public init(_ community: Community) {
        self.community = community
    }

    /// What an upsert came to.
    public enum Effect: Sendable, Equatable {
        /// The record is new.
        case created
        /// The record was there and is now another.
        case updated
        /// The record was there just as it is given.
        case unchanged
    }

    /// Puts a category or an event type in: the one with its slug is changed, or a new one made.
    ///
    /// - Throws: everything that is wrong with it; the town is then as it was.
    @discardableResult
    public mutating func upsert<Vocabulary>(_ patch: Patch<Term<Vocabulary>>) throws(FieldProblems) -> Effect
    where Vocabulary: EditableVocabulary {
        let table = Vocabulary.table(of: community)
        let slug = slug(patch.values.slug, named: patch.values.name)
        let existing = table[slug]?.value
        var term = patch.applied(to: existing ?? Term())
        term.slug = slug
        var problems = FieldProblems()
        identify(&term, existing: existing, isTaken: table[term.id] != nil, &problems)
        return try finish(term, existing: existing, Vocabulary.wrap, &problems)
    }

    /// Puts a person in: the one with their e-mail address is changed, or a new one made.
    ///
    /// - Throws: everything that is wrong with them; the town is then as it was.
    @discardableResult
    public mutating func upsert(_ patch: Patch<Person>) throws(FieldProblems) -> Effect {
        let existing = community.people[email: patch.values.email]
        var person = patch.applied(to: existing ?? Person())
        var problems = FieldProblems()
        identify(&person, existing: existing, isTaken: community.people[person.id] != nil, &problems)
        return try finish(person, existing: existing, AnyRecord.person, &problems)
    }

    /// Puts a business in: the one with its slug is changed, or a new one made.
    ///
    /// - Throws: everything that is wrong with it, references included; the town is then as it was.
    @discardableResult
    public mutating func upsert(_ patch: Patch<Business>) throws(FieldProblems) -> Effect {
        let slug = slug(patch.values.slug, named: patch.values.name)
        let existing = community.businesses[slug]?.value
        var business = patch.applied(to: existing ?? Business())
        business.slug = slug
        var problems = FieldProblems()
        identify(&business, existing: existing, isTaken: community.businesses[business.id] != nil, &problems)
        business.keepNumbers(of: existing, &community.numbers)
        business.putInOrder()
        if let category = business.category, community.categories[category] == nil {
            problems.add("category", Self.unknown("category", category))
        }
        checkPerson(business.ownerID, "owner_id", &problems)
        return try finish(business, existing: existing, AnyRecord.business, &problems)
    }

    /// Puts an event in: the one with its slug is changed, or a new one made.
    ///
    /// - Throws: everything that is wrong with it, references included; the town is then as it was.
    @discardableResult
    public mutating func upsert(_ patch: Patch<Event>) throws(FieldProblems) -> Effect {
        let slug = slug(patch.values.slug, named: patch.values.name)
        let existing = community.events[slug]?.value
        var event = patch.applied(to: existing ?? Event())
        event.slug = slug
        var problems = FieldProblems()
        identify(&event, existing: existing, isTaken: community.events[event.id] != nil, &problems)
        if !event.eventType.isEmpty, community.eventTypes[event.eventType] == nil {
            problems.add("event_type", Self.unknown("event type", event.eventType))
        }
        if let business = event.business, community.businesses[business] == nil {
            problems.add("business", Self.unknown("business", business))
        }
        checkPerson(event.submittedBy, "submitted_by", &problems)
        return try finish(event, existing: existing, AnyRecord.event, &problems)
    }
}

extension Edit {
    /// The slug that is given, else the one the name makes.
    private func slug(_ given: Slug, named name: String) -> Slug {
        given.isEmpty ? Slug.make(from: name) : given
    }

    /// Gives a record its number: that of the record it changes, the one it brings, or the next one.
    private mutating func identify<Value: Record>(
        _ record: inout Value, existing: Value?, isTaken: Bool, _ problems: inout FieldProblems
    ) {
        numbersBefore = community.numbers
        if let existing {
            if record.id != 0, record.id != existing.id {
                problems.add("id", "is \(record.id), but this \(Value.kind.label) has the number \(existing.id) here")
            }
            record.id = existing.id
        } else if record.id == 0 {
            record.id = community.numbers.next(Value.kind)
        } else if isTaken {
            problems.add("id", "\(record.id) belongs to another \(Value.kind.label); leave it out to get a new one")
        }
    }

    private func checkPerson(_ id: Int?, _ field: String, _ problems: inout FieldProblems) {
        guard let id, community.people[id] == nil else { return }
        problems.add(field, "there is no user \(id)")
    }

    private static func unknown(_ what: String, _ slug: Slug) -> String {
        "there is no \(what) \"\(slug.text)\""
    }

    /// Validates the finished record and, when all is right, makes it part of the town.
    private mutating func finish<Value: Record>(
        _ record: Value, existing: Value?, _ wrap: (Value) -> AnyRecord, _ problems: inout FieldProblems
    ) throws(FieldProblems) -> Effect {
        record.validate(&problems)
        guard problems.isEmpty else {
            community.numbers = numbersBefore
            throw problems
        }
        // By bytes: to `==` the two ways to write an accented letter are one.
        if let existing, existing.written == record.written { return .unchanged }
        let change = Change.put(wrap(record))
        do {
            try community.apply(change)
        } catch {
            preconditionFailure("a record that passed validation could not be applied: \(error)")
        }
        changes.append(change)
        return existing == nil ? .created : .updated
    }
}
