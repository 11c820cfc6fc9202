/// The kinds of record, in the order in which one may refer to another.
public enum RecordKind: String, ChoiceValue, Hashable {
    /// A category of businesses: `categories` in a dataset.
    case category
    /// A type of events: `event_types` in a dataset.
    case eventType = "event_type"
    /// A person with an account: `users` in a dataset.
    case person = "user"
    /// A business: `businesses` in a dataset.
    case business
    /// An event: `events` in a dataset.
    case event
    /// The password of a person: `passwords` in a snapshot.
    case password
    /// A session, API token or one-time link: `grants` in a snapshot.
    case credential = "grant"
    /// The receipt of a request that may be repeated: `receipts` in a snapshot.
    case receipt

    /// The kinds that exports and imports contain. The others are private: they are only in the log and in snapshots.
    public static let shared: [RecordKind] = [.category, .eventType, .person, .business, .event]

    /// The name of a record of this kind in messages.
    public var label: String { self == .eventType ? "event type" : rawValue }

    /// The key of this kind's records in a dataset.
    public var collection: String {
        switch self {
        case .category: "categories"
        case .eventType: "event_types"
        case .person: "users"
        case .business: "businesses"
        case .event: "events"
        case .password: "passwords"
        case .credential: "grants"
        case .receipt: "receipts"
        }
    }
}
