import Bytes
import JSON
import SookeModel

/// A record as a table stores it: the committed value, with the data for responses and indexes computed once, and the
/// IDs of the records that it refers to.
///
/// The store knows a kind of record by this conformance, and by its table in `Town.Tables`; one that is exported is a
/// `WritableRecord` too.
package protocol TableRecord: Sendable {
    associatedtype Value: StoredRecord
    associatedtype Indexes: TableIndexes where Indexes.Record == Self

    static var table: TablePath<Self> { get }

    /// Never reused.
    var id: Int { get }
    var value: Value { get }

    /// Unknown for private records.
    var times: RecordTimes { get }

    /// What paths name it by: its slug, else its ID.
    var pathSegment: String { get }

    var digest: UInt64 { get }
    var isPublic: Bool { get }

    var memory: Int { get }

    /// The record with those whose names its representation contains.
    func joined(in town: Town) -> Joined

    static func make(_ value: Value, in town: Town, after existing: Self?) throws(InapplicableChange) -> Self

    static func stamp(_ value: inout Value, after existing: Self?, at moment: Timestamp)

    static func recordIDs(of value: Value, in sequences: inout IDSequences)
    static func inSnapshotOrder(_ table: Table<Self>) -> AnySequence<Self>

    /// Throws the record of the table that refers to one of a kind by a slug that none of it has.
    static func checkReferences(to kind: RecordKind, _ slug: Slug, in town: Town) throws(InapplicableChange)
}

package typealias TablePath<Record: TableRecord> = WritableKeyPath<Town.Tables, Table<Record>> & Sendable

package struct ReferenceTarget: Sendable, Hashable {
    package let kind: RecordKind
    package let id: Int

    package init(kind: RecordKind, id: Int) { (self.kind, self.id) = (kind, id) }

    /// Such as `business/17`.
    package var name: String { "\(kind.name)/\(id)" }
}

/// A change does not fit the town, for example because it refers to a record that does not exist.
package struct InapplicableChange: Error, CustomStringConvertible {
    package let description: String
}

extension TableRecord {
    package static var table: TablePath<Self> { \.[Value.kind] }

    package var pathSegment: String { value.ownSlug?.text ?? "\(id)" }
    package var isPublic: Bool { value.audience == .everyone }
    package var times: RecordTimes { RecordTimes() }
    package var memory: Int { 512 }
    package var kind: RecordKind { Value.kind }

    package func joined(in town: Town) -> Joined { .plain(self) }

    package static func stamp(_ value: inout Value, after existing: Self?, at moment: Timestamp) {}

    package static func recordIDs(of value: Value, in sequences: inout IDSequences) {
        sequences.record(value.id, in: IDSequences.Sequence(Value.kind))
    }

    package static func inSnapshotOrder(_ table: Table<Self>) -> AnySequence<Self> { AnySequence(table.inOrderOfID) }

    package static func checkReferences(to kind: RecordKind, _ slug: Slug, in town: Town) throws(InapplicableChange) {}
}

extension TableRecord where Value: WritableRecord {
    package static func checkReferences(to kind: RecordKind, _ slug: Slug, in town: Town) throws(InapplicableChange) {
        let references = Value.references.filter { $0.kind == kind }
        if references.isEmpty { return }
        for record in Value.all(in: town) where references.contains(where: { $0.slug(in: record) == slug }) {
            let article = kind.label.first.map("aeiou".contains) == true ? "an" : "a"
            throw InapplicableChange(
                description: "\(Value.kind.label) \(record.id) refers to \(article) \(kind.label) that does not exist")
        }
    }
}

extension TableRecord where Value: SookeModel.Record {
    package var times: RecordTimes { value.times }

    package static func stamp(_ value: inout Value, after existing: Self?, at moment: Timestamp) {
        // One that is created again stays as old as it was.
        let created = RecordTimes(createdAt: value.times.created ?? moment)
        value.times = (existing?.times ?? created).changed(at: moment)
    }
}

extension TableRecord where Value == Self {
    package var value: Self { self }

    package static func make(_ value: Self, in town: Town, after existing: Self?) -> Self { value }
}
