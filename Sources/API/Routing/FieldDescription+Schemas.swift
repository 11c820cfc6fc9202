import SookeModel

extension FieldDescription {
    /// The use of a member that is not a field of a record.
    enum Use: Sendable {
        /// In responses.
        case shown
        /// In requests.
        case given
        /// In both.
        case both
    }

    /// A member that is not a field of a record.
    init(_ name: String, _ kind: Kind, use: Use = .both, required: Bool = false, _ explanation: String) {
        var options: FieldOptions =
            switch use {
            case .shown: .shown
            case .given: .setByOwner
            case .both: [.shown, .setByOwner]
            }
        if required { options.insert(.required) }
        self.init(name, kind, options, explanation)
    }
}

extension FieldDescription.Kind {
    /// An object with a schema.
    static func one(_ schema: Schema) -> Self { .object(schema.rawValue) }
    /// An object with a schema, or a text instead.
    static func oneOrText(_ schema: Schema) -> Self { .objectOrText(schema.rawValue) }
    /// A list of objects with a schema.
    static func list(_ schema: Schema) -> Self { .list(schema.rawValue) }
}
