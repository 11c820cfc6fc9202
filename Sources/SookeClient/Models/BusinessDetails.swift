/// A business with its hours and menus.
public struct BusinessDetails: Codable, Identifiable, Sendable, Hashable {
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
    /// Its hours, by day of the week; a day without a row is unknown.
    public let hours: [BusinessHour]
    /// Its hours in the syntax of OpenStreetMap; they count instead of `hours`.
    public let openingHours: String?
    /// The hours of certain dates, which count instead of the others; nil when there are none in the response.
    public let specialHours: [SpecialHour]?
    /// The name of its time zone; nil for that of the town.
    public let timeZone: String?
    /// Whether it was open at the time of the response; see also `openState(at:in:holidays:)`.
    public let openState: BusinessOpenState?
    /// When somebody last confirmed that its hours and data are right, in RFC 3339.
    public let confirmedAt: String?
    /// How long ago that was, such as "3 weeks ago".
    public let checked: String?
    /// Its menus.
    public let menus: [Menu]

    private enum CodingKeys: String, CodingKey {
        case id, name, slug, description, address, latitude, longitude, phone, email, website, hours, menus, checked
        case openingHours = "opening_hours"
        case specialHours = "special_hours"
        case timeZone = "time_zone"
        case openState = "open_state"
        case confirmedAt = "confirmed_at"
        case categoryName = "category_name"
        case categorySlug = "category_slug"
    }

    /// A business.
    public init(
        id: Int64, name: String, slug: String, description: String? = nil, categoryName: String, categorySlug: String,
        address: String, latitude: Double, longitude: Double, phone: String? = nil, email: String? = nil,
        website: String? = nil, hours: [BusinessHour] = [], openingHours: String? = nil,
        specialHours: [SpecialHour]? = nil, timeZone: String? = nil, openState: BusinessOpenState? = nil,
        confirmedAt: String? = nil, checked: String? = nil, menus: [Menu] = []
    ) {
        (self.id, self.name, self.slug, self.description) = (id, name, slug, description)
        (self.categoryName, self.categorySlug) = (categoryName, categorySlug)
        (self.address, self.latitude, self.longitude) = (address, latitude, longitude)
        (self.phone, self.email, self.website) = (phone, email, website)
        (self.hours, self.menus, self.openingHours, self.specialHours) = (hours, menus, openingHours, specialHours)
        (self.timeZone, self.openState, self.confirmedAt, self.checked) = (timeZone, openState, confirmedAt, checked)
    }

    /// Decodes a business of a response.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let business = try Business(from: decoder)
        self.init(
            id: business.id, name: business.name, slug: business.slug, description: business.description,
            categoryName: business.categoryName, categorySlug: business.categorySlug, address: business.address,
            latitude: business.latitude, longitude: business.longitude, phone: business.phone, email: business.email,
            website: business.website, hours: try members.decode([BusinessHour].self, forKey: .hours),
            openingHours: try members.decodeIfPresent(String.self, forKey: .openingHours),
            specialHours: try members.decodeIfPresent([SpecialHour].self, forKey: .specialHours),
            timeZone: try members.decodeIfPresent(String.self, forKey: .timeZone), openState: business.openState,
            confirmedAt: business.confirmedAt, checked: try members.decodeIfPresent(String.self, forKey: .checked),
            menus: try members.decode([Menu].self, forKey: .menus))
    }
}
