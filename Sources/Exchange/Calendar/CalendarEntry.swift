import Bytes
import SookeModel

/// An event of a calendar, with the changes of its single occurrences.
struct CalendarEntry: Sendable {
    /// The line where it begins, from 1.
    var line: Int
    /// Where it and the changes of its occurrences are in the text.
    var source: [Range<Int>] = []
    /// Its identifier; empty without one.
    var uid = ""
    /// Its name.
    var summary = ""
    var description: String?
    /// `X-ALT-DESC`: the description in HTML, for a program that reads no other.
    var otherDescription: String?
    var start: CalendarMoment?
    var end: CalendarMoment?
    /// The duration, when that is given instead of an end.
    var duration: CalendarDuration?
    /// The rule of its series; whether it is understood decides `RecurrenceRule`.
    var rrule: String?
    /// The starts that are left out.
    var exdates: [CalendarMoment] = []
    /// Further starts.
    var rdates: [CalendarMoment] = []
    /// The occurrences that are moved or cancelled.
    var overrides: [Override] = []
    /// Its status, if the calendar states one; an event that is not public there is a draft.
    var status: Event.Status?
    /// Where it takes place, in words.
    var location: String?
    var categories: [String] = []
    var coordinates: Coordinates?
    var url: String?
    /// Why it cannot be imported; their fields are names of properties.
    var problems: [FieldProblem] = []
    /// The names of properties that it has and an import does not use.
    var ignored: [String] = []
    /// The name of the zone of the calendar (`X-WR-TIMEZONE`), in which times without a zone are.
    var calendarZone: String?
    var zones = CalendarZones()
    /// Whether the calendar only cancels events (`METHOD:CANCEL`): those that are there.
    var isCancellation = false

    /// A change of one occurrence.
    struct Override: Sendable, Hashable {
        /// The start that the series gives the occurrence.
        var original: CalendarMoment
        var start: CalendarMoment?
        var end: CalendarMoment?
        var duration: CalendarDuration?
        var isCancelled = false
        /// Whether it is an added date with an end of its own.
        var isPeriod = false
    }

    /// The most exceptions and changes of an event that are read, more than one may have.
    static let mostExceptions = 10_000

    init(line: Int) {
        self.line = line
    }

    /// Text that is not a part of an event.
    init(line: Int, problem: String) {
        self.line = line
        problems = [FieldProblem("", problem)]
    }

    /// The slug in the address of an event in the calendar of the server; nil in calendars of others.
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
