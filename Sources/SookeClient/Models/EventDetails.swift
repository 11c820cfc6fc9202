/// An event.
public struct EventDetails: Codable, Identifiable, Sendable, Hashable {
    /// The unique ID.
    public let id: Int64
    /// Its name.
    public let name: String
    /// Its part of the address.
    public let slug: String
    /// What it is about.
    public let description: String?
    /// The name of its type.
    public let eventTypeName: String
    /// The slug of its type.
    public let eventTypeSlug: String
    /// Degrees north; nil for an event without a place.
    public let latitude: Double?
    /// Degrees east; nil for an event without a place.
    public let longitude: Double?
    /// Its start, RFC 3339 in UTC; that of the next occurrence of a series, else of the last one.
    public let startTime: String
    /// Its end, RFC 3339 in UTC; the start if the end is not known.
    public let endTime: String
    /// Its status: `approved`, `cancelled`, and for some accounts `draft`, `pending_review` or `rejected`.
    public let status: String
    /// The name of the business where it takes place.
    public let businessName: String?
    /// The slug of the business where it takes place.
    public let businessSlug: String?
    /// Its series; nil when it takes place once.
    public let series: EventSeries?

    private enum CodingKeys: String, CodingKey {
        case id, name, slug, description, latitude, longitude, status
        case eventTypeName = "event_type_name"
        case eventTypeSlug = "event_type_slug"
        case startTime = "start_time"
        case endTime = "end_time"
        case businessName = "business_name"
        case businessSlug = "business_slug"
    }

    /// The names of the times in responses of servers without `start_time` and `end_time`.
    private enum OtherCodingKeys: String, CodingKey {
        case startsAt = "starts_at"
        case endsAt = "ends_at"
    }

    /// An event.
    public init(
        id: Int64, name: String, slug: String, description: String? = nil, eventTypeName: String,
        eventTypeSlug: String, latitude: Double? = nil, longitude: Double? = nil, startTime: String, endTime: String,
        status: String, businessName: String? = nil, businessSlug: String? = nil, series: EventSeries? = nil
    ) {
        (self.id, self.name, self.slug, self.description) = (id, name, slug, description)
        (self.eventTypeName, self.eventTypeSlug) = (eventTypeName, eventTypeSlug)
        (self.latitude, self.longitude) = (latitude, longitude)
        (self.startTime, self.endTime, self.status) = (startTime, endTime, status)
        (self.businessName, self.businessSlug, self.series) = (businessName, businessSlug, series)
    }

    /// Decodes an event of a response.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let others = try decoder.container(keyedBy: OtherCodingKeys.self)
        let start =
            try members.decodeIfPresent(String.self, forKey: .startTime)
            ?? others.decode(String.self, forKey: .startsAt)
        let end =
            try members.decodeIfPresent(String.self, forKey: .endTime)
            ?? others.decodeIfPresent(String.self, forKey: .endsAt)
        self.init(
            id: try members.decode(Int64.self, forKey: .id),
            name: try members.decode(String.self, forKey: .name),
            slug: try members.decode(String.self, forKey: .slug),
            description: try members.decodeIfPresent(String.self, forKey: .description),
            eventTypeName: try members.decode(String.self, forKey: .eventTypeName),
            eventTypeSlug: try members.decode(String.self, forKey: .eventTypeSlug),
            latitude: try members.decodeIfPresent(Double.self, forKey: .latitude),
            longitude: try members.decodeIfPresent(Double.self, forKey: .longitude), startTime: start,
            endTime: end ?? start, status: try members.decode(String.self, forKey: .status),
            businessName: try members.decodeIfPresent(String.self, forKey: .businessName),
            businessSlug: try members.decodeIfPresent(String.self, forKey: .businessSlug),
            series: try EventSeries(ofEvent: decoder))
    }

    /// Encodes the event with the members of its series.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(slug, forKey: .slug)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encode(eventTypeName, forKey: .eventTypeName)
        try members.encode(eventTypeSlug, forKey: .eventTypeSlug)
        try members.encodeIfPresent(latitude, forKey: .latitude)
        try members.encodeIfPresent(longitude, forKey: .longitude)
        try members.encode(startTime, forKey: .startTime)
        try members.encode(endTime, forKey: .endTime)
        try members.encode(status, forKey: .status)
        try members.encodeIfPresent(businessName, forKey: .businessName)
        try members.encodeIfPresent(businessSlug, forKey: .businessSlug)
        try series?.encode(to: encoder)
    }
}
