import SookeModel

/// A field of a record in a form: how it is shown, and what its text makes of the record.
struct RecordField<Value: Record> {
    let field: FormField
    let text: @Sendable (Value) -> String
    /// Sets what the text says; one that says nothing valid is a problem.
    let set: @Sendable (String, inout Patch<Value>, inout FieldProblems) -> Void

    init(
        _ name: String, _ label: String, _ path: any WritableKeyPath<Value, String> & Sendable, hint: String? = nil,
        _ control: FormField.Control = .line()
    ) {
        field = FormField(name: name, label: label, hint: hint, control: control, isMerged: true)
        text = { $0[keyPath: path] }
        set = { text, patch, _ in
            patch.values[keyPath: path] = text
            patch.fields.insert(name)
        }
    }

    /// A text that may be absent; an empty one is.
    init(
        _ name: String, _ label: String, _ path: any WritableKeyPath<Value, String?> & Sendable, hint: String? = nil,
        _ control: FormField.Control = .line()
    ) {
        field = FormField(name: name, label: label, hint: hint, control: control, isMerged: true)
        text = { $0[keyPath: path] ?? "" }
        set = { text, patch, _ in
            patch.values[keyPath: path] = text.shown
            patch.fields.insert(name)
        }
    }

    init(
        _ field: FormField, text: @escaping @Sendable (Value) -> String,
        set: @escaping @Sendable (String, inout Patch<Value>, inout FieldProblems) -> Void
    ) {
        var field = field
        field.isMerged = true
        (self.field, self.text, self.set) = (field, text, set)
    }

    func markup(_ state: FormState, of value: Value) -> HTML {
        var field = field
        field.shown = text(value)
        return field.markup(state)
    }
}

extension Array {
    func texts<Value>(of value: Value) -> [(name: String, text: String)] where Element == RecordField<Value> {
        map { ($0.field.name, $0.text(value)) }
    }

    /// - Throws: `FormRefusal`.
    func patch<Value>(_ changes: [String: String]) throws -> Patch<Value> where Element == RecordField<Value> {
        var (patch, problems) = (Patch<Value>(), FieldProblems())
        for field in self {
            if let text = changes[field.field.name] { field.set(text, &patch, &problems) }
        }
        if !problems.isEmpty { throw FormRefusal(problems) }
        return patch
    }
}
