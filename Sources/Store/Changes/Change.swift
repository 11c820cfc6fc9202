import JSON
import SookeModel

/// What one commit does to one record: the record as it is afterwards, or that it is gone.
///
/// Changes are after-images, so to apply one twice is to apply it once.
public enum Change: Sendable, Equatable {
    /// The record is new, or is now this.
    case put(AnyRecord)
    /// The record is gone.
    case delete(RecordKind, id: Int)

    /// Reads a change that the store itself has written: `{"business":{…}}` for a new record,
    /// `{"business":{…},"was":{…}}` for one that was there, `{"deleted":"business","id":3,"was":{…}}`. What was before
    /// does not matter here.
    init(from reader: inout JSONReader) throws(StoredRecordError) {
        do {
            try reader.beginObject()
            let name = try reader.nextKey()
            if let kind = name.flatMap(RecordKind.init(named:)) {
                self = .put(try AnyRecord(kind, from: &reader))
            } else {
                guard name == "deleted", let kind = RecordKind(named: try reader.readString()),
                    try reader.nextKey() == "id"
                else { throw reader.error("a change names no known kind of record") }
                self = .delete(kind, id: try reader.readInt())
            }
            guard let more = try reader.nextKey() else { return }
            guard more == "was" else { throw reader.error("a change has a member too many") }
            try reader.skipValue()
            guard try reader.nextKey() == nil else { throw reader.error("a change has a member too many") }
        } catch {
            throw StoredRecordError(error)
        }
    }
}
