import Bytes
import JSON
import SookeModel

/// A table of the town without its record type, for code that treats all kinds of record alike.
///
/// It consists of functions for the record type. The compiler specializes those of businesses and events, which are
/// written most.
struct AnyTable: Sendable {
    let kind: RecordKind
    /// The type of the records; nil for a private kind.
    let recordType: (any WritableRecord.Type)?
    let hasRights: Bool
    let count: @Sendable (Town) -> Int
    let read: @Sendable (inout JSONReader) throws(StoredRecordError) -> AnyRecord
    /// Inserts or replaces a record, at the time of a commit.
    let put: @Sendable (AnyRecord, Timestamp?, inout Town) throws(InapplicableChange) -> RecordChange
    let remove: @Sendable (Int, inout Town) -> RecordChange
    /// In the dataset form, or with all fields for a snapshot.
    let lines: @Sendable (Town, _ isSnapshot: Bool) -> AnySequence<[UInt8]>
    let find: @Sendable (Int, Town) -> (any TableRecord)?
    let slice: @Sendable (Town, _ above: Int, _ limit: Int) -> [any StoredRecord]
    let checkReferences: @Sendable (RecordKind, Slug, Town) throws(InapplicableChange) -> Void

    var isPrivate: Bool { !kind.isShared }

    @specialized(where Record == BusinessRecord)
    @specialized(where Record == EventRecord)
    init<Record: TableRecord>(of type: Record.Type) {
        let table = Record.table
        kind = Record.Value.kind
        hasRights = Record.Value.hasRights
        recordType = Record.Value.self as? any WritableRecord.Type
        count = { $0.storage[0][keyPath: table].count }
        read = { reader throws(StoredRecordError) in AnyRecord(try Record.Value(stored: &reader)) }
        put = { record, moment, town throws(InapplicableChange) in
            guard var value = record.value as? Record.Value else { preconditionFailure("a record of another kind") }
            let existing = town.storage[0][keyPath: table][value.id]
            if let moment { Record.stamp(&value, after: existing, at: moment) }
            Record.recordIDs(of: value, in: &town.sequences)
            let stored = try Record.make(value, in: town, after: existing)
            town.storage[0][keyPath: table].put(stored)
            return RecordChange(kind: Record.Value.kind, id: value.id, before: existing, after: stored)
        }
        remove = { id, town in
            let existing = town.storage[0][keyPath: table][id]
            if existing != nil { town.storage[0][keyPath: table].remove(id: id) }
            return RecordChange(kind: Record.Value.kind, id: id, before: existing, after: nil)
        }
        find = { id, town in town.storage[0][keyPath: table][id] }
        slice = { town, above, limit in
            town.storage[0][keyPath: table].byID.elements(from: above + 1).prefix(limit).map(\.value.value)
        }
        lines = { town, isSnapshot in
            let records = town.storage[0][keyPath: table]
            guard isSnapshot else { return AnySequence(records.inOrderOfID.lazy.map(\.value.written)) }
            return AnySequence(
                Record.inSnapshotOrder(records).lazy.map { record in
                    var line = record.value.written
                    record.times.append(to: &line)
                    return line
                })
        }
        checkReferences = Record.checkReferences
    }
}

protocol ErasableTable: Sendable {
    var erased: AnyTable { get }
}

extension Table: ErasableTable {
    var erased: AnyTable { AnyTable(of: Record.self) }
}
