import SookeModel

/// A query of people with accounts, by ID.
public struct PersonQuery: Sendable {
    /// Only the person with this e-mail address.
    public var email: String?

    /// All people.
    public init(email: String? = nil) {
        self.email = email
    }
}

extension Town {
    /// A page of the people that match a query, by ID.
    public func page(_ request: PageRequest, of query: PersonQuery) -> Page<Person> {
        guard let email = query.email else { return Candidates(self.people.byID.elements).page(request) }
        return Candidates([self.people[email: email]].compactMap(\.self)).page(request)
    }
}
