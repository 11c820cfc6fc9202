import SookeModel

extension FieldDescription {
    /// Where a member that is no field of a record stands.
    enum Use: Sendable {
        /// In responses.
        case shown
        /// In requests.
        case given
        /// In both.
        case both
    }

    /// A member that is no field of a record.
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
    /// An object of a kind.
    static func one(_ schema: Schema) -> Self { .object(schema.rawValue) }
    /// An object of a kind, or a text in its place.
    static func oneOrText(_ schema: Schema) -> Self { .objectOrText(schema.rawValue) }
    /// Objects of a kind.
    static func list(_ schema: Schema) -> Self { .list(schema.rawValue) }
}
