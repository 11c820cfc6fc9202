import BTree
import SookeModel

/// The people with accounts, with their indexes.
public struct PeopleTable: Sendable {
    private var byID = BTree<Int, Person>()
    private var byEmail = BTree<Slug, Int>()

    /// How many there are.
    public var count: Int { byID.count }

    /// The person of a number.
    public subscript(id: Int) -> Person? { byID[id] }

    /// Whether there is a person of a number.
    public func has(id: Int) -> Bool { byID.contains(id) }

    /// What the person of a number is in the town; nil when there is no such person.
    public func role(of id: Int) -> Person.Role? { byID.withValue(forKey: id) { $0.role } }

    /// The person who gets mail at an address; letter case does not count.
    public subscript(email email: String) -> Person? {
        // Nobody has a longer one, so that it need not be folded.
        guard email.utf8.count <= Person.longestEmail else { return nil }
        return byEmail[Self.key(email)].flatMap { byID[$0] }
    }

    /// Everybody in the order of their numbers.
    public var inOrderOfID: some Sequence<Person> { byID.lazy.map(\.value) }

    mutating func put(_ person: Person) {
        remove(id: person.id)
        byID.updateValue(person, forKey: person.id)
        byEmail.updateValue(person.id, forKey: Self.key(person.email))
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        byEmail.removeValue(forKey: Self.key(old.email))
    }

    private static func key(_ email: String) -> Slug {
        Slug(String(decoding: CaseFolding.fold(email), as: UTF8.self))
    }
}
