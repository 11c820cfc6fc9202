import BTree
import SookeModel

/// The indexes of the people with accounts.
public struct PersonIndexes: TableIndexes {
    /// The records of the table.
    public typealias Record = Person

    var byEmail = IDIndex<ByEmail>()

    /// Indexes of no people.
    public init() {}

    /// Visits each index once.
    public mutating func visit(_ visitor: inout some IndexVisitor<Person>) {
        visitor.visit(&byEmail)
    }

    /// The folded address.
    enum ByEmail: IndexKey {
        static func key(of record: Person) -> ByteText? { key(record.email) }

        static func key(_ email: String) -> ByteText {
            ByteText(String(decoding: CaseFolding.fold(email), as: UTF8.self))
        }
    }
}

extension Person: TableRecord {
    /// The table.
    public static var table: TablePath<Person> { \.people }

    /// The indexes of the table.
    public typealias Indexes = PersonIndexes
}

extension Table<Person> {
    /// The role of the person with an ID; nil when there is no such person.
    public func role(of id: Int) -> Person.Role? { byID.withValue(forKey: id) { $0.role } }

    /// The person with an e-mail address, ignoring case.
    public subscript(email email: String) -> Person? {
        // There are no longer addresses, so it need not be folded.
        guard email.utf8.count <= Person.longestEmail else { return nil }
        return indexes.byEmail[PersonIndexes.ByEmail.key(email)].flatMap { byID[$0] }
    }
}

/// A password has the ID of its person.
extension PasswordRecord: TableRecord {
    /// The table.
    public static var table: TablePath<PasswordRecord> { \.passwords }

    /// Passwords are only queried by ID.
    public typealias Indexes = NoIndexes<PasswordRecord>

    /// A password has no ID of its own.
    public static func recordIDs(of value: PasswordRecord, in sequences: inout IDSequences) {}
}
