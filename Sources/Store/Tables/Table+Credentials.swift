import BTree
import Bytes
import SookeModel

/// The indexes of sessions, API tokens and one-time links.
package struct CredentialIndexes: TableIndexes {
    package typealias Record = Credential

    var byDigest = IDIndex<ByDigest>()
    var byPerson = IDIndex<ByPerson>()
    /// The links that confirm a business.
    var byBusiness = IDIndex<ByBusiness>()

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Credential>) {
        visitor.visit(&byDigest)
        visitor.visit(&byPerson)
        visitor.visit(&byBusiness)
    }

    enum ByDigest: IndexKey {
        static func key(of record: Credential) -> ByteText? { ByteText(record.digest) }
    }

    enum ByBusiness: IndexKey {
        static func key(of record: Credential) -> GroupKey? {
            record.business.map { GroupKey(group: $0, id: record.id) }
        }
    }

    enum ByPerson: IndexKey {
        static func key(of record: Credential) -> GroupKey? { record.person.map { GroupKey(group: $0, id: record.id) } }
    }
}

extension Credential: TableRecord {
    package static var table: TablePath<Credential> { \.credentials }

    package typealias Indexes = CredentialIndexes
}

extension Table<Credential> {
    /// The credential whose secret has a digest, given as 64 hexadecimal digits; it may have expired.
    package subscript(digest digest: String) -> Credential? { indexes.byDigest[ByteText(digest)].flatMap { byID[$0] } }

    /// The credentials of a person, in the order of their IDs.
    package func of(person: Int) -> [Credential] {
        records(with: indexes.byPerson.tree.elements(in: GroupKey.range(of: person)).values)
    }

    /// The links that confirm a business, in the order of their IDs.
    package func confirming(_ business: Int) -> [Credential] {
        records(with: indexes.byBusiness.tree.elements(in: GroupKey.range(of: business)).values)
    }

    /// The credentials that have expired at a moment.
    package func expired(at now: Timestamp) -> [Credential] {
        inOrderOfID.filter { $0.expiresAt.map { $0 <= now } ?? false }
    }
}
