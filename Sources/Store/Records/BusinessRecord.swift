import Bytes
import JSON
import SookeModel

/// A business as a version of the town holds it, with what answers need of it encoded once.
///
/// A listed business is `head`, its category's `reference`, `middle`, today's hours or null, and `}`; a detail has
/// `tail` in the place of the brace.
public final class BusinessRecord: Sendable {
    /// The business itself.
    public let value: Business
    /// The number of its category, nil when it has none and is not shown.
    public let categoryID: Int?
    /// The members from `id` to `description`, with the opening brace and a last comma.
    public let head: [UInt8]
    /// The members from `address` to `website`, and the key of `today_hours`, with a comma before.
    public let middle: [UInt8]
    /// The business as a part of an event at it: `"business_name":…,"business_slug":…`.
    public let reference: [UInt8]
    /// The name as `CaseFolding` folds it, to be searched in.
    public let foldedName: [UInt8]
    let nameKey: NameKey

    init(_ value: Business, categoryID: Int?) {
        self.value = value
        self.categoryID = categoryID
        nameKey = NameKey(name: value.name, id: value.id)
        foldedName = CaseFolding.fold(value.name)
        head = RecordHead.encode(
            id: value.id, name: value.name, slug: value.slug, description: value.description)
        middle = Self.encodeMiddle(value)
        reference = referenceMembers(of: "business", name: value.name, slug: value.slug)
    }

    /// The two members that name no category.
    public static let noCategory = referenceMembers(of: "category", name: nil, slug: nil)

    /// Where it is.
    public var coordinates: Coordinates? {
        Coordinates(latitude: value.latitude, longitude: value.longitude)
    }

    /// The hours of a day of the week (0 is Sunday), nil when nobody said.
    public func hours(on dayOfWeek: Int) -> DayHours? {
        value.hours.first { $0.dayOfWeek == dayOfWeek }
    }

    /// The members `hours` and `menus` of a detail, with a comma before and the closing brace.
    public var tail: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("hours")
        writer.beginArray()
        for day in value.hours { day.write(to: &writer, withID: false) }
        writer.endArray()
        writer.key("menus")
        writer.beginArray()
        for menu in value.menus { menu.sortedByName.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        var bytes = writer.bytes
        bytes[0] = UInt8(ascii: ",")
        return bytes
    }

    private static func encodeMiddle(_ value: Business) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("address", value.address)
        writer.member("latitude", value.latitude)
        writer.member("longitude", value.longitude)
        writer.member("phone", value.phone)
        writer.member("email", value.email)
        writer.member("website", value.website)
        writer.key("today_hours")
        var bytes = writer.bytes
        bytes[0] = UInt8(ascii: ",")
        return bytes
    }
}

extension Menu {
    /// The menu with its items in the order of their names.
    var sortedByName: Menu {
        var menu = self
        menu.items =
            items
            .map { (key: NameKey(name: $0.name, id: $0.id), item: $0) }
            .sorted { $0.key < $1.key }
            .map(\.item)
        return menu
    }
}
