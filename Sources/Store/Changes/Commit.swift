import Bytes
import JSON
import SookeModel

/// What one line of the log says: who changed what and when.
struct Commit: Sendable {
    let at: Timestamp
    let by: Author
    let steps: [Edit.Step]

    /// Appends the members of the line's object that follow its sequence number: `"at":…,"by":…,"changes":[…]`.
    func appendPayload(to line: inout [UInt8]) {
        line.append { writer in
            writer.member("at", at)
            writer.member("by", by.text)
            writer.key("changes")
            writer.beginArray()
            for step in steps { step.write(to: &writer) }
            writer.endArray()
        }
    }

    /// The time of the commit with this payload.
    static func time(of payload: ArraySlice<UInt8>) throws(StoredRecordError) -> Timestamp {
        try read(payload) { reader, _ in try reader.skipValue() }.at
    }

    /// Reads a payload's changes one after the other, each with the time of the commit.
    static func read(
        _ payload: ArraySlice<UInt8>, _ apply: (Change, _ at: Timestamp) throws -> Void
    ) throws(StoredRecordError) {
        _ = try read(payload) { reader, at in
            guard let at else { throw reader.error("a commit whose time follows its changes") }
            try reader.beginArray()
            while try reader.nextElement() { try apply(Change(from: &reader), at) }
        }
    }

    /// Reads a payload, whose changes the caller reads; gives the time and the author of the commit.
    static func read(
        _ payload: ArraySlice<UInt8>, changes: (inout JSONReader, _ at: Timestamp?) throws -> Void
    ) throws(StoredRecordError) -> (at: Timestamp, by: Author) {
        do {
            var reader = JSONReader([UInt8(ascii: "{")] + payload + [UInt8(ascii: "}")], limits: .trusted)
            var at: Timestamp?
            var by = Author.other("")
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "at": at = Timestamp(rfc3339: try reader.readString())
                case "by": by = Author(text: try reader.readString())
                case "changes": try changes(&reader, at)
                default: try reader.skipValue()
                }
            }
            try reader.finish()
            guard let at else { throw reader.error("a commit without its time") }
            return (at, by)
        } catch {
            throw StoredRecordError(error)
        }
    }
}

extension Edit.Step {
    /// The change as the log has it; see `Change`.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch after {
        case .business(let record):
            writer.key(RecordKind.business.rawValue)
            record.write(to: &writer)
        case .other(.put(let record)):
            writer.key(record.kind.rawValue)
            record.write(to: &writer)
        case .other(.delete(let kind, let id)):
            writer.member("deleted", kind.rawValue)
            writer.member("id", id)
        }
        if let was {
            writer.key("was")
            writer.raw(was)
        }
        writer.endObject()
    }
}
