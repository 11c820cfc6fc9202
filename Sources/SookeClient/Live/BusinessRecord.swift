/// A business in the feed. It refers to its category by slug.
struct BusinessRecord: Codable, Sendable, Hashable {
    let id: Int64
    let name: String
    let slug: String
    let description: String?
    let categorySlug: String?
    let address: String
    let latitude: Double
    let longitude: Double
    let phone: String?
    let email: String?
    let website: String?
    let hours: [BusinessHour]
    let openingHours: String?
    /// Nil when it has none.
    let specialHours: [SpecialHour]?
    let timeZone: String?
    let confirmedAt: String?
    let menus: [Menu]

    private enum CodingKeys: String, CodingKey {
        case id, name, slug, description, address, latitude, longitude, phone, email, website, hours, menus
        case categorySlug = "category_slug"
        case openingHours = "opening_hours"
        case specialHours = "special_hours"
        case timeZone = "time_zone"
        case confirmedAt = "confirmed_at"
    }
}

extension BusinessRecord {
    /// Its hours in all forms.
    var allHours: BusinessHours { BusinessHours(hours, text: openingHours, special: specialHours) }
}
