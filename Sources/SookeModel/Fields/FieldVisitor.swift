import JSON

/// A type that is described once, by a visit of its fields: a record, or a part of one such as a menu.
///
/// The visit is the only place that lists the fields. Visitors read, write, compare, validate and patch a value, and
/// collect the descriptions from which the API, its schema and the columns of tables follow. In the program that is
/// shipped, the compiler specializes a visit for each visitor, and the key paths become accesses to memory.
public protocol Described: Sendable, Equatable {
    /// A value with nothing in it, to be filled from its fields.
    init()

    /// Its fields, as `FieldTable(of:)` collects them.
    static var fields: FieldTable { get }

    /// Visits each field, in the order in which they are written.
    static func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Subject == Self

    /// Reads a member that is no field, if it knows it.
    ///
    /// - Returns: false when it does not, and nothing was read.
    mutating func readOther(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool

    /// Notes what breaks the rules between its fields that hold for every stored value; see `FieldStage.stored`.
    func checkStored(_ problems: inout FieldProblems)

    /// Notes what breaks the rules between its fields; see `FieldStage.input`.
    func checkInput(_ problems: inout FieldProblems)

    // The uses of the visit. They are requirements so that each type has its own specialized version of them.

    /// Reads the members of an object; says which fields were there. See `FieldReader`.
    mutating func readFields(
        from reader: inout JSONReader, unknown: UnknownMembers, _ problems: inout FieldProblems
    ) throws(JSONError) -> FieldSet<Self>

    /// Writes the value as an object.
    func write(to writer: inout JSONWriter)

    /// Writes the members of some of the fields into an object.
    func writeFields(_ fields: FieldSet<Self>, to writer: inout JSONWriter)

    /// Takes the values of some fields from another value.
    mutating func take(_ fields: FieldSet<Self>, from other: Self)

    /// The fields that are not the same in another value, compared byte by byte. `==` of `String` would take other
    /// spellings in Unicode for the same text, and quadratic time for some.
    func difference(from other: Self) -> FieldSet<Self>

    /// The members that are others in a later value, as an object: what the log says of the value before a change.
    func writtenDifference(from after: Self) -> [UInt8]

    /// Notes what is wrong with the fields.
    func validateFields(_ stage: FieldStage, _ problems: inout FieldProblems)
}

/// What is done with each field of a value.
public protocol FieldVisitor<Subject> {
    /// The type whose fields are visited.
    associatedtype Subject: Described
    /// What ends a visit early.
    associatedtype Failure: Error = Never

    /// Visits a field.
    ///
    /// - Parameters:
    ///   - name: its name in JSON.
    ///   - path: where its value is.
    ///   - rule: what the value may be.
    ///   - options: who sees and sets it, and where else it stands.
    ///   - explanation: what it means, in a line without a full stop, for the description of the API.
    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) throws(Failure)
}

/// When a value is checked.
public enum FieldStage: Sendable {
    /// What the server relies on in every record that it reads back from the log, a snapshot or a backup, such as that
    /// a day of the week is one of seven. These rules may only ever be widened, or an acknowledged record would keep a
    /// server from starting.
    case stored
    /// What a request or an import may bring: the stored rules, and others, such as how long a text may be, that apply
    /// to nothing that is stored already.
    case input
}

/// What becomes of the members of an object that are no fields.
public enum UnknownMembers: Sendable {
    /// The store has written the object: they are an error.
    case refused
    /// Somebody has sent it: they are noted as problems, but for these names.
    case reported(except: [String] = [])
}

extension Described {
    /// Most types have no other members.
    public mutating func readOther(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool { false }

    /// Most fields stand for themselves.
    public func checkStored(_ problems: inout FieldProblems) {}

    /// Most fields stand for themselves.
    public func checkInput(_ problems: inout FieldProblems) {}

    /// Whether two values have the same fields, byte for byte.
    public static func == (left: Self, right: Self) -> Bool { left.difference(from: right).isEmpty }

    /// Notes what breaks the stored rules.
    public func validateStored(_ problems: inout FieldProblems) {
        validateFields(.stored, &problems)
        checkStored(&problems)
    }

    /// Notes everything that is wrong with a value that a request or an import brings; what it refers to is the store's
    /// to check.
    public func validateInput(_ problems: inout FieldProblems) {
        validateFields(.input, &problems)
        checkStored(&problems)
        checkInput(&problems)
    }

    /// The value's bytes in the form in which it is stored.
    public var written: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1024)
        write(to: &writer)
        return writer.bytes
    }
}
