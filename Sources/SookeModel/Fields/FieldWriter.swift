import Bytes
import JSON

struct FieldWriter<Subject: Described>: FieldVisitor {
    var writer: JSONWriter
    let subject: Subject
    let fields: FieldSet<Subject>
    let empty: EmptyMembers
    var index = 0

    @inline(__always)
    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        defer { index += 1 }
        guard fields.contains(index) else { return }
        let isNothing = options.contains(.leftOutWhenEmpty) && subject[keyPath: path].isNothing
        if isNothing, empty == .leftOut { return }
        writer.key(name)
        if isNothing, empty == .null { writer.null() } else { subject[keyPath: path].write(to: &writer) }
    }
}

/// The treatment of fields that are left out of datasets when they are empty.
public enum EmptyMembers: Sendable {
    case leftOut
    /// They are null, as in the before-images of the log.
    case null
    case written
}

extension Described {
    @specialized(where Self == Business)
    @specialized(where Self == Event)
    @specialized(where Self == Menu)
    @specialized(where Self == MenuItem)
    @specialized(where Self == DayHours)
    @specialized(where Self == Person)
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeFields(.all, to: &writer)
        writer.endObject()
    }

    public func writeFields(_ fields: FieldSet<Self>, to writer: inout JSONWriter) {
        writeFields(fields, empty: .leftOut, to: &writer)
    }

    @specialized(where Self == Business)
    @specialized(where Self == Event)
    @specialized(where Self == Menu)
    @specialized(where Self == MenuItem)
    @specialized(where Self == DayHours)
    @specialized(where Self == Person)
    public func writeFields(_ fields: FieldSet<Self>, empty: EmptyMembers, to writer: inout JSONWriter) {
        // The writer is moved, because a second reference to its bytes would make it copy them.
        var moved = JSONWriter()
        swap(&moved, &writer)
        var visitor = FieldWriter(writer: consume moved, subject: self, fields: fields, empty: empty)
        Self.visit(&visitor)
        writer = visitor.writer
    }

    /// The members of some fields as an object, with null for one otherwise left out: a before-image in the log.
    public func writtenMembers(_ fields: FieldSet<Self>) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeFields(fields, empty: .null, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    /// The members that differ in a later value, as an object, with null for a member that is left out here.
    public func writtenDifference(from after: Self) -> [UInt8] { writtenMembers(difference(from: after)) }
}

extension JSONWriter {
    public mutating func member(_ name: StaticString, _ moment: Timestamp) {
        key(name)
        moment.write(to: &self)
    }

    public mutating func member(_ name: StaticString, _ moment: Timestamp?) {
        key(name)
        moment.write(to: &self)
    }
}
