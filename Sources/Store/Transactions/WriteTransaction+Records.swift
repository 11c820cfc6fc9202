import SookeModel

extension WriteTransaction {
    /// A new name does not change the slug. A new slug replaces the old one in all records that refer to this one; a
    /// business, and an event that is public, add the old one to their former slugs. If the slug is given as null, it
    /// is made from the name.
    ///
    /// - Returns: the new record. If it is unchanged, no change is recorded.
    /// - Throws: `notFound`; `invalid` with all problems, else `taken` when another record has its slug.
    @discardableResult
    @specialized(where Value == Business)
    package mutating func update<Value: WritableRecord>(_ id: Int, _ patch: Patch<Value>) throws(WriteError) -> Value {
        guard let existing = Value.find(id, in: town).map(Existing.init) else { throw .notFound }
        var record = patch.applied(to: existing.record)
        record.id = patch.values.id == 0 ? id : patch.values.id
        record.prepare(after: existing.record, in: town)
        try completeWithSlug(&record, after: existing)
        write(record, after: existing)
        record.changeOthers(after: existing.record, in: &self)
        return record
    }
}

extension WriteTransaction {
    /// - Throws: `inUse` when other records refer to it, `notFound`.
    package mutating func delete<Value: SluggedRecord>(_ record: Value) throws(WriteError) {
        let existing = try stored(Value.self, record.id)
        let uses = existing.mentions(in: town, after: nil).count
        guard uses == 0 else { throw .inUse(count: uses) }
        if let notice = existing as? Notice { setClosures(by: notice, isDeleted: true) }
        append(.delete(Value.kind, id: existing.id))
    }

    /// Deletes a business, with the links that confirm it. Its events stay at its location, as events at a public
    /// place; proposals to change it are displaced.
    package mutating func deleteBusiness(_ id: Int) throws(WriteError) {
        let business = try stored(Business.self, id)
        closeLinksAndProposals(ofBusiness: id)
        remove(business)
    }

    mutating func closeLinksAndProposals(ofBusiness id: Int, movingTo other: Int? = nil) {
        for link in town.credentials.about(business: id) { deleteCredential(link.id) }
        moveProposals(from: id, to: other)
    }

    package mutating func delete(_ kind: RecordKind, _ id: Int) throws(WriteError) {
        switch kind {
        case .category: try delete(stored(Category.self, id))
        case .eventType: try delete(stored(EventType.self, id))
        case .person: try deletePerson(id)
        case .business: try deleteBusiness(id)
        case .event: try deleteEvent(id)
        case .notice: try delete(stored(Notice.self, id))
        default: throw .notFound
        }
    }

    package mutating func deleteEvent(_ id: Int) throws(WriteError) {
        remove(try stored(Event.self, id))
    }

    /// Deletes a person with their password, credentials, receipts, proposals and e-mail, and the credentials that they
    /// made for others. Their businesses and events stay, without owner and submitter.
    package mutating func deletePerson(_ id: Int) throws(WriteError) {
        let person = try stored(Person.self, id)
        deletePassword(of: id)
        for credential in town.credentials.of(person: id) { deleteCredential(credential.id) }
        deleteCredentials(madeForOthersBy: id)
        for receipt in town.receipts.of(person: id) { deleteReceipt(receipt.id) }
        for proposal in town.proposals.of(account: id) { deleteProposal(proposal.id) }
        for mail in town.mails.of(person: id) { deleteMail(mail.id) }
        remove(person)
    }

    private func stored<Value: WritableRecord>(_ type: Value.Type, _ id: Int) throws(WriteError) -> Value {
        guard let record = Value.find(id, in: town) else { throw .notFound }
        return record
    }

    private mutating func remove<Value: WritableRecord>(_ record: Value) {
        for mention in record.mentions(in: town, after: nil) { append(.put(mention)) }
        append(.delete(Value.kind, id: record.id))
    }
}

/// Creating records: a given slug must be free, and a slug from the name is made unique.
extension WriteTransaction {
    /// A former slug that no record has now is free.
    ///
    /// - Throws: `invalid` with all problems, else `taken` when another record has its slug.
    @discardableResult
    package mutating func create<Value: WritableRecord>(_ patch: Patch<Value>) throws(WriteError) -> Value {
        var record = patch.applied(to: Value())
        record.prepare(after: nil, in: town)
        try completeWithSlug(&record, after: nil)
        write(record, after: nil)
        if let notice = record as? Notice { setClosures(by: notice) }
        return record
    }

    /// Completes a record whose slug must be free, and plain unless it is unchanged.
    mutating func completeWithSlug<Value: WritableRecord>(
        _ record: inout Value, after existing: Existing<Value>?
    ) throws(WriteError) {
        var problems = FieldProblems()
        do {
            try complete(&record, after: existing)
        } catch {
            problems = error
        }
        let newSlug = record.ownSlug == existing?.record.ownSlug ? nil : record.ownSlug
        problems.require(newSlug?.isPlain ?? true, "slug", Slug.plainRule)
        guard problems.isEmpty else {
            restoreSequences()
            throw .invalid(problems)
        }
        try requireUnique(record, after: existing)
    }

    /// Checks that no other record has the slug or, for kinds whose names are unique, the name.
    mutating func requireUnique<Value: WritableRecord>(
        _ record: Value, after existing: Existing<Value>?
    ) throws(WriteError) {
        if let slug = record.ownSlug, slug != existing?.record.ownSlug, record.isSlugTaken(in: town) {
            restoreSequences()
            throw .taken(slug: slug)
        }
        if record.isNameTaken(in: town, after: existing?.record) {
            restoreSequences()
            throw .nameTaken(record.label)
        }
    }

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
