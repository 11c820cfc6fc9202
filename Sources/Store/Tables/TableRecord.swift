import Bytes
import JSON
import SookeModel

/// A record as a table stores it: the value that was committed, with what responses and indexes need of it computed
/// once, and the IDs of the records that it refers to.
///
/// Everything that the store has to know of a kind of record is here. To add a kind, add its conformance in a file of
/// its own, and the table to `Community.Tables`.
public protocol TableRecord: Sendable {
    /// The record as the log and a snapshot hold it.
    associatedtype Value: StoredRecord
    /// The indexes of the table.
    associatedtype Indexes: TableIndexes where Indexes.Record == Self

    /// The unique ID; never reused.
    var id: Int { get }

    /// The record itself.
    var value: Value { get }

    /// When the record was created and last changed; not known of a private one.
    var times: RecordTimes { get }

    /// The slug by which other records refer to this one; nil when none can.
    var referenceSlug: Slug? { get }

    /// Whether everybody may read the record.
    var isPublic: Bool { get }

    /// The record in the dataset form.
    var written: [UInt8] { get }

    /// Writes the record in the dataset form.
    func write(to writer: inout JSONWriter)

    /// The form in which a table stores a value.
    ///
    /// - Parameter existing: the record with the same ID that it replaces.
    /// - Throws: when the value refers to a record that the community does not have.
    static func make(_ value: Value, in community: Community, after existing: Self?) throws(InapplicableChange) -> Self

    /// Sets the times of a value that a commit stores.
    static func stamp(_ value: inout Value, after existing: Self?, at moment: Timestamp)

    /// Records the IDs that a value brings as assigned.
    static func recordIDs(of value: Value, in sequences: inout IDSequences)

    /// The records in the order in which a snapshot has them.
    static func inSnapshotOrder(_ table: Table<Self>) -> AnySequence<Self>

    /// Checks that no record of the table refers to another one by a slug that is not its own any more.
    ///
    /// - Parameter target: the record that lost its slug.
    /// - Throws: which record does.
    static func checkReferences(to target: ReferenceTarget, in community: Community) throws(InapplicableChange)
}

/// A record that a commit took its slug from, or deleted.
public struct ReferenceTarget: Sendable, Hashable {
    /// Its kind.
    public let kind: RecordKind
    /// Its ID.
    public let id: Int
}

/// A change does not fit the community it is applied to, such as one that refers to a record that is not there.
public struct InapplicableChange: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String
}

extension TableRecord {
    /// No record refers to most kinds.
    public var referenceSlug: Slug? { nil }

    /// Most kinds are nobody's to read.
    public var isPublic: Bool { false }

    /// Private records have no times.
    public var times: RecordTimes { RecordTimes() }

    /// Private records have no times.
    public static func stamp(_ value: inout Value, after existing: Self?, at moment: Timestamp) {}

    /// Most records have one ID.
    public static func recordIDs(of value: Value, in sequences: inout IDSequences) {
        sequences.record(value.id, of: Value.kind)
    }

    /// Most kinds are in the order of their IDs.
    public static func inSnapshotOrder(_ table: Table<Self>) -> AnySequence<Self> { AnySequence(table.inOrderOfID) }

    /// Most records refer to no other.
    public static func checkReferences(
        to target: ReferenceTarget, in community: Community
    ) throws(InapplicableChange) {}
}

extension TableRecord where Value: SookeModel.Record {
    /// When the record was created and last changed.
    public var times: RecordTimes { value.times }

    /// Sets when a record was created and last changed.
    public static func stamp(_ value: inout Value, after existing: Self?, at moment: Timestamp) {
        value.times = existing?.times.changed(at: moment) ?? RecordTimes(createdAt: moment)
    }
}

extension TableRecord where Value == Self {
    /// The record itself.
    public var value: Self { self }

    /// The record, which is stored as it is.
    public static func make(_ value: Self, in community: Community, after existing: Self?) -> Self { value }
}
