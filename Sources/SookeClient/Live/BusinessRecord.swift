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
    let menus: [Menu]

    private enum CodingKeys: String, CodingKey {
        case id, name, slug, description, address, latitude, longitude, phone, email, website, hours, menus
        case categorySlug = "category_slug"
    }
}
