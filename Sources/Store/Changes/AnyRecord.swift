import JSON
import SookeModel

/// A record of any kind.
public struct AnyRecord: Sendable, Equatable {
    /// The record itself.
    public let value: any StoredRecord

    /// Wraps a record.
    public init(_ value: any StoredRecord) {
        self.value = value
    }

    /// Reads a record that the store has written.
    init(_ kind: RecordKind, from reader: inout JSONReader) throws(StoredRecordError) {
        self = try Town.Tables.table(of: kind).read(&reader)
    }

    /// The kind of the record.
    public var kind: RecordKind { type(of: value).kind }

    /// Its ID.
    public var id: Int { value.id }

    /// Whether two records have the same kind and the same bytes.
    public static func == (left: AnyRecord, right: AnyRecord) -> Bool {
        left.kind == right.kind && left.value.written == right.value.written
    }
}
