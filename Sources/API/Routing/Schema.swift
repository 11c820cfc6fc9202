import SookeModel

/// The kind of a JSON object; `fields` describes its members.
enum Schema: String, Sendable, Hashable, CaseIterable {
    case health, trouble, business, hours, menu, menuItem = "menu_item", event, approval, rejection, category
    case eventType = "event_type", user, role, session, openSession = "open_session", credentials
    case passwordChange = "password_change", newPassword = "new_password", passwordReset = "password_reset"
    case invitation, acceptance, setup, token
    case status, counts, snapshot, report, change, author, fieldChange = "field_change", audit
}

extension Schema {
    /// The fields in responses and requests of a record type, with members that responses add.
    ///
    /// - Parameter added: the members that follow a field, by the name of that field.
    static func fields(
        of table: FieldTable, adding added: [String: [FieldDescription]] = [:]
    ) -> [FieldDescription] {
        table.descriptions.flatMap { field in
            (field.isShown || field.isGiven ? [field] : []) + (added[field.name] ?? [])
        }
    }
}

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
