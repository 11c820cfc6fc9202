import Bytes
import SookeModel

/// A business in a list: `name`, `slug`, `description`, `address`, `area`, `phone`, `email`, `website`, `confirmedAt`,
/// and what else the model has of a business. One without an address has the empty text there; `addressOrArea` is what
/// to show.
public typealias Business = Shown<SookeModel.Business, JoinedInList>
/// A business with its hours and menus, besides what a list has.
public typealias BusinessDetails = Shown<SookeModel.Business, JoinedInDetails>

/// What is joined to a business in a list.
public struct JoinedInList: JoinedToBusiness {
    /// The name of its category, if it has one.
    public internal(set) var category: String?
    /// The hours of the current day in the time zone of the request; nil if they are unknown.
    public internal(set) var todayHours: BusinessHour?
    /// Whether it was open at the time of the response; nil from servers that do not say.
    public internal(set) var openState: BusinessOpenState?
    /// False when its location is not known; else nil.
    public internal(set) var isLocated: Bool?

    private enum CodingKeys: String, CodingKey {
        case isLocated = "has_location"
        case category = "category_name"
        case todayHours = "today_hours"
        case openState = "open_state"
    }
}

/// What is joined to a business in its details.
public struct JoinedInDetails: JoinedToBusiness {
    /// The name of its category, if it has one.
    public internal(set) var category: String?
    /// Whether it was open at the time of the response; see also `openState(at:in:holidays:)`.
    public internal(set) var openState: BusinessOpenState?
    /// How long ago somebody last confirmed its hours and data, such as "3 weeks ago".
    public internal(set) var checked: String?
    /// False when its location is not known; else nil.
    public internal(set) var isLocated: Bool?

    private enum CodingKeys: String, CodingKey {
        case checked
        case isLocated = "has_location"
        case category = "category_name"
        case openState = "open_state"
    }
}

/// What is joined to a business in lists and in details.
public protocol JoinedToBusiness: Codable, Hashable, Sendable {
    /// The name of its category, if it has one.
    var category: String? { get }
    /// False when its location is not known; else nil.
    var isLocated: Bool? { get }
}

extension Shown where Value == SookeModel.Business, Joined: JoinedToBusiness {
    /// The name of its category; empty for a business without one, which only its owner can see.
    public var categoryName: String { joined.category ?? "" }
    /// The slug of its category; empty for a business without one.
    public var categorySlug: String { value.category?.text ?? "" }
    /// Whether its location is known; else `latitude` and `longitude` are those of the center of the town.
    public var hasLocation: Bool { joined.isLocated ?? (value.coordinates != nil) }
    /// Degrees north.
    public var latitude: Double { value.latitude ?? 0 }
    /// Degrees east.
    public var longitude: Double { value.longitude ?? 0 }
}

extension Business {
    /// A business for a preview or a test; its category has this name and slug.
    public init(
        id: Int64, name: String, slug: String, description: String? = nil, categoryName: String, categorySlug: String,
        address: String, latitude: Double, longitude: Double, phone: String? = nil, email: String? = nil,
        website: String? = nil, todayHours: BusinessHour? = nil
    ) {
        let value = SookeModel.Business(
            id, name, slug, description, categorySlug, address, (latitude, longitude), (phone, email, website))
        self.init(value, JoinedInList(category: categoryName, todayHours: todayHours))
    }
}

extension BusinessDetails {
    /// A business for a preview or a test; hours that are no times are left out.
    public init(
        id: Int64, name: String, slug: String, description: String? = nil, categoryName: String, categorySlug: String,
        address: String, latitude: Double, longitude: Double, phone: String? = nil, email: String? = nil,
        website: String? = nil, hours: [BusinessHour] = [], menus: [BusinessMenu] = []
    ) {
        var value = SookeModel.Business(
            id, name, slug, description, categorySlug, address, (latitude, longitude), (phone, email, website))
        value.hours = hours.compactMap { $0.row(on: $0.dayOfWeek) }
        value.menus = menus.map(\.value)
        self.init(value, JoinedInDetails(category: categoryName))
    }
}

extension SookeModel.Business {
    fileprivate init(
        _ id: Int64, _ name: String, _ slug: String, _ description: String?, _ category: String, _ address: String,
        _ place: (Double, Double), _ contact: (phone: String?, email: String?, website: String?)
    ) {
        self.init()
        (self.id, self.name, self.slug, self.description) = (Int(id), name, Slug(slug), description)
        (self.category, self.address) = (Slug(category), address)
        (latitude, longitude) = place
        (phone, email, website) = contact
    }
}

extension BusinessDetails {
    /// Its hours, by day of the week; a day without a row is unknown.
    public var hours: [BusinessHour] { value.hours.map(BusinessHour.init) }
    /// The hours of certain dates, which count instead of the others.
    public var specialHours: [SpecialHour] { value.specialHours.map(SpecialHour.init) }
    /// Its menus.
    public var menus: [BusinessMenu] { value.menus.map(BusinessMenu.init) }
}

/// Hours from one date to another, which count instead of the regular ones: `to` is nil for until further notice.
public typealias SpecialHour = Shown<SpecialHours, NothingJoined>
/// A menu of a business: its `id`, `name`, `description` and `items`.
public typealias BusinessMenu = Shown<SookeModel.Menu, NothingJoined>
/// What a menu offers: its `id`, `name`, `description` and `price`.
public typealias MenuItem = Shown<SookeModel.MenuItem, NothingJoined>

extension SpecialHour {
    /// The first day, `2026-12-24`.
    public var from: String { value.from?.text ?? "" }
    /// The opening time, `HH:MM:SS`.
    public var openTime: String { value.opens.text }
    /// The closing time, `HH:MM:SS`; at or before the opening time means on the next day.
    public var closeTime: String { value.closes.text }
}

/// Names of the app that SwiftUI has, too.
public enum AppNames {
    /// A menu of a business.
    public typealias Menu = BusinessMenu
}

extension BusinessMenu {
    /// A menu for a preview or a test.
    public init(id: Int64, name: String, description: String? = nil, items: [MenuItem]) {
        var menu = SookeModel.Menu()
        (menu.id, menu.name, menu.description, menu.items) = (Int(id), name, description, items.map(\.value))
        self.init(menu)
    }

    /// What it offers.
    public var items: [MenuItem] { value.items.map(MenuItem.init) }
}

extension MenuItem {
    /// An item for a preview or a test; a text that is no price is none.
    public init(id: Int64, name: String, description: String? = nil, price: String) {
        var item = SookeModel.MenuItem()
        (item.id, item.name, item.description, item.price) = (Int(id), name, description, Price(price) ?? .unpriced)
        self.init(item)
    }

    /// Its price with the sign of a currency of ISO 4217, such as `€14.50`; empty without a price.
    public func price(in currency: String?) -> String { value.price.text(in: currency) }
}

/// The hours of a business on one day of the week.
public struct BusinessHour: Codable, Sendable, Hashable {
    /// The day, 0 for Sunday to 6 for Saturday.
    public var dayOfWeek: Int
    /// The opening time, `HH:MM:SS`.
    public var openTime: String
    /// The closing time, `HH:MM:SS` up to `24:00:00`; at or before the opening time means on the next day.
    public var closeTime: String
    /// Whether the business is closed all day.
    public var isClosed: Bool

    private enum CodingKeys: String, CodingKey {
        case dayOfWeek = "day_of_week"
        case openTime = "open_time"
        case closeTime = "close_time"
        case isClosed = "is_closed"
    }

    /// The hours of a day.
    public init(dayOfWeek: Int, openTime: String, closeTime: String, isClosed: Bool) {
        (self.dayOfWeek, self.openTime, self.closeTime) = (dayOfWeek, openTime, closeTime)
        self.isClosed = isClosed
    }

    init(_ row: DayHours) {
        self.init(
            dayOfWeek: row.dayOfWeek, openTime: row.opens.text, closeTime: row.closes.text, isClosed: row.isClosed)
    }
    /// Nil if they are invalid.
    func row(on dayOfWeek: Int) -> DayHours? {
        if isClosed { return .closed(on: dayOfWeek) }
        guard let opens = ClockTime(openTime), let closes = ClockTime(closeTime) else { return nil }
        return DayHours(dayOfWeek: dayOfWeek, opens: opens, closes: closes)
    }
}
