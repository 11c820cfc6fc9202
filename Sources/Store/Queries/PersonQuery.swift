import SookeModel

/// A query of people with accounts, by ID.
package struct PersonQuery: Sendable {
    package var email: String?

    package init(email: String? = nil) {
        self.email = email
    }
}

extension Town {
    package func page(_ request: PageRequest, of query: PersonQuery) -> Page<Person> {
        guard let email = query.email else { return Candidates(self.people.byID.elements).page(request) }
        return Candidates([self.people[email: email]].compactMap(\.self)).page(request)
    }
}
