import Bytes
import SookeModel

/// An event of a calendar, with the changes of its single occurrences.
struct CalendarEntry: Sendable {
    var line: Int
    /// Where it and the changes of its occurrences are in the text.
    var source: [Range<Int>] = []
    var uid = ""
    /// With the start of a single date of another event; empty for what is no event.
    var key = ""
    var summary = ""
    var description: String?
    /// `X-ALT-DESC`: HTML, for a program that reads no other.
    var otherDescription: String?
    var start: CalendarMoment?
    var end: CalendarMoment?
    var duration: CalendarDuration?
    /// `RecurrenceRule` decides whether it is understood.
    var rrule: String?
    var exdates: [CalendarMoment] = []
    var rdates: [CalendarMoment] = []
    var overrides: [Override] = []
    /// Nil when the calendar states none; an event that is not public is a draft.
    var status: Event.Status?
    var location: String?
    /// Beside its business, in a calendar of this server.
    var ownLocation: String?
    var categories: [String] = []
    var coordinates: Coordinates?
    /// The business where it happens, and the one that organizes it, in a calendar of this server.
    var business: Slug?
    var host: Slug?
    var organizer: String?
    var price: String?
    var ownZone: String?
    var url: String?
    /// Its page, in a calendar of this server.
    var page: String?
    /// A page about it that is not ours.
    var link: String?
    var problems: [FieldProblem] = []
    var ignored: [String] = []
    /// Those that say by a mark that the event is cancelled, or a date of it.
    var cancellingTitles: [String] = []
    /// `X-WR-TIMEZONE`: the zone of times without one.
    var calendarZone: String?
    var zones = CalendarZones()
    /// `METHOD:CANCEL`: only cancels events that are there.
    var isCancellation = false

    struct Override: Sendable, Hashable {
        var original: CalendarMoment
        var start: CalendarMoment?
        var end: CalendarMoment?
        var duration: CalendarDuration?
        var isCancelled = false
        var isPeriod = false
        var summary: String?
        var description: String?
        var location: String?
    }

    var words: String? { business == nil ? location : ownLocation }

    static let mostExceptions = 10_000

    /// From the address of an event in a calendar of this server; nil for other calendars.
    var slugInURL: Slug? {
        let (slash, at) = (UInt8(ascii: "/"), UInt8(ascii: "@"))
        guard uid.utf8.starts(with: "event-".utf8), let host = uid.utf8.split(separator: at).dropFirst().first,
            let parts = (page ?? url)?.utf8.split(separator: slash), parts.count > 3, parts[1].starts(with: host),
            parts[parts.count - 2].elementsEqual("events".utf8),
            let bytes = try? PercentCoding.decode(parts[parts.count - 1]), let text = String(validUTF8: bytes)
        else { return nil }
        return Slug(text)
    }
}

/// A `VEVENT` (RFC 5545, section 3.6.1), without the components in it.
struct CalendarComponent {
    let line: Int
    var properties: [ContentLine] = []
    var source: [Range<Int>] = []
    var calendar = CalendarProperties()
    var version = (sequence: 0, changed: "", stamped: "")
    var startAndName = ByteText("")
    var hasOlder = false

    func text(_ name: String) -> String? { first(name)?.text }

    func first(_ name: String) -> ContentLine? { properties.first { $0.name == name } }

    var isOverride: Bool { first("RECURRENCE-ID").map { !$0.value.trimmed.isEmpty } ?? false }

    /// What tells it from all but its other versions; nil without an identifier.
    var key: ByteText? {
        guard let uid = text("UID"), !uid.isEmpty else { return nil }
        let date = isOverride ? first("RECURRENCE-ID") : nil
        return ByteText("\(date?.value.trimmed ?? "") \(date?["TZID"] ?? "") \(uid)")
    }

    mutating func readVersion() {
        // The basic format of moments sorts as they do.
        let sequence = text("SEQUENCE").flatMap { Int($0.trimmed) } ?? 0
        version = (sequence, text("LAST-MODIFIED") ?? "", text("DTSTAMP") ?? "")
        startAndName = ByteText("\(first("DTSTART")?.value ?? "") \(first("SUMMARY")?.value ?? "")")
    }

    /// Where nothing says which one is newer, events with another start or name are other ones.
    func isVersion(of other: CalendarComponent) -> Bool {
        calendar.isCancellation == other.calendar.isCancellation
            && (isOverride || version != other.version || startAndName == other.startAndName)
    }

    /// These say nothing about an event, or are used.
    private static let silent: Set<String> = [
        "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "TRANSP", "PRIORITY", "CLASS", "DTSTART", "DTEND",
        "DURATION", "SUMMARY", "DESCRIPTION", "RRULE", "EXDATE", "RDATE", "RECURRENCE-ID", "STATUS", "LOCATION",
        "CATEGORIES", "GEO", "URL", "EXRULE", "ORGANIZER",
    ]
    private static let extensions: Set<String> = ["X-GOOGLE-CONFERENCE"]

    private static let mostIgnored = 20

    private func isWorthNaming(_ name: String) -> Bool {
        Self.extensions.contains(name) || !Self.silent.contains(name) && !name.hasPrefix("X-") && !name.isEmpty
    }

    /// - Parameter zones: the names in the tz database for zones that the calendar defines.
    func entry(_ zones: [String: String]) -> CalendarEntry {
        var entry = CalendarEntry(line: line)
        entry.source = source
        let date = isOverride ? first("RECURRENCE-ID")?.value.trimmed : nil
        let uid = text("UID").flatMap { $0.isEmpty ? nil : $0 }
        entry.key = uid.map { ([$0] + [date].compactMap(\.self)).joined(separator: " ") } ?? startAndName.text
        (entry.calendarZone, entry.isCancellation) = (calendar.zone, calendar.isCancellation)
        var seen: Set<String> = []
        for property in properties {
            if Self.emptyMeansNone.contains(property.name), property.value.trimmed.isEmpty { continue }
            let isFirst = seen.insert(property.name).inserted
            entry.read(property, isFirst: isFirst, zones)
            if isFirst, isWorthNaming(property.name), entry.ignored.count < Self.mostIgnored {
                entry.ignored.append(property.name)
            }
        }
        let isPrivate = text("CLASS").map { ["PRIVATE", "CONFIDENTIAL"].contains($0.trimmed.shortUppercased) } ?? false
        if isPrivate, entry.status != .cancelled { entry.status = .draft }
        if hasOlder { entry.ignored.append("older version") }
        if isAllDay { entry.makeDays() }
        // What cancels an event may come without its start.
        if entry.start == nil, entry.problems.isEmpty, !entry.isCancellation {
            entry.problems.append(FieldProblem("DTSTART", "is missing; an event needs a start"))
        }
        entry.makePlain()
        return entry
    }

    private var isAllDay: Bool {
        ["X-MICROSOFT-CDO-ALLDAYEVENT", "X-FUNAMBOL-ALLDAY"].contains { name in
            first(name).map { ["TRUE", "1"].contains($0.value.trimmed.shortUppercased) } ?? false
        }
    }

    private static let emptyMeansNone: Set<String> = [
        "RRULE", "EXRULE", "EXDATE", "RDATE", "DTEND", "DURATION", "GEO", "STATUS", "URL", "RECURRENCE-ID",
    ]
}

extension CalendarEntry {
    /// Times at midnight become days. Instants in UTC that name days are midnights in their zone.
    fileprivate mutating func makeDays() {
        guard let day = start?.dayAtMidnight else { return }
        calendarZone = start?.zoneName ?? calendarZone
        (start, end) = (.date(day), end.map { end in end.dayAtMidnight.map(CalendarMoment.date) ?? end })
    }

    fileprivate mutating func makePlain() {
        summary = CellText.oneLine(summary)
        if page == nil || url?.hasSameBytes(as: page ?? "") == false { link = url.flatMap(Self.link) }
        guard slugInURL == nil else { return }
        summary = CellText.oneLine(PlainText.of(summary))
        if let rest = CancelledTitle.rest(of: summary) {
            cancellingTitles.append(summary)
            (summary, status) = (rest, .cancelled)
        }
        description = description.map(Self.lines)
        if description?.withoutInvisibleEnds.isEmpty != false, let otherDescription {
            description = Self.lines(otherDescription)
        }
        location = location.map { CellText.oneLine(PlainText.of($0)) }
        categories = categories.map { CellText.oneLine(PlainText.of($0)) }
        organizer = organizer.map { CellText.oneLine(PlainText.of($0)) }
        // Some programs have the address of a person there.
        if let name = organizer, name.isEmpty || name.utf8.contains(UInt8(ascii: "@")) {
            organizer = nil
            ignored.append("ORGANIZER")
        }
        if link == nil, url?.isEmpty == false { ignored.append("URL") }
    }

    private static func link(_ url: String) -> String? {
        let isWeb = ["https://", "http://"].contains {
            ASCII.equalIgnoringCase(url.utf8.prefix($0.utf8.count), $0.utf8)
        }
        return isWeb && TextRules.website ~= url.unicodeScalars.count ? url : nil
    }

    /// Without blank lines around them, and with one for several between them.
    private static func lines(_ text: String) -> String {
        let lines = PlainText.of(text).utf8.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        let parts = lines.map { String(decoding: $0, as: UTF8.self) }.split { $0.trimmed.isEmpty }
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }
}

extension CalendarEntry {
    /// Of properties that may occur once the first counts.
    fileprivate mutating func read(_ property: ContentLine, isFirst: Bool, _ zones: [String: String]) {
        switch property.name {
        case "EXDATE": append(property, to: \.exdates, zones)
        case "RDATE": append(property, to: \.rdates, zones)
        case "CATEGORIES": categories += property.texts(at: ",").map(\.trimmed).filter { !$0.isEmpty }
        case "RRULE" where !isFirst, "EXRULE":
            refuse(
                property.name,
                "is not supported beside another rule; an event has one RRULE, with EXDATE and RDATE for other days")
        case "":
            refuse("", "line \(property.number) is not a valid iCalendar line: \"\(property.value.excerpt())\"")
        default: if isFirst { readSingle(property, zones) }
        }
    }

    private mutating func readSingle(_ property: ContentLine, _ zones: [String: String]) {
        if let name = property.unreadCharacterSet { refuse(property.name, EncodedText.message(aboutSet: name)) }
        switch property.name {
        case "UID": uid = property.text
        case "SUMMARY": summary = property.text.trimmed
        case "DESCRIPTION": description = property.text
        case "X-ALT-DESC": otherDescription = property.text
        case "LOCATION": location = property.text.trimmed
        case "URL": url = property.text.trimmed
        case "RRULE": rrule = CellText.rule(property.value.trimmed)
        case "DTSTART": start = moment(property, zones)
        case "DTEND": end = moment(property, zones)
        case "DURATION":
            duration = CalendarDuration(property.value)
            if duration == nil {
                refuse("DURATION", "is \"\(property.value.excerpt())\"; write a duration such as PT1H30M")
            }
        case "STATUS": readStatus(property.value.trimmed)
        case "ORGANIZER": organizer = property["CN"] ?? ""
        case "X-SOOKE-BUSINESS": business = Slug(property.text)
        case "X-SOOKE-HOST": host = Slug(property.text)
        case "X-SOOKE-LOCATION": ownLocation = property.text
        case "X-SOOKE-PRICE": price = property.text
        case "X-SOOKE-ZONE": ownZone = property.text
        case "X-SOOKE-PAGE": page = property.value.trimmed
        case "GEO", "X-APPLE-STRUCTURED-LOCATION": readPlace(property)
        default: break
        }
    }

    private mutating func readStatus(_ text: String) {
        switch text.shortUppercased {
        case "CONFIRMED": status = .approved
        case "TENTATIVE": status = .draft
        case "CANCELLED": status = .cancelled
        default: refuse("STATUS", "is \"\(text.excerpt())\"; write CONFIRMED, TENTATIVE or CANCELLED")
        }
    }

    private mutating func readPlace(_ property: ContentLine) {
        do {
            let place = try PlaceText.coordinates(property.text)
            // In the ocean: no place is meant.
            if place == Coordinates(latitude: 0, longitude: 0) { return }
            if property.name == "GEO" || coordinates == nil { coordinates = place }
        } catch {
            if property.name == "GEO" { refuse("GEO", error.description) }
        }
    }

    private mutating func append(
        _ property: ContentLine, to list: WritableKeyPath<CalendarEntry, [CalendarMoment]>, _ zones: [String: String]
    ) {
        for text in property.value.utf8.split(separator: UInt8(ascii: ",")) {
            guard self[keyPath: list].count < Self.mostExceptions else {
                return refuse(property.name, "has more than \(Self.mostExceptions) entries; shorten the series")
            }
            let start = String(decoding: text.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
            guard let moment = moment(property, zones, text: start) else { continue }
            self[keyPath: list].append(moment)
            // A period is a start with an end or a length of its own.
            let rest = String(decoding: text.dropFirst(start.utf8.count + 1), as: UTF8.self)
            guard list == \.rdates, !rest.isEmpty else { continue }
            let length = CalendarDuration(rest)
            let end = length == nil ? self.moment(property, zones, text: rest) : nil
            overrides.append(Override(original: moment, start: moment, end: end, duration: length, isPeriod: true))
        }
    }

    private mutating func moment(
        _ property: ContentLine, _ zones: [String: String], text: String? = nil
    ) -> CalendarMoment? {
        let name = property.zoneName
        let text = text ?? property.value
        guard let moment = CalendarMoment(text, zoneName: name.map { zones[$0] ?? $0 } ?? calendarZone) else {
            refuse(
                property.name,
                "is \"\(text.excerpt())\"; write a date and time such as 20270601T190000, or a date such as 20270601")
            return nil
        }
        return moment
    }

    private mutating func refuse(_ field: String, _ message: String) {
        guard !problems.contains(where: { $0.field == field }) else { return }
        problems.append(FieldProblem(field, message))
    }
}

extension CalendarComponent {
    func override(_ zones: [String: String]) -> (CalendarEntry.Override?, [FieldProblem]) {
        guard let property = first("RECURRENCE-ID") else { return (nil, []) }
        let entry = entry(zones)
        let name = property.zoneName.map { zones[$0] ?? $0 } ?? calendar.zone
        guard let original = CalendarMoment(property.value, zoneName: name) else {
            let message = "is \"\(property.value.excerpt())\", not a valid date-time"
            return (nil, [FieldProblem("RECURRENCE-ID", message)])
        }
        guard !property.has("RANGE", "THISANDFUTURE") else {
            let message = "changes all later occurrences; end the series before it, and begin another one there"
            return (nil, [FieldProblem("RECURRENCE-ID", message)])
        }
        let isCancelled = entry.status == .cancelled || calendar.isCancellation
        // A cancelled occurrence may come without its start.
        let problems = entry.problems.filter { !(isCancelled && $0.field == "DTSTART") }
        let change = CalendarEntry.Override(
            original: original, start: entry.start, end: entry.end, duration: entry.duration, isCancelled: isCancelled,
            summary: entry.summary, description: entry.description, location: entry.words)
        return (change, problems)
    }
}

extension ContentLine {
    /// The beginning of a long name; no zone has one.
    fileprivate var zoneName: String? { self["TZID"].flatMap { $0.isEmpty ? nil : $0.excerpt(bytes: 200) } }
}

extension String {
    /// Nothing of a long text, which takes time to compare.
    var shortUppercased: String { utf8.count <= 40 ? uppercased() : "" }
}
