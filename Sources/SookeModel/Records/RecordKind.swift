/// The kinds of record a town is made of, in the order in which one may refer to another.
public enum RecordKind: String, Sendable, Hashable, CaseIterable {
    /// What a business is: `categories` in a dataset.
    case category
    /// What an event is: `event_types` in a dataset.
    case eventType = "event_type"
    /// Somebody with an account: `users` in a dataset.
    case person = "user"
    /// A place of business: `businesses` in a dataset.
    case business
    /// Something that happens: `events` in a dataset.
    case event

    /// What a person calls a record of this kind.
    public var label: String { self == .eventType ? "event type" : rawValue }

    /// The key of this kind's records in a dataset.
    public var collection: String {
        switch self {
        case .category: "categories"
        case .eventType: "event_types"
        case .person: "users"
        case .business: "businesses"
        case .event: "events"
        }
    }
}
