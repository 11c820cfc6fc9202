import JSON

/// Writes the members of some fields of a value into an object.
struct FieldWriter<Subject: Described>: FieldVisitor {
    var writer: JSONWriter
    let subject: Subject
    let fields: FieldSet<Subject>
    private var index = 0

    init(_ subject: Subject, _ fields: FieldSet<Subject>, _ writer: JSONWriter) {
        (self.subject, self.fields, self.writer) = (subject, fields, writer)
    }

    @inline(__always)
    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        if fields.contains(index), !(options.contains(.leftOutWhenEmpty) && subject[keyPath: path].isNothing) {
            writer.key(name)
            subject[keyPath: path].write(to: &writer)
        }
        index += 1
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
        var visitor = FieldWriter(self, fields, consume moved)
        Self.visit(&visitor)
        writer = visitor.writer
    }
}
