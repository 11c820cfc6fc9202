import Bytes
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

    /// Notes what breaks the stored invariants: what the server relies on in every record that it reads back from the
    /// log, a snapshot or a backup, such as that a day of the week is one of seven.
    ///
    /// They may only ever be widened, or an acknowledged record would keep a server from starting.
    func validateStored(_ problems: inout FieldProblems)

    /// Reads what a snapshot tells of the record beside its fields.
    ///
    /// - Returns: false when it is no such member, and nothing was read.
    mutating func readBesideFields(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool
}

extension StoredRecord {
    /// Of private records there is nothing beside.
    public mutating func readBesideFields(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool {
        false
    }
}

extension StoredRecord {
    /// Whether two records are the same, byte for byte. `==` of `String` would take other spellings in Unicode for the
    /// same text, and quadratic time for some.
    public static func == (left: Self, right: Self) -> Bool { left.written == right.written }
}

/// A record that people see and change: one that is in a dataset.
///
/// The dataset form is that of the log and of a snapshot.
public protocol Record: StoredRecord {
    /// When it was created and changed.
    var times: RecordTimes { get set }

    /// Takes one field's value over from another record of this kind.
    mutating func take(_ field: Field, from other: Self)

    /// Notes everything that is wrong with a record that a request or an import brings: the stored invariants, and the
    /// input rules, such as how long a text may be. These apply to nothing that is stored already.
    ///
    /// References are the store's to check.
    func validateInput(_ problems: inout FieldProblems)
}

extension Record {
    /// Reads the times; see `StoredRecord`.
    public mutating func readBesideFields(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool {
        try times.read(name, from: &reader)
    }

    /// Whether another record has the same in the field that a problem is about, such as in `hours` for `hours[2].id`.
    public func hasSame(_ place: String, as other: Self) -> Bool {
        let name = place.utf8.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: ".") }
        guard let field = Field.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else { return false }
        var changed = self
        changed.take(field, from: other)
        return changed == self
    }
}

extension StoredRecord {
    /// The record's bytes in the form it is kept in: what two records are compared by.
    public var written: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// A digest of `written`: the part of a record's entity tag that a change of the record changes.
    public var digest: UInt64 { XXH64.digest(written.span) }
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
    /// - Parameter passingOver: unknown members that are passed over without a note.
    /// - Throws: a `JSONError` when the text is not JSON.
    @specialized(where Value == Business)
    public init(
        from reader: inout JSONReader, passingOver: [String] = [], _ problems: inout FieldProblems
    ) throws(JSONError) {
        try reader.readMembers(of: Value.Field.self, passingOver: passingOver, &problems) {
            field, reader, problems throws(JSONError) in
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
