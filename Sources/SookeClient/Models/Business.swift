/// A business in a list.
public struct Business: Codable, Identifiable, Sendable, Hashable {
    /// The unique ID.
    public let id: Int64
    /// Its name.
    public let name: String
    /// Its part of the address.
    public let slug: String
    /// What it is about.
    public let description: String?
    /// The name of its category; empty for a business without one, which only its owner can see.
    public let categoryName: String
    /// The slug of its category; empty for a business without one.
    public let categorySlug: String
    /// Street and house number.
    public let address: String
    /// Degrees north.
    public let latitude: Double
    /// Degrees east.
    public let longitude: Double
    /// Its phone number.
    public let phone: String?
    /// Its e-mail address.
    public let email: String?
    /// Its website.
    public let website: String?
    /// The hours of the current day in the time zone of the request; nil if they are unknown.
    public let todayHours: BusinessHour?
    /// Whether it was open at the time of the response; nil from servers that do not say.
    public let openState: BusinessOpenState?
    /// When somebody last confirmed that its hours and data are right, in RFC 3339.
    public let confirmedAt: String?

    private enum CodingKeys: String, CodingKey {
        case id, name, slug, description, address, latitude, longitude, phone, email, website
        case categoryName = "category_name"
        case categorySlug = "category_slug"
        case todayHours = "today_hours"
        case openState = "open_state"
        case confirmedAt = "confirmed_at"
    }

    /// A business.
    public init(
        id: Int64, name: String, slug: String, description: String? = nil, categoryName: String, categorySlug: String,
        address: String, latitude: Double, longitude: Double, phone: String? = nil, email: String? = nil,
        website: String? = nil, todayHours: BusinessHour? = nil, openState: BusinessOpenState? = nil,
        confirmedAt: String? = nil
    ) {
        (self.id, self.name, self.slug, self.description) = (id, name, slug, description)
        (self.categoryName, self.categorySlug) = (categoryName, categorySlug)
        (self.address, self.latitude, self.longitude) = (address, latitude, longitude)
        (self.phone, self.email, self.website, self.todayHours) = (phone, email, website, todayHours)
        (self.openState, self.confirmedAt) = (openState, confirmedAt)
    }

    /// Decodes a business of a response.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try members.decode(Int64.self, forKey: .id),
            name: try members.decode(String.self, forKey: .name),
            slug: try members.decode(String.self, forKey: .slug),
            description: try members.decodeIfPresent(String.self, forKey: .description),
            categoryName: try members.decode(String?.self, forKey: .categoryName) ?? "",
            categorySlug: try members.decode(String?.self, forKey: .categorySlug) ?? "",
            address: try members.decode(String.self, forKey: .address),
            latitude: try members.decode(Double.self, forKey: .latitude),
            longitude: try members.decode(Double.self, forKey: .longitude),
            phone: try members.decodeIfPresent(String.self, forKey: .phone),
            email: try members.decodeIfPresent(String.self, forKey: .email),
            website: try members.decodeIfPresent(String.self, forKey: .website),
            todayHours: try members.decodeIfPresent(BusinessHour.self, forKey: .todayHours),
            openState: try members.decodeIfPresent(BusinessOpenState.self, forKey: .openState),
            confirmedAt: try members.decodeIfPresent(String.self, forKey: .confirmedAt))
    }
}
