import SookeModel
import Store

extension Town {
    /// Joins a record that was changed in the transaction.
    ///
    /// - Throws: `notFound`, when the transaction itself has deleted the record.
    func joined<Value: WritableRecord>(_ type: Value.Type, id: Int) throws(ServiceError) -> any JoinedRecord {
        guard let record = type.joined(id, in: self) else { throw .notFound(.record(Value.kind)) }
        return record
    }
}

/// A record whose owner may read its history.
protocol OwnedRecord: TableRecord {
    /// Checks that the caller may change the record or submitted it.
    ///
    /// - Parameter slug: the slug in the request.
    func requireHistory(at slug: Slug, for caller: Caller, in town: Town) throws(ServiceError)
}

extension JoinedRecord {
    public var kind: RecordKind { Record.Value.kind }

    public var id: Int { record.id }

    /// The digest of the stored record, by which preconditions compare versions.
    public var digest: UInt64 { record.digest }

    /// Whether the record is visible to a caller.
    func isVisible(to caller: Caller, in town: Town) -> Bool {
        caller.sees(record.value.audience, in: town)
    }
}

extension BusinessRecord: OwnedRecord {
    func requireHistory(at given: Slug, for caller: Caller, in town: Town) throws(ServiceError) {
        try Access.businessOwner.check(caller, slug: slug, in: town)
    }
}

extension EventRecord: OwnedRecord {
    func requireHistory(at given: Slug, for caller: Caller, in town: Town) throws(ServiceError) {
        if value.submittedBy != nil, value.submittedBy == caller.personID { return }
        // By the given slug, because few people know the slug of an event before it was public.
        let slug = town.event(at: given) == nil ? value.slug : given
        try Access.eventReviewer.check(caller, slug: slug, in: town)
    }
}
