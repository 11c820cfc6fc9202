import BTree
import Bytes
import SookeModel

/// The indexes of sessions, API tokens and one-time links.
public struct GrantIndexes: TableIndexes {
    /// The records of the table.
    public typealias Record = Grant

    var byDigest = IDIndex<ByDigest>()
    var byPerson = IDIndex<ByPerson>()

    /// Indexes of no grants.
    public init() {}

    /// Visits each index once.
    public mutating func visit(_ visitor: inout some IndexVisitor<Grant>) {
        visitor.visit(&byDigest)
        visitor.visit(&byPerson)
    }

    enum ByDigest: IndexKey {
        static func key(of record: Grant) -> Slug? { Slug(record.digest) }
    }

    enum ByPerson: IndexKey {
        static func key(of record: Grant) -> GroupKey? { record.person.map { GroupKey(group: $0, id: record.id) } }
    }
}

extension Grant: TableRecord {
    /// The indexes of the table.
    public typealias Indexes = GrantIndexes
}

extension Table<Grant> {
    /// The grant whose secret has a digest, given as 64 hexadecimal digits; one that has expired, too.
    public subscript(digest digest: String) -> Grant? { indexes.byDigest[Slug(digest)].flatMap { byID[$0] } }

    /// The grants of a person, in the order of their IDs.
    public func of(person: Int) -> [Grant] {
        records(with: indexes.byPerson.tree.elements(in: GroupKey.range(of: person)).values)
    }

    /// The grants that have expired at a moment.
    public func expired(at now: Timestamp) -> [Grant] {
        inOrderOfID.filter { $0.expiresAt.map { $0 <= now } ?? false }
    }
}
