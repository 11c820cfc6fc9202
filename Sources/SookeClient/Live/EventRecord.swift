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

    private enum CodingKeys: String, CodingKey {
        case id, name, slug, description, latitude, longitude, status
        case eventTypeSlug = "event_type_slug"
        case startTime = "start_time"
        case endTime = "end_time"
        case businessSlug = "business_slug"
    }
}
