import Bytes
import JSON

/// The times when a record was created and last changed, which are the times of the commits. They are not known for
/// records that an earlier version of this program stored.
///
/// They are not fields of the record. They follow from the log, and are in snapshots but not in exports.
public struct RecordTimes: Sendable, Hashable {
    public var created: Timestamp?
    public var updated: Timestamp?

    public init() {}

    public init(createdAt moment: Timestamp) {
        (created, updated) = (moment, moment)
    }

    public func changed(at moment: Timestamp) -> RecordTimes {
        var times = self
        times.updated = moment
        return times
    }

    public static let names = ["created_at", "updated_at"]

    /// Returns whether it is one of the two members.
    mutating func read(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool {
        guard let index = Self.names.firstIndex(where: { $0.hasSameBytes(as: name) }) else { return false }
        guard let time = Timestamp(rfc3339: try reader.readString()) else { throw reader.error("no time") }
        if index == 0 { created = time } else { updated = time }
        return true
    }

    /// Appends the known members to an object that ends with its brace.
    public func append(to object: inout [UInt8]) {
        for (name, time) in zip(Self.names, [created, updated]) {
            guard let time else { continue }
            object.removeLast()
            object.append(utf8: ",\"\(name)\":\"")
            object.append(rfc3339: time)
            object.append("\"}")
        }
    }
}
