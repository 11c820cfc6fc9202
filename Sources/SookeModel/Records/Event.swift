import Bytes
import JSON

/// An event at a business, at a public place, or without a place yet.
public struct Event: NamedRecord {
    public enum Status: String, ChoiceValue {
        case draft
        /// Submitted, and waiting for a decision.
        case pendingReview = "pending_review"
        case approved
        case cancelled
        case rejected

        public var isPublic: Bool { self == .approved || self == .cancelled }
    }

    public static let kind = RecordKind.event

    public var id = 0
    public var eventType = Slug("")
    public var submittedBy: Int?
    public var business: Slug?
    public var name = ""
    /// Its slug; empty until it is made from the name.
    public var slug = Slug("")
    public var description: String?
    public var latitude: Double?
    public var longitude: Double?
    /// Where it is, in words.
    public var location: String?
    /// The address of a page about it.
    public var url: String?
    /// The business that organizes it, which need not be where it happens.
    public var host: Slug?
    /// Who organizes it, in words.
    public var organizer: String?
    public var price: String?
    /// What people wrote, in its time zone: dates if it lasts whole days.
    public var startsLocal: LocalTime?
    /// Its end, or its last day; nil if no length is known.
    public var endsLocal: LocalTime?
    public var allDay = false
    /// The instants of the local times, by `settle`; stored, so that nothing that reads the store needs a time zone.
    public var startsAt: Timestamp?
    public var endsAt: Timestamp?
    /// When it is over for lists, where that is not its end.
    public var overAt: Timestamp?
    /// The name of its time zone; nil for that of its business or of the town.
    public var timeZone: String?
    /// The rule of its series (RFC 5545); nil if it takes place once, or at its start and at `rdates`. Start and end
    /// are those of the series.
    public var rrule: String?
    /// The starts that the rule gives and that are left out.
    public var exdates: [LocalTime] = []
    public var rdates: [LocalTime] = []
    public var overrides: [EventOverride] = []
    public var status = Status.draft
    public var reason: String?
    /// The former slugs with which it was public, which redirect to it unless another event has them.
    public var formerSlugs: [Slug] = []
    /// The random slug from its submission, kept until it is first public; then it redirects those who know it.
    public var pendingSlug: Slug?
    /// When it was cancelled, and the ID of who did; nil for one that is not, or that an import cancelled.
    public var cancelledAt: Timestamp?
    public var cancelledBy: Int?
    /// The calendars of others that have it; the one that it follows is `source`.
    public var sources: [EventSource] = []

    public static let longestReason = TextRules.description.upperBound * 4
    public var times = RecordTimes()

    public init() {}

    public static let fields = FieldTable(of: Event.self)

    public static let references: [Reference<Event>] = [
        Reference("event_type", to: .eventType, .slug(\.eventType)),
        Reference("business", to: .business, .optionalSlug(\.business)),
        Reference("host", to: .business, .optionalSlug(\.host)),
        Reference("submitted_by", toPerson: \.submittedBy, column: "submitted_by"),
        Reference("cancelled_by", toPerson: \.cancelledBy, column: nil),
    ]

    public static let csvLayout: CSVLayout<Event>? = CSVLayout(
        first: [
            "name", "slug", "event_type", "starts_local", "ends_local", "all_day", "business", "location", "latitude",
            "longitude", "status", "description",
        ], ownColumn: "starts_at",
        times: (start: \Event.startsLocal, end: \Event.endsLocal), distinction: .day(\Event.startsLocal))

    @inlinable @inline(__always)
    public static func visit<Visitor: FieldVisitor<Event>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Unique ID; never reused")
        try visitor.field(
            "event_type", \.eventType, .reference, [.setByOwner, .column, .required], "The slug of its event type")
        try visitor.field(
            "submitted_by", \.submittedBy, .reference, .column, "The ID of the user who submitted it")
        try visitor.field(
            "business", \.business, .reference, [.setByOwner, .column],
            "The slug of the business where it happens; not with coordinates")
        try visitor.field(
            "name", \.name, .length(TextRules.name), [.open, .required], "What people call it; at most 500 characters")
        try visitor.field(
            "slug", \.slug, .own, .open, "Its part of the address; made from the name when it is left out")
        try visitor.field(
            "description", \.description, .length(TextRules.description), .open,
            "What it is about; at most 10,000 characters")
        try visitor.field(
            "latitude", \.latitude, .latitude, .open, "Degrees north; of the business when it happens at one")
        try visitor.field(
            "longitude", \.longitude, .longitude, .open, "Degrees east; of the business when it happens at one")
        try visitor.field(
            "location", \.location, .length(TextRules.location), [.open, .leftOutWhenEmpty],
            "Where it is, in words, also beside a business or coordinates; at most 300 characters")
        try visitor.field(
            "url", \.url, .website, [.open, .leftOutWhenEmpty], "The address of a page about it, http or https")
        try visitor.field(
            "host", \.host, .reference, [.setByOwner, .column, .leftOutWhenEmpty],
            "The slug of the business that organizes it, which need not be where it happens")
        try visitor.field(
            "organizer", \.organizer, .length(TextRules.organizer), [.open, .leftOutWhenEmpty],
            "Who organizes it, in words; at most 200 characters")
        try visitor.field(
            "price", \.price, .length(TextRules.price), [.open, .leftOutWhenEmpty],
            "What it costs, in words; at most 100 characters")
        try visitor.field(
            "starts_local", \.startsLocal, .any, .open,
            "When it begins on the clocks of its time zone; a date if it lasts whole days")
        try visitor.field(
            "ends_local", \.endsLocal, .any, .open,
            "When it ends on these clocks, or its last day; null when no length is known")
        try visitor.field("all_day", \.allDay, .any, .open, "Whether it lasts whole days")
        try visitor.field(
            "starts_at", \.startsAt, .any, [.shown, .setByOwner],
            "When it begins; for a request also a local time, or left out with starts_local")
        try visitor.field(
            "ends_at", \.endsAt, .any, [.shown, .setByOwner],
            "When it ends, not before it begins; 23:59 of its last day")
        try visitor.field("over_at", \.overAt, .any, .leftOutWhenEmpty, "When it is over, if that is not its end")
        try visitor.field(
            "time_zone", \.timeZone, .timeZone, [.open, .leftOutWhenEmpty],
            "The time zone of its series; null for the time zone of its business or of the town")
        try visitor.field(
            "rrule", \.rrule, .recurrenceRule, [.open, .leftOutWhenEmpty],
            "The rule by which it is repeated (RFC 5545), such as FREQ=WEEKLY;BYDAY=TU; null when it is not")
        try visitor.field(
            "exdates", \.exdates, .any, [.shown, .setByOwner, .leftOutWhenEmpty],
            "The starts that the rule gives and that are left out; at most 500")
        try visitor.field(
            "rdates", \.rdates, .any, [.shown, .setByOwner, .leftOutWhenEmpty],
            "Further starts of the series; at most 500")
        try visitor.field(
            "overrides", \.overrides, .any, [.shown, .setByOwner, .leftOutWhenEmpty],
            "The occurrences of the series that are moved or cancelled; at most 500")
        try visitor.field(
            "status", \.status, .any, [.shown, .column],
            "How far it is on its way to the public; approve, reject, cancel and resubmit change it")
        try visitor.field(
            "reason", \.reason, .length(TextRules.description), [.shown, .leftOutWhenEmpty],
            "Why it was rejected; never shown to strangers")
        try visitor.field("former_slugs", \.formerSlugs, .any, .leftOutWhenEmpty, "The slugs it had before")
        try visitor.field(
            "pending_slug", \.pendingSlug, .former, .leftOutWhenEmpty, "The slug it had before it was public")
        try visitor.field("cancelled_at", \.cancelledAt, .any, .leftOutWhenEmpty, "When it was cancelled")
        try visitor.field(
            "cancelled_by", \.cancelledBy, .reference, .leftOutWhenEmpty, "The ID of the user who cancelled it")
        try visitor.field("sources", \.sources, .any, .leftOutWhenEmpty, "The calendars of others that have it")
    }

    public func checkStored(_ problems: inout FieldProblems) {
        problems.require(startsAt != nil, "starts_at", "is missing")
    }

    public func checkInput(_ problems: inout FieldProblems) {
        checkPlace(&problems)
        if let startsAt, let endsAt {
            problems.require(endsAt >= startsAt, "ends_at", "must not lie before starts_at")
        }
        problems.require(host == nil || organizer == nil, "organizer", "and host must not both be given")
        checkSeries(&problems)
    }

    private func checkPlace(_ problems: inout FieldProblems) {
        let hasPlace = latitude != nil || longitude != nil
        if business != nil {
            problems.require(!hasPlace, "business", "and coordinates must not both be given; a business has its own")
        } else if hasPlace {
            problems.require(latitude != nil, "latitude", "is missing; a place needs both numbers")
            problems.require(longitude != nil, "longitude", "is missing; a place needs both numbers")
        }
    }
}

extension Event {
    /// Its own place; nil for an event at a business.
    public var coordinates: Coordinates? { Coordinates(latitude: latitude, longitude: longitude) }

    /// An event stays where its business was, at its times on the clocks; an organizer stays in words.
    public mutating func outlive(_ other: some Record, in fields: [String]) {
        if fields.contains("host") { organizer = other.label }
        guard fields.contains("business"), let place = other.coordinates else { return }
        (latitude, longitude, timeZone) = (place.latitude, place.longitude, timeZone ?? other.timeZone)
    }

    private static let derived: FieldSet<Event> = ["starts_at", "ends_at", "over_at"]

    /// Without what follows from the local times: with other zone data it is still the same event.
    public var digest: UInt64 {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        writeFields(FieldSet.all.subtracting(Self.derived), to: &writer)
        writer.endObject()
        return XXH64.digest(writer.bytes.span)
    }

    /// One that is not public is seen by its submitter, and by those who decide on it.
    @inlinable public var audience: Audience {
        isPublic ? .everyone : .only(person: submittedBy, business: business)
    }

    /// Not one that its calendar no longer has.
    @inlinable public var isPublic: Bool { status.isPublic && (sources.isEmpty || withdrawnAt == nil) }

    /// The calendar that it follows, before the others.
    public var source: EventSource? {
        get { sources.first { $0.part == .source } }
        set {
            let index = sources.firstIndex { $0.part == .source }
            if let index { sources.remove(at: index) }
            if let newValue { sources.insert(newValue, at: index ?? 0) }
        }
    }

    public var withdrawnAt: Timestamp? { source?.withdrawnAt }

    private static let shown = FieldSet<Event>(where: { $0.contains(.shown) }).subtracting(["reason"])
    /// The fields on which the form of an unpublished event depends.
    private static let visible = shown.union(["event_type", "business", "host", "reason"])
    private static let visibleWhenPublic = visible.subtracting(["reason"])

    public func hasSameFeedForm(as later: Event) -> Bool {
        difference(from: later).isDisjoint(with: later.status.isPublic ? Self.visibleWhenPublic : Self.visible)
    }

    /// The times are those of the series, because its next occurrence depends on the clock.
    ///
    /// The reason of a rejection is written only while the event is not public: then only those see it who may.
    public func writeFeedForm(to writer: inout JSONWriter) {
        writeFields(Self.shown, to: &writer)
        if hasSeries {
            writer.member("series_starts_at", startsAt)
            writer.member("series_ends_at", endsAt)
        }
        if let host { writer.member("host_slug", host.text) }
        writer.member("start_time", startsAt?.rfc3339)
        writer.member("end_time", (endsAt ?? startsAt)?.rfc3339)
        writer.member("event_type_slug", eventType.text)
        writer.member("business_slug", business?.text)
        if !status.isPublic, let reason { writer.member("reason", reason) }
    }
}

extension RecordKind {
    public static let event = RecordKind("event", collection: "events", reach: .feed)
}
