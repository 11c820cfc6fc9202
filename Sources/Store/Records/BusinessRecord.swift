import Bytes
import JSON
import SookeModel

/// A business in a version of the town: compact, with the parts of responses encoded once.
///
/// Its texts are stored once, as responses contain them. `value` decodes the business.
public final class BusinessRecord: Sendable {
    // The properties that lists read come first, in the cache line of the object's header.

    /// The ID of the category; nil for a business without category, which is not listed.
    public let categoryID: Int?
    private let text: BusinessText
    /// The unique ID; never reused.
    public let id: Int
    /// The slug in its address.
    public let slug: Slug
    /// The slug of the category.
    public let category: Slug?
    /// The ID of the owner.
    public let ownerID: Int?
    /// The former slugs.
    public let formerSlugs: [Slug]
    /// The location.
    public let coordinates: Coordinates?
    /// The times of creation and of the last change.
    public let times: RecordTimes
    let nameKey: NameKey
    private let menus: [Menu]
    private let lazyDigest = LazyDigest()

    /// - Parameter old: the business before a change; if it has the same name, its collation key is reused.
    init(_ value: Business, categoryID: Int?, after old: BusinessRecord? = nil) {
        (id, slug, category, self.categoryID) = (value.id, value.slug, value.category, categoryID)
        (ownerID, formerSlugs, menus, times) = (value.ownerID, value.formerSlugs, value.menus, value.times)
        coordinates = Coordinates(latitude: value.latitude, longitude: value.longitude)
        text = BusinessText(value)
        if let old, old.id == id, old.text.name.elementsEqual(text.name) {
            nameKey = old.nameKey
        } else {
            nameKey = NameKey(name: value.name, id: value.id)
        }
    }

    /// The two members of a business without category.
    public static let noCategory = referenceMembers(of: "category", name: nil, slug: nil)

    /// The members of an event that refer to its business: `"business_name":…,"business_slug":…`.
    public var reference: [UInt8] {
        var text = [UInt8]("\"business_name\":")
        text.append(contentsOf: self.text.name)
        text.append(",\"business_slug\":")
        text.append(contentsOf: self.text.slug)
        return text
    }

    /// Whether another business has the same name, byte for byte.
    func hasSameName(as other: BusinessRecord) -> Bool { text.name == other.text.name }

    /// The name as folded by `CaseFolding`, for searches.
    var foldedName: [UInt8] {
        let literal = text.name.dropFirst().dropLast()
        // Most names need no escapes; then the literal has the bytes of the name.
        let isPlain = !literal.contains(UInt8(ascii: "\\"))
        return CaseFolding.fold(isPlain ? String(decoding: literal, as: UTF8.self) : value.name)
    }

    /// Appends the business as in a list.
    ///
    /// - Parameters:
    ///   - category: the two members that refer to its category.
    ///   - dayOfWeek: today (0 is Sunday), for the hours of today; null without it.
    public func append(to object: inout [UInt8], category: Span<UInt8>, on dayOfWeek: Int) {
        text.append(to: &object, category: category, on: dayOfWeek, end: "}")
    }

    /// Appends the business with its hours and menus; see `append`.
    public func appendDetail(to object: inout [UInt8], category: Span<UInt8>, on dayOfWeek: Int) {
        text.append(to: &object, category: category, on: dayOfWeek, end: ",")
        object.append { writer in
            writer.key("hours")
            text.writeHours(to: &writer, withID: false)
            writer.key("menus")
            writer.beginArray()
            for menu in menus { menu.sortedByName.write(to: &writer) }
            writer.endArray()
            writer.endObject()
        }
    }
}

/// The business as a value.
extension BusinessRecord {
    /// The business, decoded.
    public var value: Business {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        text.write(to: &writer)
        writer.endObject()
        var reader = JSONReader(writer.bytes, limits: .trusted)
        do {
            var business = try Business(encoded: &reader)
            addRest(to: &business)
            business.hours = (0..<text.dayCount).map { text.day($0).value }
            return business
        } catch {
            preconditionFailure("the business \(id) cannot be read back: \(error)")
        }
    }

    /// Writes the business in the dataset form, the same bytes as `value.write`, mostly by copying.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        text.write(to: &writer)
        var rest = Business()
        addRest(to: &rest)
        rest.writeFields(Self.beforeHours, to: &writer)
        writer.key("hours")
        text.writeHours(to: &writer, withID: true)
        rest.writeFields(Self.afterHours, to: &writer)
        writer.endObject()
    }

    /// The output of `write`.
    public var written: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1024)
        write(to: &writer)
        return writer.bytes
    }

    /// The digest of `written`; see `StoredRecord.digest`.
    public var digest: UInt64 { lazyDigest.get { XXH64.digest(written.span) } }

    /// Sets the fields that are not in the text.
    private func addRest(to business: inout Business) {
        (business.ownerID, business.category) = (ownerID, category)
        (business.formerSlugs, business.menus, business.times) = (formerSlugs, menus, times)
    }

    // The fields that follow those of the text, around the hours.
    private static let beforeHours: FieldSet<Business> = ["owner_id", "category"]
    private static let afterHours = BusinessText.rest.subtracting(["owner_id", "category", "hours"])
}

extension Menu {
    /// The menu with its items sorted by name.
    public var sortedByName: Menu {
        var menu = self
        menu.items =
            items
            .map { (key: NameKey(name: $0.name, id: $0.id), item: $0) }
            .sorted { $0.key < $1.key }
            .map(\.item)
        return menu
    }
}

/// The hours and texts of a business in one buffer, because a list of a large town finds none of them in a cache.
///
/// The rows of hours come first, then the members of responses, where the category is inserted between `description`
/// and `address`, and finally the key of `today_hours`.
struct BusinessText: Sendable {
    private let bytes: [UInt8]
    private let hoursEnd: UInt32
    /// The ends of the members of each of `pieces`.
    private var ends = InlineArray<5, UInt32>(repeating: 0)

    /// The pieces that are accessed separately: the ID, the name, the slug, the other members before the category, and
    /// the members after it.
    private static let pieces: [FieldSet<Business>] = {
        let (description, end) = (Business.fields.knownIndex(of: "description"), firstOfRest)
        return [0..<1, 1..<2, 2..<3, 3..<description + 1, description + 1..<end].map { FieldSet($0) }
    }()
    private static let (name, slug, headEnd, tailEnd) = (1, 2, 3, 4)

    private static let firstOfRest = Business.fields.knownIndex(of: "owner_id")

    /// The fields that are not in the text; they follow those that are.
    static let rest = FieldSet<Business>.all.subtracting(FieldSet(0..<firstOfRest))

    /// Encodes the hours and texts of a business.
    init(_ value: Business) {
        let hoursEnd = value.hours.count * CompactDayHours.byteCount
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        for (index, fields) in Self.pieces.enumerated() {
            value.writeFields(fields, to: &writer)
            ends[index] = UInt32(hoursEnd + writer.bytes.count + (index > Self.headEnd ? 1 : 0))
        }
        writer.key("today_hours")
        let headEnd = Int(ends[Self.headEnd]) - hoursEnd
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hoursEnd + writer.bytes.count + 1)
        bytes.append(addingCapacity: hoursEnd) { for day in value.hours { CompactDayHours(day).append(to: &$0) } }
        bytes.append(contentsOf: writer.bytes[..<headEnd])
        // The comma before the category, whose members are inserted here.
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: writer.bytes[headEnd...])
        (self.bytes, self.hoursEnd) = (bytes, UInt32(hoursEnd))
    }

    /// The range of the members of a piece, without braces or commas around them.
    private func place(_ index: Int) -> Range<Int> {
        let before = index == 0 ? hoursEnd : ends[index - 1]
        return Int(before) + (index > Self.headEnd ? 2 : 1)..<Int(ends[index])
    }

    /// Appends the members as in a list, and the end; see `BusinessRecord.append`.
    ///
    /// Uses spans, because slices would cost five retain and release pairs per business, at 100 businesses a page.
    @inline(__always)
    func append(to object: inout [UInt8], category: Span<UInt8>, on dayOfWeek: Int, end: StaticString) {
        let (start, middle) = (Int(hoursEnd), Int(ends[Self.headEnd]) + 1)
        let bytes = bytes.span
        let capacity = bytes.count - start + category.count + DayHours.longestForm + end.utf8CodeUnitCount
        object.append(addingCapacity: capacity) { object in
            object.append(copying: bytes.extracting(start..<middle))
            object.append(copying: category)
            object.append(copying: bytes.extracting(middle...))
            Self.appendHours(of: dayOfWeek, in: bytes.extracting(..<start), to: &object)
            object.append(end)
        }
    }

    @inline(__always)
    private static func appendHours(of dayOfWeek: Int, in rows: Span<UInt8>, to object: inout OutputSpan<UInt8>) {
        for place in stride(from: 0, to: rows.count, by: CompactDayHours.byteCount) {
            let day = CompactDayHours(in: rows.bytes, at: place)
            if day.dayOfWeek == dayOfWeek { return day.value.write(to: &object, withID: false) }
        }
        object.append("null")
    }

    /// Writes the members into an object in the dataset form.
    func write(to writer: inout JSONWriter) {
        writer.members(raw: bytes[place(0).lowerBound..<place(Self.headEnd).upperBound])
        writer.members(raw: bytes[place(Self.tailEnd)])
    }

    /// The name as a JSON literal.
    var name: ArraySlice<UInt8> { bytes[place(Self.name)].dropFirst(Self.nameKey.utf8CodeUnitCount) }

    /// The slug as a JSON literal.
    var slug: ArraySlice<UInt8> { bytes[place(Self.slug)].dropFirst(Self.slugKey.utf8CodeUnitCount) }

    private static let nameKey: StaticString = "\"name\":"
    private static let slugKey: StaticString = "\"slug\":"

    /// The number of days with hours.
    var dayCount: Int { Int(hoursEnd) / CompactDayHours.byteCount }

    /// The hours of the day at an index below `dayCount`.
    func day(_ index: Int) -> CompactDayHours {
        CompactDayHours(in: bytes.span.bytes, at: index * CompactDayHours.byteCount)
    }

    /// Writes all hours as an array, in the dataset form or as the API shows them; see `DayHours.write(to:withID:)`.
    func writeHours(to writer: inout JSONWriter, withID: Bool) {
        writer.form(capacity: 2 + dayCount * (DayHours.longestForm + 1)) { text in
            text.append("[")
            for index in 0..<dayCount {
                if index > 0 { text.append(",") }
                day(index).value.write(to: &text, withID: withID)
            }
            text.append("]")
        }
    }
}

/// The hours of a day in 16 bytes: a business has about seven of them.
struct CompactDayHours {
    static let byteCount = 16

    private let id: Int
    private let bits: UInt64

    init(_ day: DayHours) {
        id = day.id
        bits =
            UInt64(day.dayOfWeek) | UInt64(day.isClosed ? 1 : 0) << 8 | UInt64(day.opens.seconds) << 16
            | UInt64(day.closes.seconds) << 40
    }

    /// Decodes the row that `append` encoded at an offset.
    init(in bytes: RawSpan, at place: Int) {
        id = bytes.unsafeLoadUnaligned(fromByteOffset: place, as: Int.self)
        bits = bytes.unsafeLoadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
    }

    /// Appends the row to a buffer with enough capacity.
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
