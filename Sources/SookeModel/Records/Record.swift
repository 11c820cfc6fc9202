import Bytes
import JSON

/// A record of any kind: it is read from the log or a snapshot, and written there.
///
/// That form is the only one in which it is stored; see `Record` for those that are in exports and imports too.
public protocol StoredRecord: Described {
    /// Which kind of record this is.
    static var kind: RecordKind { get }

    /// The record's ID; 0 until the store has given it one.
    var id: Int { get set }
}

extension StoredRecord {
    /// The members that are others in a later record of the same kind; see `writtenDifference(from:)`.
    public func writtenDifference(fromAny after: any StoredRecord) -> [UInt8] {
        guard let after = after as? Self else { preconditionFailure("a record of another kind") }
        return writtenDifference(from: after)
    }

    /// A digest of `written`: the part of a record's entity tag that a change of the record changes.
    public var digest: UInt64 { XXH64.digest(written.span) }
}

/// A record that people see and change: one that is in a dataset.
///
/// The dataset form is that of the log and of a snapshot.
public protocol Record: StoredRecord {
    /// When it was created and changed.
    var times: RecordTimes { get set }
}

extension Record {
    /// Reads the times, which stand beside the fields in a snapshot.
    public mutating func readOther(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool {
        try times.read(name, from: &reader)
    }

    /// Whether another record has the same in the field that a problem is about, such as in `hours` for `hours[2].id`.
    public func hasSame(_ place: String, as other: Self) -> Bool {
        let name = String(place.prefix { $0 != "[" && $0 != "." })
        return Self.fields.index(of: name) != nil && !difference(from: other).contains(name)
    }
}
