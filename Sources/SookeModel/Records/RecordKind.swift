/// The kinds of record a town is made of, in the order in which one may refer to another.
public enum RecordKind: String, ChoiceValue, Hashable {
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
    /// What proves who a person is: `passwords` in a snapshot.
    case password
    /// What opens a door to whoever knows its secret: `grants` in a snapshot.
    case credential = "grant"
    /// The answer that a request got: `receipts` in a snapshot.
    case receipt

    /// The kinds that go from town to town. The others are private: they stand in the log and in snapshots alone, never
    /// in an export, and no import takes them.
    public static let shared: [RecordKind] = [.category, .eventType, .person, .business, .event]

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
        case .password: "passwords"
        case .credential: "grants"
        case .receipt: "receipts"
        }
    }
}
