import Bytes
import JSON
import SookeModel

/// A business as a version of the town holds it: small, and with what answers need of it encoded once.
///
/// Its texts are kept once, as answers show them. A listed business is `head`, its category's `reference`, `middle`,
/// today's hours or null, and `}`; a detail has `tail` in the place of the brace. `value` reads the business back.
public final class BusinessRecord: Sendable {
    // What a list looks at comes first, in the cache line that a reference to the record brings.

    /// The rows of hours, `head` and `middle`, in one place of memory: a list of a large town finds none of it in a cache.
    private let bytes: [UInt8]
    private let places: Places
    /// The number of the category; nil when it has none and is not shown.
    public let categoryID: Int?
    /// Its number.
    public let id: Int
    /// What stands in its address on the web.
    public let slug: Slug
    /// The category it is listed under.
    public let category: Slug?
    /// The number of the person who looks after it.
    public let ownerID: Int?
    /// The slugs it had before.
    public let formerSlugs: [Slug]
    /// Where it is.
    public let coordinates: Coordinates?
    let nameKey: NameKey
    private let menus: [Menu]

    /// Where things end in `bytes`.
    private struct Places {
        let hoursEnd, nameStart, nameEnd, slugEnd, headEnd: UInt32
    }

    /// - Parameter old: the business before a change; with the same name, its place in the order of names is the same.
    init(_ value: Business, categoryID: Int?, after old: BusinessRecord? = nil) {
        (id, slug, category, self.categoryID) = (value.id, value.slug, value.category, categoryID)
        (ownerID, formerSlugs, menus) = (value.ownerID, value.formerSlugs, value.menus)
        coordinates = Coordinates(latitude: value.latitude, longitude: value.longitude)
        (bytes, places) = Self.encode(value)
        if let old, old.id == id, old.name == bytes[Int(places.nameStart)..<Int(places.nameEnd)] {
            nameKey = old.nameKey
        } else {
            nameKey = NameKey(name: value.name, id: value.id)
        }
    }

    /// The members from `id` to `description`, with the opening brace and a last comma.
    public var head: ArraySlice<UInt8> { bytes[Int(places.hoursEnd)..<Int(places.headEnd)] }

    /// The members from `address` to `website`, and the key of `today_hours`, with a comma before.
    public var middle: ArraySlice<UInt8> { bytes[Int(places.headEnd)...] }

    /// The two members that name no category.
    public static let noCategory = referenceMembers(of: "category", name: nil, slug: nil)

    /// The business as a part of an event at it: `"business_name":…,"business_slug":…`.
    public var reference: [UInt8] {
        var text = [UInt8]("\"business_name\":")
        text.append(contentsOf: name)
        text.append(",\"business_slug\":")
        text.append(contentsOf: bytes[(Int(places.nameEnd) + Self.slugKey.utf8CodeUnitCount)..<Int(places.slugEnd)])
        return text
    }

    /// The name as JSON writes it.
    private var name: ArraySlice<UInt8> { bytes[Int(places.nameStart)..<Int(places.nameEnd)] }

    /// Whether another business is called the same, letter by letter.
    func hasSameName(as other: BusinessRecord) -> Bool { name == other.name }

    /// The name as `CaseFolding` folds it, to be searched in.
    var foldedName: [UInt8] {
        let literal = name.dropFirst().dropLast()
        // Most names need no escape, and are then in the literal as they are.
        let isPlain = !literal.contains(UInt8(ascii: "\\"))
        return CaseFolding.fold(isPlain ? String(decoding: literal, as: UTF8.self) : value.name)
    }

    /// The hours of a day of the week (0 is Sunday), nil when nobody said.
    public func hours(on dayOfWeek: Int) -> DayHours? {
        (0..<dayCount).lazy.map(day).first { $0.dayOfWeek == dayOfWeek }?.value
    }

    private var dayCount: Int { Int(places.hoursEnd) / CompactDayHours.byteCount }

    private func day(_ index: Int) -> CompactDayHours {
        bytes.withUnsafeBytes { CompactDayHours(in: $0, at: index * CompactDayHours.byteCount) }
    }

    /// Has the processor fetch what a list shows of it.
    func prefetch() { bytes.prefetch() }

    /// The members `hours` and `menus` of a detail, with a comma before and the closing brace.
    public var tail: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 64 + dayCount * DayHours.longestForm)
        writer.beginObject()
        writer.key("hours")
        writer.beginArray()
        for index in 0..<dayCount { day(index).value.write(to: &writer, withID: false) }
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
        do {
            var business = try Business(stored: &reader)
            addRest(to: &business)
            return business
        } catch {
            preconditionFailure("the business \(id) cannot be read back: \(error)")
        }
    }

    /// Writes the business in the dataset form, most of which is here as it is: the bytes that `value` writes.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.members(raw: head.dropFirst().dropLast())
        writer.members(raw: middle.dropFirst().dropLast(Self.todayKey.utf8CodeUnitCount))
        var rest = Business()
        addRest(to: &rest)
        rest.writeRest(to: &writer)
        writer.endObject()
    }

    /// Gives a business what is kept outside of the text.
    private func addRest(to business: inout Business) {
        (business.ownerID, business.category, business.formerSlugs) = (ownerID, category, formerSlugs)
        (business.hours, business.menus) = ((0..<dayCount).map { day($0).value }, menus)
    }

    private static func encode(_ value: Business) -> (bytes: [UInt8], Places) {
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
        value.writeContact(to: &writer)
        writer.key("today_hours")
        var bytes: [UInt8] = []
        let hoursEnd = value.hours.count * CompactDayHours.byteCount
        bytes.reserveCapacity(hoursEnd + writer.bytes.count + 1)
        let hours = value.hours
        bytes.append(addingCapacity: hoursEnd) { for day in hours { CompactDayHours(day).append(to: &$0) } }
        bytes.append(contentsOf: writer.bytes[..<headEnd])
        bytes.append(contentsOf: writer.bytes[(headEnd - 1)...])
        let places = Places(
            hoursEnd: UInt32(hoursEnd), nameStart: UInt32(hoursEnd + nameStart), nameEnd: UInt32(hoursEnd + nameEnd),
            slugEnd: UInt32(hoursEnd + slugEnd), headEnd: UInt32(hoursEnd + headEnd))
        return (bytes, places)
    }

    private static let slugKey: StaticString = ",\"slug\":"
    private static let todayKey: StaticString = ",\"today_hours\":"
}

/// A day's hours in 16 bytes: a town has seven of them a business.
private struct CompactDayHours {
    static let byteCount = 16

    private let id: Int
    private let bits: UInt64

    init(_ day: DayHours) {
        id = day.id
        bits =
            UInt64(day.dayOfWeek) | UInt64(day.isClosed ? 1 : 0) << 8 | UInt64(day.opens.seconds) << 16
            | UInt64(day.closes.seconds) << 40
    }

    /// The row that `append` put at a place.
    init(in bytes: UnsafeRawBufferPointer, at place: Int) {
        id = bytes.loadUnaligned(fromByteOffset: place, as: Int.self)
        bits = bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
    }

    /// Appends the row to bytes that have room for it.
    func append(to bytes: inout OutputSpan<UInt8>) {
        withUnsafeBytes(of: (id, bits)) { bytes.append(copying: $0.assumingMemoryBound(to: UInt8.self)) }
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
