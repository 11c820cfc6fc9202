import JSON

/// What every kind of record can do: be read from the log or a snapshot, and written there.
///
/// That form is the only one in which a record is kept; see `Record` for those that are in exports and imports too.
public protocol StoredRecord: Sendable, Equatable {
    /// The names of the record's fields.
    associatedtype Field: RecordField

    /// Which kind of record this is.
    static var kind: RecordKind { get }

    /// The record's number; 0 until the store has given it one.
    var id: Int { get set }

    /// A record with nothing in it, to be filled from its fields.
    init()

    /// Reads one field's value into the record.
    ///
    /// A value of a wrong type or shape is noted in `problems` and passed over.
    /// - Throws: a `JSONError` when the text is not JSON.
    mutating func read(
        _ field: Field, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError)

    /// Writes the record in the form it is read in.
    func write(to writer: inout JSONWriter)
}

/// A record that people see and change: one that is in a dataset.
///
/// The dataset form is that of the log and of a snapshot.
public protocol Record: StoredRecord {
    /// Takes one field's value over from another record of this kind.
    mutating func take(_ field: Field, from other: Self)

    /// Notes everything that is wrong with the record as it stands. References are the store's to check.
    func validate(_ problems: inout FieldProblems)
}

extension StoredRecord {
    /// The record's bytes in the form it is kept in: what two records are compared by.
    public var written: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

/// The fields of a record, by the names they are written with.
public protocol RecordField: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The table that finds a field by its name.
    static var keys: JSONKeys<Self> { get }
}

/// A record of which only some fields are given: a row of a spreadsheet, or a part of an import.
///
/// Fields that are not given are left as they are when the patch is applied to a record.
public struct Patch<Value: Record>: Sendable {
    /// The values of the given fields.
    public var values = Value()
    /// Which fields are given.
    public var fields: FieldSet<Value.Field> = []

    /// A patch that gives no field.
    public init() {}

    /// Reads a JSON object's members as fields.
    ///
    /// Unknown members and values of a wrong type are noted in `problems` and passed over.
    /// - Throws: a `JSONError` when the text is not JSON.
    @specialized(where Value == Business)
    public init(from reader: inout JSONReader, _ problems: inout FieldProblems) throws(JSONError) {
        try reader.readMembers(of: Value.Field.self, &problems) { field, reader, problems throws(JSONError) in
            try values.read(field, from: &reader, &problems)
            fields.insert(field)
        }
    }

    /// The record with the given fields taken over.
    public func applied(to record: Value) -> Value {
        var result = record
        for field in fields { result.take(field, from: values) }
        return result
    }
}
