/// An event in the feed. It refers to its type and its business by slug.
struct EventRecord: Codable, Sendable, Hashable {
    let id: Int64
    let name: String
    let slug: String
    let description: String?
    let eventTypeSlug: String
    /// Degrees north; nil for an event at a business.
    let latitude: Double?
    /// Degrees east; nil for an event at a business.
    let longitude: Double?
    let startTime: String
    let endTime: String
    let status: String
    let businessSlug: String?
    /// Its series, whose first times are the start and the end.
    let series: EventSeries?

    private enum CodingKeys: String, CodingKey {
        case id, name, slug, description, latitude, longitude, status
        case eventTypeSlug = "event_type_slug"
        case startTime = "start_time"
        case endTime = "end_time"
        case businessSlug = "business_slug"
    }

    /// Decodes an event of the feed.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(Int64.self, forKey: .id)
        name = try members.decode(String.self, forKey: .name)
        slug = try members.decode(String.self, forKey: .slug)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        eventTypeSlug = try members.decode(String.self, forKey: .eventTypeSlug)
        latitude = try members.decodeIfPresent(Double.self, forKey: .latitude)
        longitude = try members.decodeIfPresent(Double.self, forKey: .longitude)
        startTime = try members.decode(String.self, forKey: .startTime)
        endTime = try members.decode(String.self, forKey: .endTime)
        status = try members.decode(String.self, forKey: .status)
        businessSlug = try members.decodeIfPresent(String.self, forKey: .businessSlug)
        series = try EventSeries(ofEvent: decoder)
    }

    /// Encodes the event with the members of its series.
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(slug, forKey: .slug)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encode(eventTypeSlug, forKey: .eventTypeSlug)
        try members.encodeIfPresent(latitude, forKey: .latitude)
        try members.encodeIfPresent(longitude, forKey: .longitude)
        try members.encode(startTime, forKey: .startTime)
        try members.encode(endTime, forKey: .endTime)
        try members.encode(status, forKey: .status)
        try members.encodeIfPresent(businessSlug, forKey: .businessSlug)
        try series?.encode(to: encoder)
    }
}
