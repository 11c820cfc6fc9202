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
    static func one(_ noun: Shape.Noun) -> Self { .object(noun.rawValue) }
    /// An object of a kind, or a text in its place.
    static func oneOrText(_ noun: Shape.Noun) -> Self { .objectOrText(noun.rawValue) }
    /// Objects of a kind.
    static func list(_ noun: Shape.Noun) -> Self { .list(noun.rawValue) }
}

extension Shape.Noun {
    /// The fields that responses show or requests give, of a type that is described once, with what responses add.
    ///
    /// - Parameter added: what follows a field, by the name of that field.
    static func fields(
        of table: FieldTable, adding added: [String: [FieldDescription]] = [:]
    ) -> [FieldDescription] {
        table.descriptions.flatMap { field in
            (field.isShown || field.isGiven ? [field] : []) + (added[field.name] ?? [])
        }
    }
}
