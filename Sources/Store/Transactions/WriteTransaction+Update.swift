import SookeModel

/// Changing records by a merge patch: the fields that are given take the place of those that are there.
extension WriteTransaction {
    /// Changes a category, an event type, a business or an event.
    ///
    /// A new name leaves the slug as it is. A new slug is written into all records that refer to this one by the old
    /// one, which a business and an event that is public keep among their former ones. A slug that is given as null is
    /// made from the name.
    /// - Returns: the record as it is now. One that is as it was before is not noted as a change.
    /// - Throws: `notFound`; `invalid` with everything that is wrong with it, else `taken` when another record has its
    ///   slug.
    @discardableResult
    @specialized(where Value == Business)
    public mutating func update<Value: SluggedRecord>(_ id: Int, _ patch: Patch<Value>) throws(WriteError) -> Value {
        guard let existing = Value.find(id, in: community).map(Existing.init) else { throw .notFound }
        let slug = existing.record.slug
        var record = patch.applied(to: existing.record)
        record.id = patch.values.id == 0 ? id : patch.values.id
        record.makeSlugIfEmpty(in: community)
        record.keepSlug(of: existing.record)
        try completeWithSlug(&record, after: existing)
        write(record, after: existing)
        if record.slug != slug {
            for mention in existing.record.mentions(in: community, after: record.slug) { append(.put(mention)) }
        }
        return record
    }

    /// Changes a person. One who is no super admin any more loses the tokens and links that they made for others.
    ///
    /// - Returns: the person as they are now. One who is as before is not noted as a change.
    /// - Throws: `notFound`; `invalid` with everything that is wrong with them.
    @discardableResult
    public mutating func update(_ id: Int, _ patch: Patch<Person>) throws(WriteError) -> Person {
        guard let existing = community.people[id].map(Existing.init) else { throw .notFound }
        var person = patch.applied(to: existing.record)
        try completeOrRefuse(&person, after: existing)
        write(person, after: existing)
        endAuthority(of: existing.record, now: person)
        return community.people[id] ?? person
    }

    /// Deletes what a person made for others, when they may not make it any more.
    mutating func endAuthority(of before: Person, now after: Person) {
        if before.role == .superAdmin, after.role != .superAdmin { deleteCredentials(madeForOthersBy: after.id) }
    }
}
