import SookeModel

/// Changing records by merge patches: given fields replace the stored ones.
extension WriteTransaction {
    /// Changes a category, an event type, a business or an event.
    ///
    /// A new name does not change the slug. A new slug replaces the old one in all records that refer to this one; a
    /// business, and an event that is public, add the old one to their former slugs. If the slug is given as null, it
    /// is made from the name.
    /// - Returns: the new record. If it is unchanged, no change is recorded.
    /// - Throws: `notFound`; `invalid` with all problems, else `taken` when another record has its slug.
    @discardableResult
    @specialized(where Value == Business)
    public mutating func update<Value: SluggedRecord>(_ id: Int, _ patch: Patch<Value>) throws(WriteError) -> Value {
        guard let existing = Value.find(id, in: town).map(Existing.init) else { throw .notFound }
        let slug = existing.record.slug
        var record = patch.applied(to: existing.record)
        record.id = patch.values.id == 0 ? id : patch.values.id
        record.makeSlugIfEmpty(in: town)
        record.addFormerSlug(of: existing.record)
        try completeWithSlug(&record, after: existing)
        write(record, after: existing)
        if record.slug != slug {
            for mention in existing.record.mentions(in: town, after: record.slug) { append(.put(mention)) }
        }
        return record
    }

    /// Changes a person. Tokens and links that they made for others are deleted when they lose the role of super admin.
    ///
    /// - Returns: the new person. If they are unchanged, no change is recorded.
    /// - Throws: `notFound`; `invalid` with all problems.
    @discardableResult
    public mutating func update(_ id: Int, _ patch: Patch<Person>) throws(WriteError) -> Person {
        guard let existing = town.people[id].map(Existing.init) else { throw .notFound }
        var person = patch.applied(to: existing.record)
        try completeOrThrow(&person, after: existing)
        write(person, after: existing)
        endAuthority(of: existing.record, now: person)
        return town.people[id] ?? person
    }

    /// Deletes the credentials that a person made for others, if they have lost that permission.
    mutating func endAuthority(of before: Person, now after: Person) {
        if before.role == .superAdmin, after.role != .superAdmin { deleteCredentials(madeForOthersBy: after.id) }
    }
}
