import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// A field of a record in a form: how it is shown, and what its text makes of the record.
struct RecordField<Value: Record> {
    let field: FormField
    let text: @Sendable (Value) -> String
    /// Sets what the text says; one that says nothing valid is a problem.
    private let set: @Sendable (String, inout Value, inout FieldProblems) -> Void
    private let sets: FieldSet<Value>

    /// - Parameter sets: the fields of the record that it sets; nil for the one with its name.
    init(
        _ field: FormField, sets: FieldSet<Value>? = nil, text: @escaping @Sendable (Value) -> String,
        set: @escaping @Sendable (String, inout Value, inout FieldProblems) -> Void
    ) {
        var field = field
        field.isMerged = true
        (self.field, self.text, self.set, self.sets) = (field, text, set, sets ?? [field.name])
    }

    init(
        _ name: String, _ label: String, _ path: any WritableKeyPath<Value, String> & Sendable, hint: String? = nil,
        _ control: FormField.Control = .line()
    ) {
        self.init(
            FormField(name: name, label: label, hint: hint, control: control), text: { $0[keyPath: path] },
            set: { text, value, _ in value[keyPath: path] = text })
    }

    init(
        _ name: String, _ label: String, _ path: any WritableKeyPath<Value, String?> & Sendable, hint: String? = nil,
        _ control: FormField.Control = .line()
    ) {
        self.init(
            FormField(name: name, label: label, hint: hint, control: control), text: { $0[keyPath: path] ?? "" },
            set: { text, value, _ in value[keyPath: path] = text.shown })
    }

    init<Choice: ChoiceValue>(_ field: FormField, _ path: any WritableKeyPath<Value, Choice> & Sendable) {
        self.init(
            field, text: { $0[keyPath: path].rawValue },
            set: { text, value, problems in
                guard let choice = Choice(named: text) else { return problems.add(field.name, "Choose one of these") }
                value[keyPath: path] = choice
            })
    }

    func set(_ text: String, in patch: inout Patch<Value>, _ problems: inout FieldProblems) {
        set(text, &patch.values, &problems)
        patch.fields.formUnion(sets)
    }

    func proposing(_ proposal: String?) -> RecordField {
        var field = field
        field.proposal = proposal
        return RecordField(field, sets: sets, text: text, set: set)
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
            if let text = changes[field.field.name] { field.set(text, in: &patch, &problems) }
        }
        if !problems.isEmpty { throw FormRefusal(problems) }
        return patch
    }
}

struct FormMerge {
    private(set) var changes: [String: String] = [:]
    private(set) var conflicts: [FormState.Conflict] = []

    /// - Parameter current: the texts of the fields in the newest version of the town.
    init(_ sent: Submission, into current: [(name: String, text: String)]) {
        for (name, text) in current {
            guard let before = sent.before(name) else { continue }
            let (mine, theirs) = (sent[name] ?? "", text.typed)
            if mine == before || mine == theirs { continue }
            if theirs == before {
                changes[name] = mine
            } else {
                conflicts.append(FormState.Conflict(name: name, before: before, theirs: theirs, mine: mine))
            }
        }
    }
}

extension Call {
    /// How often a change is tried when others were faster.
    private static let attempts = 3

    /// Merges what somebody changed in a form into the newest version of a record.
    /// `hasMore`: the form changes something beside these fields.
    /// Throws `FormRefusal` when somebody else changed the same fields.
    func merge<Found>(
        _ sent: Submission, hasMore: Bool = false, into find: (Town) throws -> Found, _ digest: (Found) -> UInt64,
        _ texts: (Found) -> [(name: String, text: String)],
        _ change: (Found, [String: String], RequestContext) async throws -> Void
    ) async throws {
        for _ in 0..<Self.attempts {
            let version = service.store.current
            let record = try find(version.town)
            let merge = FormMerge(sent, into: texts(record))
            if !merge.conflicts.isEmpty { throw FormRefusal(FormState(conflicts: merge.conflicts), .conflict) }
            if merge.changes.isEmpty, !hasMore { return }
            do {
                return try await change(record, merge.changes, context(in: version, requiring: digest(record)))
            } catch ServiceError.preconditionFailed {
                continue
            }
        }
        throw FormRefusal(FormState(message: "Other people are changing this too. Please send it again."), .conflict)
    }

    /// Changes the record of the address by a form, or deletes it by the form's button for that.
    func change<Value: SluggedRecord>(
        _ sent: Submission, _ fields: [RecordField<Value>], backTo path: String
    ) async throws -> Response {
        let slug = try slug()
        if sent.isSet("delete") {
            try await run { $0.deleteRecord(slug, of: Value.self, for: $1) }
            return .seeOther(path + "?done=removed")
        }
        try await merge(
            sent, into: { try service.record(slug, of: Value.self, in: $0) }, \.digest, { fields.texts(of: $0.value) }
        ) { _, changes, context in
            let patch = PatchInput(try fields.patch(changes))
            _ = try await service.run(service.updateRecord(slug, patch, for: context), for: context)
        }
        return .seeOther(path + "?done=saved")
    }
}
