import Bytes
import JSON

/// A record of any kind, as in the log and in snapshots.
///
/// Private records have only this form; see `Record` for those in exports and imports.
public protocol StoredRecord: Described {
    /// The kind of record.
    static var kind: RecordKind { get }

    /// The unique ID; 0 until the store has assigned it.
    var id: Int { get set }
}

extension StoredRecord {
    /// The members that differ in a later record of the same kind; see `writtenDifference(from:)`.
    public func writtenDifference(fromAny after: any StoredRecord) -> [UInt8] {
        guard let after = after as? Self else { preconditionFailure("a record of another kind") }
        return writtenDifference(from: after)
    }

    /// A digest of `written`: the part of the entity tag that changes with the record.
    public var digest: UInt64 { XXH64.digest(written.span) }
}

/// A record that is in datasets, and that clients read and change.
///
/// The dataset form is that of the log and of snapshots.
public protocol Record: StoredRecord {
    /// The times of creation and of the last change.
    var times: RecordTimes { get set }

    /// Sets the fields that follow from others, after a patch has given some.
    mutating func derive(from given: FieldSet<Self>)

    /// Its references to other records.
    static var references: [Reference<Self>] { get }

    /// The layout of a table of such records in a CSV file; nil for records that have none.
    static var csvLayout: CSVLayout<Self>? { get }
}

extension Record {
    /// Most fields do not follow from others.
    public mutating func derive(from given: FieldSet<Self>) {}

    /// Most records refer to no other.
    public static var references: [Reference<Self>] { [] }

    /// Most records have no table in a CSV file.
    public static var csvLayout: CSVLayout<Self>? { nil }

    /// Reads the times, which follow the fields in a snapshot.
    public mutating func readOther(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool {
        try times.read(name, from: &reader)
    }

    /// Whether another record has the same value in the field of a problem, such as in `hours` for `hours[2].id`.
    public func hasSame(_ place: String, as other: Self) -> Bool {
        let name = String(place.prefix { $0 != "[" && $0 != "." })
        return Self.fields.index(of: name) != nil && !difference(from: other).contains(name)
    }

    /// Adds violations of the input rules. A violation in a field that the change leaves as it was is ignored, because
    /// it was valid when it was stored.
    public func validateInput(after existing: @autoclosure () -> Self?, _ problems: inout FieldProblems) {
        var found = FieldProblems()
        validateInput(&found)
        if found.isEmpty { return }
        let existing = existing()
        var before = FieldProblems()
        existing?.validateInput(&before)
        for problem in found.all {
            let wasThere = before.all.contains { $0.field.hasSameBytes(as: problem.field) }
            if wasThere, let existing, hasSame(problem.field, as: existing) { continue }
            problems.add(problem.field, problem.message)
        }
    }
}
