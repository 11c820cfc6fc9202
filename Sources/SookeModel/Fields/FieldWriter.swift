import JSON

/// Writes the members of some fields of a value into an object.
struct FieldWriter<Subject: Described>: FieldVisitor {
    var writer: JSONWriter
    let subject: Subject
    let fields: FieldSet<Subject>
    /// Whether a member that is otherwise left out is written as null.
    let writesEmpty: Bool
    private var index = 0

    init(_ subject: Subject, _ fields: FieldSet<Subject>, writesEmpty: Bool, _ writer: JSONWriter) {
        (self.subject, self.fields, self.writesEmpty, self.writer) = (subject, fields, writesEmpty, writer)
    }

    @inline(__always)
    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        defer { index += 1 }
        guard fields.contains(index) else { return }
        let isLeftOut = options.contains(.leftOutWhenEmpty) && subject[keyPath: path].isNothing
        if isLeftOut, !writesEmpty { return }
        writer.key(name)
        if isLeftOut { writer.null() } else { subject[keyPath: path].write(to: &writer) }
    }
}

extension Described {
    /// Writes the value as an object with all its fields.
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

    /// Writes the members of some of the fields into an object.
    @specialized(where Self == Business)
    @specialized(where Self == Event)
    @specialized(where Self == Menu)
    @specialized(where Self == MenuItem)
    @specialized(where Self == DayHours)
    @specialized(where Self == Person)
    public func writeFields(_ fields: FieldSet<Self>, to writer: inout JSONWriter) {
        // The writer is moved, because a second reference to its bytes would make it copy them.
        var moved = JSONWriter()
        swap(&moved, &writer)
        var visitor = FieldWriter(self, fields, writesEmpty: false, consume moved)
        Self.visit(&visitor)
        writer = visitor.writer
    }

    /// The members of some fields as an object, with null for a member that is otherwise left out: a before-image in the
    /// log.
    @specialized(where Self == Business)
    @specialized(where Self == Event)
    @specialized(where Self == Menu)
    @specialized(where Self == MenuItem)
    @specialized(where Self == DayHours)
    @specialized(where Self == Person)
    public func writtenMembers(_ fields: FieldSet<Self>) -> [UInt8] {
        var visitor = FieldWriter(self, fields, writesEmpty: true, JSONWriter())
        visitor.writer.beginObject()
        Self.visit(&visitor)
        visitor.writer.endObject()
        return visitor.writer.bytes
    }
}
