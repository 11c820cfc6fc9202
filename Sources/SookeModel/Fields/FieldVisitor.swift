import JSON

/// A type that is described once, by a visit of its fields: a record, or a part of one such as a menu.
///
/// The visit is the only place that lists the fields. Visitors read, write, compare, validate and patch a value, and
/// collect the descriptions that the API, its schemas and the columns of tables use. In release builds the compiler
/// specializes the visit for each visitor, and the key paths become memory accesses.
public protocol Described: Sendable, Equatable {
    /// An empty value, to be filled from its fields.
    init()

    static var fields: FieldTable { get }

    /// Visits each field, in the order in which they are written.
    static func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Subject == Self

    /// Reads a member that is not a field; false, with nothing read, when the type does not have it.
    mutating func readOther(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool

    /// Adds violations of the rules between its fields that apply to all stored values; see `FieldStage.stored`.
    func checkStored(_ problems: inout FieldProblems)

    /// Adds violations of the rules between its fields; see `FieldStage.input`.
    func checkInput(_ problems: inout FieldProblems)

    // The uses of the visit. They are requirements, so that each type has its own specialized versions.

    /// Reads the members of an object. Returns which fields were present. See `FieldReader`.
    mutating func readFields(
        from reader: inout JSONReader, unknown: UnknownMembers, _ problems: inout FieldProblems
    ) throws(JSONError) -> FieldSet<Self>

    func write(to writer: inout JSONWriter)

    /// Writes the members of some of the fields into an object.
    func writeFields(_ fields: FieldSet<Self>, empty: EmptyMembers, to writer: inout JSONWriter)

    mutating func take(_ fields: FieldSet<Self>, from other: Self)

    /// The fields whose bytes differ in another value. `==` of `String` would ignore some differences in Unicode, and
    /// take quadratic time for some texts.
    func difference(from other: Self) -> FieldSet<Self>

    func validateFields(_ stage: FieldStage, _ problems: inout FieldProblems)
}

/// An operation on each field of a value.
public protocol FieldVisitor<Subject> {
    associatedtype Subject: Described
    /// The error that ends a visit early.
    associatedtype Failure: Error = Never

    /// Visits a field. Its explanation is one line without a full stop.
    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) throws(Failure)
}

public enum FieldStage: Sendable {
    /// The invariants of all records in the log, a snapshot or a backup, such as that a day of the week is one of
    /// seven. These rules may only ever be relaxed, because an acknowledged record must never prevent a start.
    case stored
    /// The rules of requests and imports: the stored invariants, and others, such as the length of a text, that do not
    /// apply to stored records.
    case input
}

/// The treatment of members of an object that are not fields.
public enum UnknownMembers: Sendable {
    /// They are an error, because the store has written the object.
    case refused
    /// They are problems, except for these names, because a client has sent the object.
    case reported(except: [String] = [])
}

extension Described {
    public mutating func readOther(_ name: String, from reader: inout JSONReader) throws(JSONError) -> Bool { false }

    public func checkStored(_ problems: inout FieldProblems) {}

    public func checkInput(_ problems: inout FieldProblems) {}

    public static func == (left: Self, right: Self) -> Bool { left.difference(from: right).isEmpty }

    public func validateStored(_ problems: inout FieldProblems) {
        validateFields(.stored, &problems)
        checkStored(&problems)
    }

    /// Adds all problems of a value from a request or an import, except those of references, which the store checks.
    public func validateInput(_ problems: inout FieldProblems) {
        validateFields(.input, &problems)
        checkStored(&problems)
        checkInput(&problems)
    }

    /// The bytes of the stored form.
    public var written: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1024)
        write(to: &writer)
        return writer.bytes
    }
}
