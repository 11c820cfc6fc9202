/// A change of a record, as the feed gives it.
public struct Change: Sendable, Hashable {
    /// What happened to the record, for this client.
    public enum Action: String, Codable, Sendable {
        /// The record is new, or has become visible.
        case created
        /// The record has changed.
        case updated
        /// The record was deleted, or is no longer visible.
        case deleted
    }

    /// The kind of a record.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A category of businesses.
        case category
        /// A type of events.
        case eventType = "event_type"
        /// A business.
        case business
        /// An event.
        case event
    }

    /// A record as it is after the change.
    enum Record: Sendable, Hashable {
        case category(Category)
        case eventType(EventType)
        case business(BusinessRecord)
        case event(EventRecord)
    }

    /// The kind of the record.
    public let kind: Kind
    /// What happened.
    public let action: Action
    /// The unique ID of the record.
    public let id: Int64
    /// The slug of the record.
    public let slug: String
    /// The slug that the record had before, if it has another one now.
    public let formerSlug: String?
    /// The record; nil when it is gone.
    let record: Record?
}

extension Change: Decodable {
    private enum CodingKeys: String, CodingKey {
        case kind, action, id, slug, record
        case formerSlug = "former_slug"
    }

    /// Decodes the data of an event. Members that are not known are ignored.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        kind = try members.decode(Kind.self, forKey: .kind)
        action = try members.decode(Action.self, forKey: .action)
        id = try members.decode(Int64.self, forKey: .id)
        slug = try members.decodeIfPresent(String.self, forKey: .slug) ?? ""
        formerSlug = try members.decodeIfPresent(String.self, forKey: .formerSlug)
        if action == .deleted {
            record = nil
            return
        }
        record =
            switch kind {
            case .category: .category(try members.decode(Category.self, forKey: .record))
            case .eventType: .eventType(try members.decode(EventType.self, forKey: .record))
            case .business: .business(try members.decode(BusinessRecord.self, forKey: .record))
            case .event: .event(try members.decode(EventRecord.self, forKey: .record))
            }
    }
}
