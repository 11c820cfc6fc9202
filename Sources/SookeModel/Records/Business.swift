import Bytes
import JSON

/// A business, with its hours and menus.
public struct Business: NamedRecord {
    /// What holds on public holidays of which its hours say nothing.
    public enum PublicHolidays: String, ChoiceValue {
        case closed
        case asUsual = "as_usual"
        /// Each holiday is to be confirmed by itself.
        case ask
    }

    public static let kind = RecordKind.business

    public var id = 0
    public var ownerID: Int?
    /// Its category; a business without one is not listed.
    public var category: Slug?
    public var name = ""
    /// Its slug; empty until it is made from the name.
    public var slug = Slug("")
    public var description: String?
    public var phone: String?
    /// The empty text for none; so is `website`.
    public var email: String?
    public var website: String?
    /// Street and house number; the empty text for none.
    public var address = ""
    /// Where it works, in words, which stands in the place of an address.
    public var area: String?
    /// Degrees north; nil only in a record that does not pass validation.
    public var latitude: Double?
    /// Degrees east; nil only in a record that does not pass validation.
    public var longitude: Double?
    public var hours: [DayHours] = []
    /// Its hours in the syntax of OpenStreetMap; they count instead of `hours`, which contain their weekly part.
    public var openingHours: String?
    /// The hours of certain dates, which count instead of the others.
    public var specialHours: [SpecialHours] = []
    /// Nil when nobody has said it.
    public var publicHolidays: PublicHolidays?
    /// The name of its time zone; nil for that of the town.
    public var timeZone: String?
    public var confirmedAt: Timestamp?
    /// The ID of the user who did; nil without an account, or when it was deleted.
    public var confirmedBy: Int?
    /// By ID.
    public var menus: [Menu] = []
    /// Its former slugs, which redirect to it unless another business has them.
    public var formerSlugs: [Slug] = []
    public var times = RecordTimes()

    public init() {}

    public static let fields = FieldTable(of: Business.self)

    public static let shown = FieldSet<Business>(where: { $0.contains(.shown) })

    public static let listed = FieldSet<Business>(where: { $0.contains(.shown) && !$0.contains(.onlyInDetail) })

    public static let references: [Reference<Business>] = [
        Reference("category", to: .category, .optionalSlug(\.category)),
        Reference("owner_id", toPerson: \.ownerID, column: "owner"),
        Reference("confirmed_by", toPerson: \.confirmedBy, column: nil),
    ]

    public static let csvLayout: CSVLayout<Business>? = CSVLayout(
        first: ["name", "slug", "category"], ownColumn: "address", hours: \Business.hours,
        distinction: .text("address", \Business.address))

    @inlinable @inline(__always)
    public static func visit<Visitor: FieldVisitor<Business>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Unique ID; never reused")
        try visitor.field(
            "name", \.name, .length(TextRules.name), [.open, .required], "What people call it; at most 500 characters")
        try visitor.field(
            "slug", \.slug, .own, .reserved, "Its part of the address; made from the name when it is left out")
        try visitor.field(
            "description", \.description, .length(TextRules.description), .open,
            "What it is about; at most 10,000 characters")
        try visitor.field(
            "address", \.address, .length(TextRules.address), .open,
            "Street and house number; the empty text for one without an address, such as a mobile trade")
        try visitor.field(
            "latitude", \.latitude, .latitude, .open, "Degrees north, -90 to 90; null until its location is known")
        try visitor.field("longitude", \.longitude, .longitude, .open, "Degrees east, -180 to 180")
        try visitor.field(
            "phone", \.phone, .length(TextRules.phone), .open, "How to call it; at most 50 characters")
        try visitor.field("email", \.email, .email, .open, "How to write to it")
        try visitor.field("website", \.website, .website, .open, "Its own pages; an http or https address")
        try visitor.field(
            "area", \.area, .length(TextRules.area), [.open, .leftOutWhenEmpty],
            "Where it works, in words, if it has no address, such as in Sooke and around; at most 100 characters")
        try visitor.field(
            "owner_id", \.ownerID, .reference, [.setByAdministrator, .column],
            "The ID of its owner; only administrators set it")
        try visitor.field(
            "category", \.category, .reference, .reference, "The slug of its category; without one it is not listed")
        try visitor.field(
            "hours", \.hours, .any, [.open, .onlyInDetail],
            """
            When it is open in a week; requests may have several rows a day, responses show the first opening to the \
            last closing
            """)
        try visitor.field(
            "opening_hours", \.openingHours, .openingHours, [.open, .onlyInDetail, .leftOutWhenEmpty],
            """
            When it is open, in the syntax of OpenStreetMap, such as Mo-Fr 09:00-17:00; PH off; it counts instead of \
            hours
            """)
        try visitor.field(
            "special_hours", \.specialHours, .any, [.shown, .onlyInDetail, .setByOwner, .leftOutWhenEmpty],
            "The hours of certain dates, such as a holiday or a closure; they count instead of the others")
        try visitor.field(
            "public_holidays", \.publicHolidays, .any, [.open, .onlyInDetail, .leftOutWhenEmpty],
            "What holds on public holidays that its hours do not name; with ask, and without it, nothing is confirmed")
        try visitor.field(
            "time_zone", \.timeZone, .timeZone, [.open, .onlyInDetail, .leftOutWhenEmpty],
            "The time zone of its hours; null for the time zone of the town")
        try visitor.field("menus", \.menus, .any, [.shown, .onlyInDetail, .setByOwner], "What it serves")
        try visitor.field("former_slugs", \.formerSlugs, .any, .leftOutWhenEmpty, "The slugs it had before")
        try visitor.field(
            "confirmed_at", \.confirmedAt, .any, [.shown, .leftOutWhenEmpty],
            "When somebody last confirmed that its hours and data are right")
        try visitor.field("confirmed_by", \.confirmedBy, .reference, .leftOutWhenEmpty, "The ID of the user who did")
    }

    public func checkInput(_ problems: inout FieldProblems) {
        if (latitude == nil) != (longitude == nil) {
            problems.add(latitude == nil ? "latitude" : "longitude", "is missing; a place needs both numbers")
        }
        problems.require(
            hours.count <= Self.mostHours, "hours", "has \(hours.count) rows, at most \(Self.mostHours) are allowed")
        guard hours.count > 1 else { return }
        for (index, day) in hours.enumerated() where day.isClosed {
            let isAlone = hours.count { $0.dayOfWeek == day.dayOfWeek } == 1
            problems.require(isAlone, "hours[\(index)].is_closed", "is true, but the day has another row")
        }
    }

    /// What its hours say of all public holidays; nil for nothing.
    public var holidayRule: HoursRule? { openingHours.flatMap { try? OpeningHours($0) }?.holidayRule }

    /// What hours as a text say of public holidays counts, and goes with them.
    public mutating func derive(from given: FieldSet<Business>, since before: Business) {
        deriveHours(from: given)
        guard !given.isDisjoint(with: ["hours", "opening_hours", "public_holidays"]) else { return }
        if let rule = holidayRule {
            publicHolidays = rule.isClosedHoliday ? .closed : nil
        } else if !given.contains("public_holidays"), before.holidayRule != nil {
            publicHolidays = nil
        }
    }

    /// Sets the weekly hours to those of a text, and removes the text when only weekly hours were given.
    private mutating func deriveHours(from given: FieldSet<Business>) {
        if given.contains("opening_hours"), let text = openingHours {
            // An invalid text is a problem of its field.
            guard let text = try? OpeningHours(text) else { return }
            let week = text.week ?? []
            sortHours()
            // Rows that came with the text, as in an export, have IDs.
            let isSame = hours.elementsEqual(week) { $0.isSameTime(as: $1) }
            if !isSame { hours = week }
        } else if given.contains("hours") {
            openingHours = nil
        }
    }

    /// By day and opening time, as they are stored.
    public mutating func sortHours() {
        // Most are sorted already, and writing to an array that is shared with another record copies it.
        if hours.isAscending(by: \.dayOfWeek) { return }
        hours.sort { ($0.dayOfWeek, $0.opens) < ($1.dayOfWeek, $1.opens) }
    }

    public static let mostHours = 70
}

extension Business {
    @inlinable public var coordinates: Coordinates? { Coordinates(latitude: latitude, longitude: longitude) }

    public static var isOnMap: Bool { true }

    @inlinable public var addressOrArea: String { address.isEmpty ? area ?? "" : address }

    /// Whether it comes to its customers: its location, if it has one, is not where they find it.
    @inlinable public var isMobile: Bool { address.isEmpty && area?.isEmpty == false }

    /// Those without a category are seen by those who manage them.
    @inlinable public var audience: Audience { category != nil ? .everyone : .only(person: nil, business: slug) }

    public static var hasRights: Bool { true }

    @inlinable public var rights: Rights? { Rights(person: ownerID, business: slug) }

    private static let shownAsStored = shown.subtracting(["hours", "menus"])
    /// The fields on which the form depends.
    private static let visible = shown.union(["category"])

    public func hasSameFeedForm(as later: Business) -> Bool { difference(from: later).isDisjoint(with: Self.visible) }

    /// The hours have a row for each day, and the menus are by name.
    public func writeFeedForm(to writer: inout JSONWriter) {
        writeFields(Self.shownAsStored, to: &writer)
        writer.member("category_slug", category?.text)
        writer.key("hours")
        writer.beginArray()
        for day in hours { day.writeShown(to: &writer) }
        writer.endArray()
        writer.key("menus")
        writer.beginArray()
        for menu in menus { menu.sortedByName.write(to: &writer) }
        writer.endArray()
    }
}

extension RecordKind {
    public static let business = RecordKind("business", collection: "businesses", reach: .feed)
}
