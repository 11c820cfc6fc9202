import BTree
import Bytes
import SookeModel

/// What opens doors, with the indexes that find it.
public struct GrantTable: Sendable {
    private var byID = BTree<Int, Grant>()
    private var byDigest = BTree<Slug, Int>()
    private var byPerson = BTree<PersonKey, Void>()

    /// How many there are, those that have expired included.
    public var count: Int { byID.count }

    /// The grant of a number.
    public subscript(id: Int) -> Grant? { byID[id] }

    /// Whether there is a grant of a number.
    public func has(id: Int) -> Bool { byID.contains(id) }

    /// The grant whose secret has a digest, given as 64 hexadecimal digits; whether it has expired is not looked at.
    public subscript(digest digest: String) -> Grant? { byDigest[Slug(digest)].flatMap { byID[$0] } }

    /// The grants that let a person in, in the order of their numbers.
    public func of(person: Int) -> [Grant] {
        let keys = PersonKey(person: person, id: .min)..<PersonKey(person: person, id: .max)
        return byPerson.elements(in: keys).compactMap { byID[$0.key.id] }
    }

    /// The grants that are no good any more at a moment.
    public func expired(at now: Timestamp) -> [Grant] {
        byID.lazy.map(\.value).filter { $0.expiresAt.map { $0 <= now } ?? false }
    }

    /// All grants in the order of their numbers.
    public var inOrderOfID: some Sequence<Grant> { byID.lazy.map(\.value) }

    mutating func put(_ grant: Grant) {
        remove(id: grant.id)
        byID.updateValue(grant, forKey: grant.id)
        byDigest.updateValue(grant.id, forKey: Slug(grant.digest))
        if let person = grant.person { byPerson.updateValue((), forKey: PersonKey(person: person, id: grant.id)) }
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        byDigest.removeValue(forKey: Slug(old.digest))
        if let person = old.person { byPerson.removeValue(forKey: PersonKey(person: person, id: id)) }
    }
}

private struct PersonKey: Comparable, Sendable {
    let person: Int
    let id: Int

    static func < (left: PersonKey, right: PersonKey) -> Bool {
        (left.person, left.id) < (right.person, right.id)
    }
}
