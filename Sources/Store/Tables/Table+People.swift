import SookeModel

package struct PersonIndexes: TableIndexes {
    package typealias Record = Person

    var byEmail = KeyIndex<ByteText, Person> { Self.key($0.email) }

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Person>) {
        visitor.visit(&byEmail)
    }

    static func key(_ email: String) -> ByteText {
        ByteText(String(decoding: CaseFolding.fold(email), as: UTF8.self))
    }
}

extension Person: TableRecord {
    package static var table: TablePath<Person> { \.people }

    package typealias Indexes = PersonIndexes
}

extension Table<Person> {
    package func role(of id: Int) -> Person.Role? { byID[id]?.role }

    package subscript(email email: String) -> Person? {
        // There are no longer addresses, so it need not be folded.
        guard email.utf8.count <= Person.longestEmail else { return nil }
        return indexes.byEmail[PersonIndexes.key(email)]
    }
}

extension PasswordRecord: TableRecord {
    package static var table: TablePath<PasswordRecord> { \.passwords }

    package typealias Indexes = NoIndexes<PasswordRecord>

    /// A password has the ID of its person.
    package static func recordIDs(of value: PasswordRecord, in sequences: inout IDSequences) {}
}

package struct PersonQuery: Sendable {
    package var email: String?

    package init(email: String? = nil) {
        self.email = email
    }
}

extension Town {
    package func page(_ request: PageRequest, of query: PersonQuery) -> Page<Person> {
        guard let email = query.email else { return Candidates(self.people.byID, \.value).page(request) }
        return Candidates([self.people[email: email]].compactMap(\.self)).page(request)
    }
}
