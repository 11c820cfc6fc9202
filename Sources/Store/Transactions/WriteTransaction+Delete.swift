import SookeModel

/// Deleting records, and updating the records that refer to them.
extension WriteTransaction {
    /// Deletes a record that no other one refers to, such as a category.
    ///
    /// - Throws: `inUse` when others do, `notFound`.
    public mutating func delete<Value: SluggedRecord>(_ record: Value) throws(WriteError) {
        let existing = try stored(Value.self, record.id)
        let uses = existing.mentions(in: town, after: nil).count
        guard uses == 0 else { throw .inUse(count: uses) }
        append(.delete(Value.kind, id: existing.id))
    }

    /// Deletes a business, with the links that confirm it. Its events stay at its location, as events at a public place.
    ///
    /// - Throws: `notFound`.
    public mutating func deleteBusiness(_ id: Int) throws(WriteError) {
        let business = try stored(Business.self, id)
        for link in town.credentials.confirming(id) { deleteCredential(link.id) }
        remove(business)
    }

    /// Deletes an event.
    ///
    /// - Throws: `notFound`.
    public mutating func deleteEvent(_ id: Int) throws(WriteError) {
        remove(try stored(Event.self, id))
    }

    /// Deletes a person with their password, credentials and receipts, and the credentials that they made for others.
    /// Their businesses and events stay, without owner and submitter.
    ///
    /// - Throws: `notFound`.
    public mutating func deletePerson(_ id: Int) throws(WriteError) {
        let person = try stored(Person.self, id)
        deletePassword(of: id)
        for credential in town.credentials.of(person: id) { deleteCredential(credential.id) }
        deleteCredentials(madeForOthersBy: id)
        for receipt in town.receipts.of(person: id) { deleteReceipt(receipt.id) }
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
