import Bytes
import SookeModel

package struct CredentialIndexes: TableIndexes {
    package typealias Record = Credential

    var byDigest = KeyIndex<ByteText, Credential> { ByteText($0.digest) }
    var byPerson = KeyIndex<GroupKey, Credential> { GroupKey(group: $0.person, id: $0.id) }
    var byProposal = KeyIndex<GroupKey, Credential> { GroupKey(group: $0.proposal, id: $0.id) }

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Credential>) {
        visitor.visit(&byDigest)
        visitor.visit(&byPerson)
        visitor.visit(&byProposal)
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
    package func about(business: Int) -> [Credential] { inOrderOfID.filter { $0.business == business } }

    package func referring(to proposal: Int) -> [Credential] {
        indexes.byProposal.records.elements(in: GroupKey.range(of: proposal)).map(\.value)
    }

    package func expired(at now: Timestamp) -> [Credential] {
        inOrderOfID.filter { $0.expiresAt.map { $0 <= now } ?? false }
    }
}
