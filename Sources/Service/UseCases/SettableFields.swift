import SookeModel

/// The fields that a caller may set, from the descriptions of the records. The server sets all others itself.
public enum SettableFields {
    /// Super admins, in a business.
    public static let business = FieldSet<Business> { $0.isGiven }
    /// Its owner, in a business.
    public static let ownBusiness = FieldSet<Business> { $0.contains(.setByOwner) }
    /// All who may edit it, in an event.
    public static let event = FieldSet<Event> { $0.isGiven }
    /// Super admins, in an account and in an invitation.
    public static let person = FieldSet<Person> { $0.isGiven }

    /// Super admins, in a category or an event type.
    public static func term<Vocabulary>(_ vocabulary: Vocabulary.Type) -> FieldSet<Term<Vocabulary>> {
        FieldSet { $0.isGiven }
    }
}
