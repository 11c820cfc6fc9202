import SookeModel

/// Creating records: a given slug must be free, and a slug from the name is made unique.
extension WriteTransaction {
    /// Creates a category, an event type, a business or an event.
    ///
    /// A former slug that no record has now is free.
    /// - Returns: the record with its ID and slug.
    /// - Throws: `invalid` with all problems, else `taken` when another record has its slug.
    @discardableResult
    public mutating func create<Value: SluggedRecord>(_ patch: Patch<Value>) throws(WriteError) -> Value {
        var record = patch.applied(to: Value())
        record.makeSlugIfEmpty(in: town)
        try completeWithSlug(&record, after: nil)
        write(record, after: nil)
        return record
    }

    /// Creates a person.
    ///
    /// - Returns: the person with their ID.
    /// - Throws: `invalid` with all problems, including an address that another person has.
    @discardableResult
    public mutating func create(_ patch: Patch<Person>) throws(WriteError) -> Person {
        var person = patch.applied(to: Person())
        try completeOrThrow(&person, after: nil)
        write(person, after: nil)
        return town.people[person.id] ?? person
    }

    /// Completes a record whose slug must be free, and plain unless it is unchanged.
    mutating func completeWithSlug<Value: SluggedRecord>(
        _ record: inout Value, after existing: Existing<Value>?
    ) throws(WriteError) {
        var problems = FieldProblems()
        do {
            try complete(&record, after: existing)
        } catch {
            problems = error
        }
        problems.require(record.slug == existing?.record.slug || record.slug.isPlain, "slug", Slug.plainRule)
        guard problems.isEmpty else {
            restoreSequences()
            throw .invalid(problems)
        }
        guard record.slug == existing?.record.slug || !record.isSlugTaken(in: town) else {
            restoreSequences()
            throw .taken(slug: record.slug)
        }
        if record.isNameTaken(in: town, after: existing?.record) {
            restoreSequences()
            throw .nameTaken(record.name)
        }
    }

    /// Completes a record, with its problems as a `WriteError`.
    mutating func completeOrThrow<Value: WritableRecord>(
        _ record: inout Value, after existing: Existing<Value>?
    ) throws(WriteError) {
        do {
            try complete(&record, after: existing)
        } catch {
            throw .invalid(error)
        }
    }
}
