import Bytes
import JSON

/// A calendar of others whose events are fetched. It is private; see `RecordKind.isShared`.
public struct PulledCalendar: Record {
    /// Whether what is new is published at once; the events of the first fetch wait in any case.
    public enum Trust: String, ChoiceValue {
        case publish
        case queue
    }

    public static let kind = RecordKind.calendar

    public var id = 0
    /// It may contain a key: nobody but those who manage the calendar sees it.
    public var address = ""
    public var name = ""
    /// The business that organizes its events; who does, in words.
    public var host: Slug?
    public var organizer: String?
    /// The type of an event that names none.
    public var eventType = Slug("")
    /// The business where all of them happen; nil for where each says.
    public var place: Slug?
    public var trust = Trust.publish
    public var isPaused = false
    /// The ID of who added it.
    public var createdBy: Int?
    /// When somebody published the events of the first fetch.
    public var acceptedAt: Timestamp?
    /// What the next request repeats, so that an unchanged calendar is not sent again.
    public var etag: String?
    public var lastModified: String?
    public var lastGoodAt: Timestamp?
    /// Since when no answer is good, and why.
    public var failingSince: Timestamp?
    public var words: String?
    /// How many of how many coming events would be gone at once: that waits for a person.
    public var gone: Int?
    public var goneOf: Int?
    public var days: [PulledDay] = []
    public var times = RecordTimes()

    public init() {}

    public static let fields = FieldTable(of: PulledCalendar.self)

    public static let references: [Reference<PulledCalendar>] = [
        Reference("event_type", to: .eventType, .slug(\.eventType)),
        Reference("host", to: .business, .optionalSlug(\.host)),
        Reference("place", to: .business, .optionalSlug(\.place)),
        Reference("created_by", toPerson: \.createdBy, column: nil),
    ]

    public var label: String { name }

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<PulledCalendar>>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .shown, "Unique ID; never reused")
        try visitor.field(
            "address", \.address, .website, [.shown, .setByEditor, .required],
            "Where it is fetched from; an http, https or webcal address")
        try visitor.field(
            "name", \.name, .length(1...100), [.shown, .setByEditor, .required],
            "What its events are said to come from; at most 100 characters")
        try visitor.field(
            "host", \.host, .reference, [.shown, .setByEditor], "The slug of the business that organizes its events")
        try visitor.field(
            "organizer", \.organizer, .length(TextRules.organizer), [.shown, .setByEditor],
            "Who organizes its events, in words; at most 200 characters")
        try visitor.field(
            "event_type", \.eventType, .reference, [.shown, .setByEditor, .required],
            "The slug of the event type of those that name none")
        try visitor.field(
            "place", \.place, .reference, [.shown, .setByEditor],
            "The slug of the business where all of them happen; null for where each says")
        try visitor.field(
            "trust", \.trust, .any, [.shown, .setByEditor],
            "Whether new events are published at once, after somebody has accepted the first ones")
        try visitor.field("is_paused", \.isPaused, .any, [.shown, .setByEditor], "Whether it is not fetched")
        try visitor.field("created_by", \.createdBy, .reference, .shown, "The ID of the user who added it")
        try visitor.field("accepted_at", \.acceptedAt, .any, .shown, "When its first events were published")
        try visitor.field("etag", \.etag, .any, .leftOutWhenEmpty, "The entity tag of the last answer")
        try visitor.field("last_modified", \.lastModified, .any, .leftOutWhenEmpty, "The time of the last answer")
        try visitor.field("last_good_at", \.lastGoodAt, .any, .shown, "When it was last fetched")
        try visitor.field("failing_since", \.failingSince, .any, .shown, "Since when no answer is a calendar")
        try visitor.field("words", \.words, .any, .shown, "What is wrong with the last answer")
        try visitor.field(
            "gone", \.gone, .count, .shown, "How many coming events are gone at once, which waits for a person")
        try visitor.field("gone_of", \.goneOf, .count, .shown, "Of how many")
        try visitor.field(
            "days", \.days, .any, [.shown, .leftOutWhenEmpty], "What its fetches changed on the last days")
    }

    public static let (mostDays, mostEvents) = (30, 2_000)
    public static let mostCalendars = 500

    /// The address of a calendar from that of its page, where that is known; `webcal` is https. As bytes, since its
    /// length is not checked yet.
    public static func address(from text: String) -> String {
        let text = text.trimmed
        let bytes = text.utf8
        if ASCII.equalIgnoringCase(bytes.prefix(9), "webcal://".utf8) {
            return "https://\(Substring(bytes.dropFirst(9)))"
        }
        let google = "https://calendar.google.com/calendar/"
        if bytes.starts(with: google.utf8), !bytes.dropFirst(google.utf8.count).starts(with: "ical/".utf8) {
            let mark = UInt8(ascii: "?")
            let pairs = bytes.drop { $0 != mark }.dropFirst().prefix { $0 != mark }.split(separator: UInt8(ascii: "&"))
            if let source = pairs.first(where: { $0.starts(with: "src=".utf8) })?.dropFirst(4) {
                return "\(google)ical/\(Substring(source))/public/basic.ics"
            }
        }
        let isOutlook =
            bytes.starts(with: "https://outlook.".utf8) && bytes.suffix(14).elementsEqual("/calendar.html".utf8)
        return isOutlook ? "\(Substring(bytes.dropLast(4)))ics" : text
    }

    public func checkInput(_ problems: inout FieldProblems) {
        problems.require(!address.isEmpty, "address", "must not be empty")
        problems.require(host == nil || organizer == nil, "organizer", "and host must not both be given")
    }
}

/// What the fetches of a day changed.
public struct PulledDay: FieldsElement {
    public static let schemaName = "pulled_day"

    public var date = CivilDate(daysSinceEpoch: 0)
    public var made = 0
    public var changed = 0
    public var withdrawn = 0
    public var bytes = 0

    public init() {}

    public init(_ date: CivilDate) { self.date = date }

    public static let fields = FieldTable(of: PulledDay.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<PulledDay>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("date", \.date, .any, .shown, "The day")
        try visitor.field("made", \.made, .count, .shown, "How many events were new")
        try visitor.field("changed", \.changed, .count, .shown, "How many were changed")
        try visitor.field("withdrawn", \.withdrawn, .count, .shown, "How many were withdrawn")
        try visitor.field("bytes", \.bytes, .count, .stored, "How much of the log that took")
    }
}

extension IntegerRule {
    fileprivate static let count = range(0...1_000_000_000, "must be a count")
}

extension RecordKind {
    public static let calendar = RecordKind("calendar", collection: "calendars", reach: .store)
}
