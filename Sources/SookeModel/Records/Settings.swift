import Bytes
import JSON

/// What a town says of itself, and what its clocks and pages follow: one record, once somebody has set it.
public struct Settings: Record {
    public enum Theme: String, ChoiceValue {
        case harbour
        case cedar
        case kelp
        case heather
        case dusk
    }

    public enum MapLink: String, ChoiceValue {
        case openStreetMap = "openstreetmap"
        case google
        case apple
        /// What the device has for `geo:` addresses (RFC 5870).
        case geo
    }

    /// How many hours the clocks of pages show.
    public enum HourCycle: String, ChoiceValue {
        case twelve = "12"
        case twentyFour = "24"
    }

    public static let kind = RecordKind.settings
    public static let onlyID = 1

    public var id = Self.onlyID
    /// Empty until it is set.
    public var name = ""
    /// One sentence below the name.
    public var tagline: String?
    /// Who runs the site.
    public var runBy: String?
    public var theme = Theme.harbour
    /// Where people write to when something is wrong.
    public var contactEmail: String?
    /// Who sends its e-mail, and their postal address: the foot of each message.
    public var mailName: String?
    public var mailAddress: String?
    /// The address from which it is sent; only the server sets it, when it is told.
    public var mailFrom: String?
    public var mapLink = MapLink.openStreetMap
    /// The name of the zone of the town's clocks; nil until it is set.
    public var timeZone: String?
    /// The country by its code in ISO 3166, such as `IE`; nil until it is set.
    public var country: String?
    /// The currency of prices by its code in ISO 4217, such as `EUR`; nil for a dollar.
    public var currency: String?
    /// Nil for twelve hours.
    public var clock: HourCycle?
    /// The region whose public holidays count, such as `CA-BC`; nil until it is set.
    public var holidays: String?
    /// The public holidays of a region that is not known; they count instead.
    public var holidayDates: [HolidayDate] = []
    public var center: Coordinates?
    /// The version of the time zone data by which the stored times were last computed; only the server sets it.
    public var zoneData: String?
    /// The deleted records whose fields no history shows, such as `event/17`; with the digest of its slug, if it had
    /// one. The newest last.
    public var removed: [String] = []
    /// The hosts and addresses of links with which nothing is taken for a decision, as in `LinkText`. The newest last.
    public var blockedLinks: [String] = []
    public var times = RecordTimes()

    public init() {}

    public static let mostRemoved = 1_000
    public static let mostBlockedLinks = 200
    public static let fields = FieldTable(of: Settings.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Settings>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        let options: FieldOptions = [.shown, .setByAdministrator]
        try visitor.field("id", \.id, .id, .stored, "Always 1: there is one record")
        try visitor.field("name", \.name, .length(0...100), options, "What the town is called; at most 100 characters")
        try visitor.field("tagline", \.tagline, .length(0...200), options, "One sentence; at most 200 characters")
        try visitor.field(
            "run_by", \.runBy, .length(0...200), options.union(.leftOutWhenEmpty),
            "Who runs the site; at most 200 characters")
        try visitor.field("theme", \.theme, .any, options, "The colours of the pages")
        try visitor.field(
            "contact_email", \.contactEmail, .email, options, "Where people write to when something is wrong")
        try visitor.field(
            "mail_name", \.mailName, .length(0...100), [options, .leftOutWhenEmpty],
            "Who sends its e-mail, instead of its name; at most 100 characters")
        try visitor.field(
            "mail_address", \.mailAddress, .length(0...200), [options, .leftOutWhenEmpty],
            "Their postal address, at the foot of each message; at most 200 characters")
        try visitor.field("map_link", \.mapLink, .any, options, "What opens directions")
        try visitor.field(
            "time_zone", \.timeZone, .timeZone, options, "The clocks of the town: the name of a time zone")
        try visitor.field(
            "country", \.country, .length(0...2), [options, .leftOutWhenEmpty], "Its code in ISO 3166, such as IE")
        try visitor.field(
            "currency", \.currency, .length(0...3), [options, .leftOutWhenEmpty],
            "That of prices: its code in ISO 4217, such as EUR; a dollar where it is left out")
        try visitor.field(
            "clock", \.clock, .any, [options, .leftOutWhenEmpty],
            "How many hours the clocks of pages show; 12 where it is left out")
        try visitor.field(
            "holidays", \.holidays, .length(0...20), options, "The region whose public holidays count, such as CA-BC")
        try visitor.field(
            "holiday_dates", \.holidayDates, .any, options,
            "The public holidays, where those of no region fit: up to 200 dates; after the last one they are not known")
        try visitor.field("center", \.center, .any, options, "Where the town is: latitude,longitude in degrees")
        try visitor.field(
            "zone_data", \.zoneData, .length(0...40), .leftOutWhenEmpty,
            "The version of the time zone data by which its times were last computed")
        try visitor.field(
            "mail_from", \.mailFrom, .length(0...400), .leftOutWhenEmpty, "The address from which e-mail is sent")
        try visitor.field(
            "removed", \.removed, .any, .leftOutWhenEmpty, "The deleted records whose fields no history shows")
        try visitor.field(
            "blocked_links", \.blockedLinks, .any, [.setByAdministrator, .leftOutWhenEmpty],
            "Hosts and addresses, such as spam.example: proposals with a link to one are refused; at most 200")
    }

    /// What pages and calendars call the town, also one without a name.
    public var title: String { name.isEmpty ? "Our town" : name }
    public var label: String { title }

    public var has24Hours: Bool { clock == .twentyFour }

    public func checkStored(_ problems: inout FieldProblems) {
        problems.require(id == Self.onlyID, "id", "must be \(Self.onlyID): a town has one record of settings")
    }

    public func checkInput(_ problems: inout FieldProblems) {
        for (field, code, length) in [("country", country, 2), ("currency", currency, 3)] {
            let isCode = code?.utf8.allSatisfy { 0x41...0x5A ~= $0 } ?? true
            problems.require(
                isCode && code?.utf8.count ?? length == length, field,
                "must be the \(length) capital letters of its code")
        }
        let (links, most) = (blockedLinks, Self.mostBlockedLinks)
        problems.require(
            links.count <= most, "blocked_links", "has \(links.count) entries, at most \(most) are allowed")
        for link in links.prefix(most) where LinkText(link)?.address.hasSameBytes(as: link) != true {
            problems.add("blocked_links", "must have hosts and addresses such as spam.example, not \(link.excerpt())")
        }
        guard let holidays, !Holidays.regions.contains(where: holidays.hasSameBytes) else { return }
        problems.add(
            "holidays", "must be one of \(Holidays.regions.joined(separator: ", ")), not \"\(holidays.excerpt())\"")
    }
}

extension RecordKind {
    public static let settings = RecordKind("settings", collection: "settings", reach: .feed)

    /// Whether a town has at most one record of the kind, with an ID that is not assigned.
    public var hasOneRecord: Bool { self == .settings }

    /// Whether editors change the records: those of the kinds in the feed, but not the settings of the town.
    public var isEditable: Bool { isInFeed && !hasOneRecord }
}

public struct HolidayDate: FieldsElement {
    public static let schemaName = "holiday_date"

    /// The first day of all in a row that does not pass validation.
    public var date = CivilDate(daysSinceEpoch: 0)
    public var name = ""

    public init() {}

    public init(_ date: CivilDate, _ name: String) {
        (self.date, self.name) = (date, name)
    }

    public static let fields = FieldTable(of: HolidayDate.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<HolidayDate>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("date", \.date, .any, [.open, .required], "The day")
        try visitor.field(
            "name", \.name, .length(1...100), [.open, .required], "What it is called; at most 100 characters")
    }

    /// The most rows of a town: those of ten years and more.
    public static let mostRows = 200

    public static func validateList(_ list: [HolidayDate], _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(
            list.count <= mostRows, "\(field)", "has \(list.count) rows, at most \(mostRows) are allowed")
        var days: Set<Int> = []
        for (index, row) in list.enumerated() where !days.insert(row.date.daysSinceEpoch).inserted {
            problems.add("\(field)[\(index)].date", "stands twice: \(row.date.text)")
        }
    }
}
