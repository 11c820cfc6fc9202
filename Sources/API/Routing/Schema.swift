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
