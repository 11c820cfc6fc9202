import JSON
import SookeModel

/// The effect of a commit on one record: its after-image, or its deletion.
///
/// Changes are after-images, so applying one twice has the same effect as applying it once.
public enum Change: Sendable, Equatable {
    /// The record is new or has changed.
    case put(AnyRecord)
    /// The record is deleted.
    case delete(RecordKind, id: Int)

    /// Reads a change that the store has written: `{"business":{…}}` for a new record, `{"business":{…},"was":{…}}` for
    /// an update, `{"deleted":"business","id":3,"was":{…}}`. The before-image is ignored here.
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
