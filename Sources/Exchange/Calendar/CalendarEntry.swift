import Bytes
import SookeModel

/// An event of a calendar, with the changes of its single occurrences.
struct CalendarEntry: Sendable {
    var line: Int
    /// Where it and the changes of its occurrences are in the text.
    var source: [Range<Int>] = []
    var uid = ""
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
    var categories: [String] = []
    var coordinates: Coordinates?
    var url: String?
    /// Their fields are names of properties.
    var problems: [FieldProblem] = []
    var ignored: [String] = []
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
    }

    static let mostExceptions = 10_000

    /// From the address of an event in a calendar of this server; nil for other calendars.
    var slugInURL: Slug? {
        let (slash, at) = (UInt8(ascii: "/"), UInt8(ascii: "@"))
        guard uid.utf8.starts(with: "event-".utf8), let host = uid.utf8.split(separator: at).dropFirst().first,
            let parts = url?.utf8.split(separator: slash), parts.count > 3, parts[1].starts(with: host),
            parts[parts.count - 2].elementsEqual("events".utf8),
            let bytes = try? PercentCoding.decode(parts[parts.count - 1]), let text = String(validUTF8: bytes)
        else { return nil }
        return Slug(text)
    }
}
