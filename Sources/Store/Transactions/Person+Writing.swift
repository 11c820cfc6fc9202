import SookeModel

extension Person: WritableRecord {
    /// The form in which its table stores it.
    public typealias Stored = Person

    /// The folded e-mail address.
    public var importKey: String { String(decoding: CaseFolding.fold(email), as: UTF8.self) }

    /// Changes the person with the address of a patch, or creates them; see `WriteTransaction.upsert`.
    public static func upsert(
        _ patch: Patch<Person>, in transaction: inout WriteTransaction
    ) throws(FieldProblems) -> WriteTransaction.Effect {
        try transaction.upsert(patch)
    }

    /// Adds a problem for the e-mail address of another person.
    public func checkReferences(in town: Town, _ problems: inout FieldProblems) {
        guard let other = town.people[email: email], other.id != id else { return }
        problems.add("email", "\"\(email)\" is the address of another user")
    }

    /// The businesses that they own or confirmed, and the events that they submitted, without them, for a deletion.
    public func mentions(in town: Town, after slug: Slug?) -> [AnyRecord] {
        let businesses = town.businesses.inOrderOfID.filter { $0.ownerID == id || $0.value.confirmedBy == id }
            .map { record in
                var business = record.value
                if business.ownerID == id { business.ownerID = nil }
                if business.confirmedBy == id { business.confirmedBy = nil }
                return AnyRecord(business)
            }
        let events = town.events.inOrderOfID.filter { $0.value.submittedBy == id }.map { record in
            var event = record.value
            event.submittedBy = nil
            return AnyRecord(event)
        }
        return businesses + events
    }
}
