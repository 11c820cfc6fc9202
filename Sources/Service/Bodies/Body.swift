import JSON
import SookeModel

/// The kind of a JSON object, with its members in the order of responses.
package struct Schema: Sendable, Hashable {
    package let name: String
    /// Empty for an object that is not described by fields.
    package let fields: [FieldDescription]

    package init(_ name: String, _ fields: FieldDescription...) {
        self.init(name, fields)
    }

    package init(_ name: String, _ fields: [FieldDescription]) {
        (self.name, self.fields) = (name, fields)
    }
}

/// An object in responses that is no record. One list of its members is its description and its JSON.
package struct Body<Object>: Sendable {
    package let schema: Schema
    private let members: [Member<Object>]

    package init(_ name: String, _ members: Member<Object>...) {
        self.init(name, members)
    }

    package init(_ name: String, _ members: [Member<Object>]) {
        schema = Schema(name, members.map(\.description))
        self.members = members
    }

    package func write(_ object: Object, to writer: inout JSONWriter) {
        writer.beginObject()
        for member in members { member.write(object, &writer) }
        writer.endObject()
    }

    package func json(_ object: Object) -> [UInt8] {
        var writer = JSONWriter()
        write(object, to: &writer)
        return writer.bytes
    }
}

package struct Member<Object>: Sendable {
    package let description: FieldDescription
    fileprivate let write: @Sendable (Object, inout JSONWriter) -> Void

    /// - Parameter isLeftOut: when it is absent, instead of null.
    package init<Value: FieldValue>(
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

    package init<Part>(
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

    package init(
        _ name: String, _ kind: FieldDescription.Kind, _ explanation: String,
        value: @escaping @Sendable (Object, inout JSONWriter) -> Void
    ) {
        description = .shown(name, kind, explanation)
        write = { object, writer in
            writer.key(name)
            value(object, &writer)
        }
    }

    package init(given name: String, _ explanation: String) {
        description = .given(name, explanation)
        write = { _, _ in }
    }
}

extension FieldDescription {
    package enum Use: Sendable {
        case shown
        case given
        case both
    }

    package init(_ name: String, _ kind: Kind, use: Use, required: Bool = false, _ explanation: String) {
        var options: FieldOptions =
            switch use {
            case .shown: .shown
            case .given: .setByOwner
            case .both: [.shown, .setByOwner]
            }
        if required { options.insert(.required) }
        self.init(name, kind, options, explanation)
    }

    package static func shown(_ name: String, _ kind: Kind, _ explanation: String) -> Self {
        Self(name, kind, use: .shown, explanation)
    }

    /// Of requests, and may be left out.
    package static func given(_ name: String, _ explanation: String, kind: Kind = .text) -> Self {
        Self(name, kind, use: .given, explanation)
    }

    package static func required(_ name: String, _ explanation: String, kind: Kind = .text) -> Self {
        Self(name, kind, use: .given, required: true, explanation)
    }
}
