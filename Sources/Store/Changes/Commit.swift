import Bytes
import JSON

/// What one line of the log says: who changed what and when.
struct Commit: Sendable {
    let at: Timestamp
    let by: Author
    let steps: [Edit.Step]

    /// The members of the line's object that follow its sequence number: `"at":…,"by":…,"changes":[…]`.
    var payload: [UInt8] {
        // About what a business with its hours takes.
        var changes = JSONWriter(reservingCapacity: 2048 * min(steps.count, 512))
        changes.beginArray()
        for step in steps { step.change.write(to: &changes, encoded: step.business) }
        changes.endArray()
        var text: [UInt8] = []
        text.reserveCapacity(changes.bytes.count + 128)
        text.append("\"at\":\"")
        text.append(rfc3339: at)
        text.append("\",\"by\":")
        text.append(json: by.text)
        text.append(",\"changes\":")
        text.append(contentsOf: changes.bytes)
        return text
    }

    /// The time of the commit with this payload.
    static func time(of payload: ArraySlice<UInt8>) throws(StoredRecordError) -> Timestamp {
        try read(payload) { reader in try reader.skipValue() }.at
    }

    /// Reads a payload's changes one after the other; gives the time of the commit.
    static func read(
        _ payload: ArraySlice<UInt8>, _ apply: (Change) throws -> Void
    ) throws(StoredRecordError) -> Timestamp {
        try read(payload) { reader in
            try reader.beginArray()
            while try reader.nextElement() { try apply(Change(from: &reader)) }
        }.at
    }

    /// Reads a payload, whose changes the caller reads; gives the time and the author of the commit.
    static func read(
        _ payload: ArraySlice<UInt8>, changes: (inout JSONReader) throws -> Void
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
                case "changes": try changes(&reader)
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
