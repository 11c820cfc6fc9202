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
}
