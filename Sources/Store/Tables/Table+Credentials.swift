import Bytes
import SookeModel

package struct CredentialIndexes: TableIndexes {
    package typealias Record = Credential

    var byDigest = KeyIndex<ByDigest>()
    var byPerson = KeyIndex<ByPerson>()
    var byBusiness = KeyIndex<ByBusiness>()
    var byProposal = KeyIndex<ByProposal>()

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Credential>) {
        visitor.visit(&byDigest)
        visitor.visit(&byPerson)
        visitor.visit(&byBusiness)
        visitor.visit(&byProposal)
    }

    enum ByDigest: IndexKey {
        static func key(of record: Credential) -> ByteText? { ByteText(record.digest) }
    }

    enum ByBusiness: IndexKey {
        static func key(of record: Credential) -> GroupKey? {
            record.business.map { GroupKey(group: $0, id: record.id) }
        }
    }

    enum ByProposal: IndexKey {
        static func key(of record: Credential) -> GroupKey? {
            record.proposal.map { GroupKey(group: $0, id: record.id) }
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
    /// The digest is given as 64 hexadecimal digits; the credential may have expired.
    package subscript(digest digest: String) -> Credential? { indexes.byDigest[ByteText(digest)] }

    package func of(person: Int) -> [Credential] {
        indexes.byPerson.records.elements(in: GroupKey.range(of: person)).map(\.value)
    }

    /// The links that confirm a business, and the invitations to own it.
    package func about(business: Int) -> [Credential] {
        indexes.byBusiness.records.elements(in: GroupKey.range(of: business)).map(\.value)
    }

    package func referring(to proposal: Int) -> [Credential] {
        indexes.byProposal.records.elements(in: GroupKey.range(of: proposal)).map(\.value)
    }

    package func expired(at now: Timestamp) -> [Credential] {
        inOrderOfID.filter { $0.expiresAt.map { $0 <= now } ?? false }
    }
}
