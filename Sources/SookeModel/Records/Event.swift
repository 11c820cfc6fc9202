import Bytes

/// Something that happens at a business, at a public place, or nowhere yet.
public struct Event: Record {
    /// How far an event has come on its way to the public.
    public enum Status: String, ChoiceValue {
        /// Being written.
        case draft
        /// Waits for somebody to look at it.
        case pendingReview = "pending_review"
        /// Public.
        case approved
        /// Was public, and will not happen.
        case cancelled
        /// Was looked at and turned down.
        case rejected

        /// Whether a stranger may see the event.
        public var isPublic: Bool { self == .approved || self == .cancelled }
    }

    /// Events are `events` in a dataset.
    public static let kind = RecordKind.event

    /// The event's number; 0 until the store has given it one.
    public var id = 0
    /// What it is.
    public var eventType = Slug("")
    /// The number of the person who handed it in.
    public var submittedBy: Int?
    /// The business it happens at.
    public var business: Slug?
    /// What people call it.
    public var name = ""
    /// What stands in its address on the web; empty until it is made from the name.
    public var slug = Slug("")
    /// What it is about.
    public var description: String?
    /// Degrees north of a public place.
    public var latitude: Double?
    /// Degrees east of a public place.
    public var longitude: Double?
    /// When it begins; nil only in a record that does not pass validation.
    public var startsAt: Timestamp?
    /// When it is over; nil when nobody said.
    public var endsAt: Timestamp?
    /// How far it has come.
    public var status = Status.draft
    /// Why it was turned down.
    public var reason: String?
    /// The slugs at which the public has found it before, which lead to it as long as no other event has them.
    public var formerSlugs: [Slug] = []
    /// The slug that it got when it was submitted, which nobody can guess: that of an event that has never been public.
    /// Afterwards it leads those to the event who knew it before.
    public var pendingSlug: Slug?

    /// No reason has more bytes.
    public static let longestReason = TextRules.description.upperBound * 4
    /// When it was created and changed.
    public var times = RecordTimes()

    /// An event without a name.
    public init() {}

    /// Its fields.
    public static let fields = FieldTable(of: Event.self)

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Event>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Its number, which is never given again")
        try visitor.field(
            "event_type", \.eventType, .reference, [.setByOwner, .column, .required], "The slug of its event type")
        try visitor.field(
            "submitted_by", \.submittedBy, .reference, .column, "The number of the user who submitted it")
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
        try visitor.field("starts_at", \.startsAt, .any, [.open, .required], "When it begins")
        try visitor.field("ends_at", \.endsAt, .any, .open, "When it is over, not before it begins")
        try visitor.field(
            "status", \.status, .any, [.shown, .column],
            "How far it is on its way to the public; approve, reject, cancel and resubmit change it")
        try visitor.field(
            "reason", \.reason, .length(TextRules.description), [.shown, .leftOutWhenEmpty],
            "Why it was rejected; never shown to strangers")
        try visitor.field("former_slugs", \.formerSlugs, .any, .leftOutWhenEmpty, "The slugs it had before")
        try visitor.field(
            "pending_slug", \.pendingSlug, .former, .leftOutWhenEmpty, "The slug it had before it was public")
    }

    /// Notes a missing start.
    public func checkStored(_ problems: inout FieldProblems) {
        problems.require(startsAt != nil, "starts_at", "is missing")
    }

    /// Notes a place that is two places, and an end before the start.
    public func checkInput(_ problems: inout FieldProblems) {
        checkPlace(&problems)
        if let startsAt, let endsAt {
            problems.require(endsAt >= startsAt, "ends_at", "must not lie before starts_at")
        }
    }

    /// An event is at a business, or at a public place with both coordinates, or nowhere yet; never two of them.
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
