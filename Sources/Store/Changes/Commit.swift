import Bytes
import JSON
import SookeModel

/// A line of the log: the changes, their author and time.
struct Commit: Sendable {
    let at: Timestamp
    let by: Author
    let changes: [RecordChange]

    /// Appends the members of the line's object that follow its sequence number: `"at":…,"by":…,"changes":[…]`.
    func appendPayload(to line: inout [UInt8]) {
        line.append { writer in
            writer.member("at", at)
            writer.member("by", by.text)
            writer.key("changes")
            writer.beginArray()
            for change in changes { change.write(to: &writer) }
            writer.endArray()
        }
    }

    /// The time of the commit with this payload.
    static func time(of payload: ArraySlice<UInt8>) throws(StoredRecordError) -> Timestamp {
        try read(payload) { reader, _ in try reader.skipValue() }.at
    }

    /// Reads the changes of a payload in order, each with the time of the commit.
    static func read(
        _ payload: ArraySlice<UInt8>, _ apply: (Change, _ at: Timestamp) throws -> Void
    ) throws(StoredRecordError) {
        _ = try read(payload) { reader, at in
            guard let at else { throw reader.error("a commit whose time follows its changes") }
            try reader.beginArray()
            while try reader.nextElement() { try apply(Change(from: &reader), at) }
        }
    }

    /// Reads a payload; the caller reads the changes. Returns the time and the author of the commit.
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
