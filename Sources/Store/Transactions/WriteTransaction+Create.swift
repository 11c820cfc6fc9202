import SookeModel

/// Making records, as people do it: a slug that is given must be free, one that is made from the name is made unique.
extension WriteTransaction {
    /// Makes a category, an event type, a business or an event.
    ///
    /// A slug that a record had before, and no record has now, is free.
    /// - Returns: the record with its number and slug.
    /// - Throws: `invalid` with everything that is wrong with it, else `taken` when another record has its slug.
    @discardableResult
    public mutating func create<Value: SluggedRecord>(_ patch: Patch<Value>) throws(WriteError) -> Value {
        var record = patch.applied(to: Value())
        record.makeSlugIfEmpty(in: community)
        try completeWithSlug(&record, after: nil)
        write(record, after: nil)
        return record
    }

    /// Makes a person.
    ///
    /// - Returns: the person with their number.
    /// - Throws: `invalid` with everything that is wrong with them, an address that is somebody else's included.
    @discardableResult
    public mutating func create(_ patch: Patch<Person>) throws(WriteError) -> Person {
        var person = patch.applied(to: Person())
        try completeOrRefuse(&person, after: nil)
        write(person, after: nil)
        return community.people[person.id] ?? person
    }

    /// Completes a record whose slug nobody else may have, and which is plain unless it stays as it was.
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
        guard record.slug == existing?.record.slug || !record.isSlugTaken(in: community) else {
            restoreSequences()
            throw .taken(slug: record.slug)
        }
        if record.isNameTaken(in: community, after: existing?.record) {
            restoreSequences()
            throw .nameTaken(record.name)
        }
    }

    /// Completes a record, with its problems as the error of a transaction.
    mutating func completeOrRefuse<Value: WritableRecord>(
        _ record: inout Value, after existing: Existing<Value>?
    ) throws(WriteError) {
        do {
            try complete(&record, after: existing)
        } catch {
            throw .invalid(error)
        }
    }
}
