import JSON
import SookeModel

/// An object in responses that is no record. One list of its members is its description and its JSON.
struct Body<Object>: Sendable {
    let schema: Schema
    private let members: [Member<Object>]

    init(_ name: String, _ members: Member<Object>...) {
        self.init(name, members)
    }

    init(_ name: String, _ members: [Member<Object>]) {
        schema = Schema(name, members.map(\.description))
        self.members = members
    }

    func write(_ object: Object, to writer: inout JSONWriter) {
        writer.beginObject()
        for member in members { member.write(object, &writer) }
        writer.endObject()
    }

    func json(_ object: Object) -> [UInt8] {
        var writer = JSONWriter()
        write(object, to: &writer)
        return writer.bytes
    }
}

struct Member<Object>: Sendable {
    let description: FieldDescription
    fileprivate let write: @Sendable (Object, inout JSONWriter) -> Void

    /// - Parameter isLeftOut: when it is absent, instead of null.
    init<Value: FieldValue>(
        _ name: String, _ explanation: String, kind: FieldDescription.Kind = Value.kind,
        use: FieldDescription.Use = .shown, required: Bool = false, isLeftOut: Bool = false,
        _ value: @escaping @Sendable (Object) -> Value?
    ) {
        description = FieldDescription(name, kind, use: use, required: required, explanation)
        write = { object, writer in
            let value = value(object)
            if value == nil, isLeftOut { return }
            writer.key(name)
            value.write(to: &writer)
        }
    }

    init<Part>(
        _ name: String, _ body: Body<Part>, _ explanation: String, isLeftOut: Bool = false,
        _ part: @escaping @Sendable (Object) -> Part?
    ) {
        description = .shown(name, .object(body.schema.name), explanation)
        write = { object, writer in
            let part = part(object)
            if part == nil, isLeftOut { return }
            writer.key(name)
            if let part { body.write(part, to: &writer) } else { writer.null() }
        }
    }

    init(
        _ name: String, _ kind: FieldDescription.Kind, _ explanation: String,
        value: @escaping @Sendable (Object, inout JSONWriter) -> Void
    ) {
        description = .shown(name, kind, explanation)
        write = { object, writer in
            writer.key(name)
            value(object, &writer)
        }
    }

    init(given name: String, _ explanation: String) {
        description = .given(name, explanation)
        write = { _, _ in }
    }
}
