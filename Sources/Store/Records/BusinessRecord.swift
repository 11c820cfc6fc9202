import Bytes
import JSON
import SookeModel

/// A business as a version of the town holds it: small, and with what answers need of it encoded once.
///
/// Its texts are kept once, as answers show them. A listed business is `head`, its category's `reference`, `middle`,
/// today's hours or null, and `}`; a detail has `tail` in the place of the brace. `value` reads the business back.
public final class BusinessRecord: Sendable {
    /// Its number.
    public let id: Int
    /// What stands in its address on the web.
    public let slug: Slug
    /// The category it is listed under; nil when it has none and is not shown.
    public let category: Slug?
    /// The number of that category.
    public let categoryID: Int?
    /// The number of the person who looks after it.
    public let ownerID: Int?
    /// The slugs it had before.
    public let formerSlugs: [Slug]
    /// Where it is.
    public let coordinates: Coordinates?
    let nameKey: NameKey
    private let hours: [CompactDayHours]
    private let menus: [Menu]
    /// `head` and `middle`.
    private let members: [UInt8]
    private let places: Places

    /// Where things end in `members`.
    private struct Places {
        let nameStart, nameEnd, slugEnd, headEnd: UInt32
    }

    init(_ value: Business, categoryID: Int?) {
        (id, slug, category, self.categoryID) = (value.id, value.slug, value.category, categoryID)
        (ownerID, formerSlugs, menus) = (value.ownerID, value.formerSlugs, value.menus)
        coordinates = Coordinates(latitude: value.latitude, longitude: value.longitude)
        nameKey = NameKey(name: value.name, id: value.id)
        hours = value.hours.map(CompactDayHours.init)
        (members, places) = Self.encode(value)
    }

    /// The members from `id` to `description`, with the opening brace and a last comma.
    public var head: ArraySlice<UInt8> { members[..<Int(places.headEnd)] }

    /// The members from `address` to `website`, and the key of `today_hours`, with a comma before.
    public var middle: ArraySlice<UInt8> { members[Int(places.headEnd)...] }

    /// The two members that name no category.
    public static let noCategory = referenceMembers(of: "category", name: nil, slug: nil)

    /// The business as a part of an event at it: `"business_name":…,"business_slug":…`.
    public var reference: [UInt8] {
        var bytes = [UInt8]("\"business_name\":")
        bytes.append(contentsOf: members[Int(places.nameStart)..<Int(places.nameEnd)])
        bytes.append(",\"business_slug\":")
        bytes.append(contentsOf: members[(Int(places.nameEnd) + Self.slugKey.utf8CodeUnitCount)..<Int(places.slugEnd)])
        return bytes
    }

    /// Whether another business is called the same, letter by letter.
    func hasSameName(as other: BusinessRecord) -> Bool {
        let (mine, others) = (places, other.places)
        return members[Int(mine.nameStart)..<Int(mine.nameEnd)]
            == other.members[Int(others.nameStart)..<Int(others.nameEnd)]
    }

    /// The name as `CaseFolding` folds it, to be searched in.
    var foldedName: [UInt8] {
        let literal = members[(Int(places.nameStart) + 1)..<(Int(places.nameEnd) - 1)]
        // Most names need no escape, and are then in the literal as they are.
        let isPlain = !literal.contains(UInt8(ascii: "\\"))
        return CaseFolding.fold(isPlain ? String(decoding: literal, as: UTF8.self) : value.name)
    }

    /// The hours of a day of the week (0 is Sunday), nil when nobody said.
    public func hours(on dayOfWeek: Int) -> DayHours? {
        hours.first { $0.dayOfWeek == dayOfWeek }?.value
    }

    /// The members `hours` and `menus` of a detail, with a comma before and the closing brace.
    public var tail: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("hours")
        writer.beginArray()
        for day in hours { day.value.write(to: &writer, withID: false) }
        writer.endArray()
        writer.key("menus")
        writer.beginArray()
        for menu in menus { menu.sortedByName.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        var bytes = writer.bytes
        bytes[0] = UInt8(ascii: ",")
        return bytes
    }
}

/// The business itself.
extension BusinessRecord {
    /// The business, read back from what is kept of it.
    public var value: Business {
        var text = Array(head.dropLast())
        text.append(contentsOf: middle.dropLast(Self.todayKey.utf8CodeUnitCount))
        text.append(UInt8(ascii: "}"))
        var reader = JSONReader(text, limits: .trusted)
        guard var business = try? Business(stored: &reader) else {
            preconditionFailure("the business \(id) cannot be read back")
        }
        (business.ownerID, business.category, business.formerSlugs) = (ownerID, category, formerSlugs)
        (business.hours, business.menus) = (hours.map(\.value), menus)
        return business
    }

    private static func encode(_ value: Business) -> (members: [UInt8], Places) {
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        writer.member("id", value.id)
        writer.key("name")
        let nameStart = writer.bytes.count
        writer.string(value.name)
        let nameEnd = writer.bytes.count
        writer.member("slug", value.slug.text)
        let slugEnd = writer.bytes.count
        writer.member("description", value.description)
        // The comma of the category, whose members come between.
        let headEnd = writer.bytes.count + 1
        writer.member("address", value.address)
        writer.member("latitude", value.latitude)
        writer.member("longitude", value.longitude)
        writer.member("phone", value.phone)
        writer.member("email", value.email)
        writer.member("website", value.website)
        writer.key("today_hours")
        var members: [UInt8] = []
        members.reserveCapacity(writer.bytes.count + 1)
        members.append(contentsOf: writer.bytes[..<headEnd])
        members.append(contentsOf: writer.bytes[(headEnd - 1)...])
        let places = Places(
            nameStart: UInt32(nameStart), nameEnd: UInt32(nameEnd), slugEnd: UInt32(slugEnd), headEnd: UInt32(headEnd))
        return (members, places)
    }

    private static let slugKey: StaticString = ",\"slug\":"
    private static let todayKey: StaticString = ",\"today_hours\":"
}

/// A day's hours in 16 bytes: a town has seven of them a business.
private struct CompactDayHours: Sendable {
    private let id: Int
    private let bits: UInt64

    init(_ day: DayHours) {
        id = day.id
        bits =
            UInt64(day.dayOfWeek) | UInt64(day.isClosed ? 1 : 0) << 8 | UInt64(day.opens.seconds) << 16
            | UInt64(day.closes.seconds) << 40
    }

    var dayOfWeek: Int { Int(bits & 0xFF) }

    var value: DayHours {
        guard let opens = ClockTime(seconds: Int(bits >> 16 & 0xFF_FFFF)),
            let closes = ClockTime(seconds: Int(bits >> 40))
        else { preconditionFailure("hours that were packed cannot be read back") }
        var day = DayHours(dayOfWeek: dayOfWeek, opens: opens, closes: closes, isClosed: bits >> 8 & 1 == 1)
        day.id = id
        return day
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
