import SookeModel

/// A draft of an event.
public struct EventDraft: EditDraft {
    /// The fields of the draft, in the order of a form.
    public enum Field: String, DraftField {
        /// The name.
        case name
        /// What it is about.
        case description
        /// The slug of its type.
        case eventType = "event_type"
        /// The slug of the business where it takes place.
        case business
        /// Degrees north.
        case latitude
        /// Degrees east.
        case longitude
        /// The start.
        case startsAt = "starts_at"
        /// The end.
        case endsAt = "ends_at"
    }

    /// The name.
    public var name = ""
    /// What it is about; empty for nothing.
    public var description = ""
    /// The slug of its type.
    public var eventType = ""
    /// The slug of the business where it takes place; empty for none.
    public var business = ""
    /// Degrees north of a public place, as a decimal number; empty for none, and for an event at a business.
    public var latitude = ""
    /// Degrees east of a public place, as a decimal number; empty for none, and for an event at a business.
    public var longitude = ""
    /// The start, RFC 3339.
    public var startsAt = ""
    /// The end, RFC 3339; empty if it is not known.
    public var endsAt = ""

    /// An empty draft.
    public init() {}
}

extension EventDraft {
    /// The record of the server.
    public typealias Model = SookeModel.Event

    /// The kind of the record.
    public static var kind: RecordKind { .event }

    /// The path of an event.
    public static func path(of slug: String) -> String { APIPath.event(slug) }

    /// The text of a field.
    public static func text(_ field: Field) -> WritableKeyPath<EventDraft, String>? {
        switch field {
        case .name: \.name
        case .description: \.description
        case .eventType: \.eventType
        case .business: \.business
        case .latitude: \.latitude
        case .longitude: \.longitude
        case .startsAt: \.startsAt
        case .endsAt: \.endsAt
        }
    }

    /// The form of a field in requests.
    public static func form(of field: Field) -> DraftFieldForm {
        switch field {
        case .name, .eventType: .text
        case .latitude, .longitude: .number
        case .description, .business, .startsAt, .endsAt: .optionalText
        }
    }

    /// A copy of an event. Responses show the coordinates of its business, which are not its own.
    public init(_ record: JSONValue) throws {
        copy(record, names: [.eventType: "event_type_slug", .business: "business_slug"])
        if !business.isEmpty { (latitude, longitude) = ("", "") }
    }
}
