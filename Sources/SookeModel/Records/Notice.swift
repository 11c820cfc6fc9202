import Bytes

/// What the town has to say, such as that snow closes a road: from a time until another, or until it is taken down.
public struct Notice: NamedRecord {
    public enum Severity: String, ChoiceValue {
        case information
        case warning
        case danger
    }

    /// Stored, so that followers need no clock; the server changes it when its time comes.
    public enum State: String, ChoiceValue {
        case scheduled
        case over
        case current
    }

    public static let kind = RecordKind.notice

    public var id = 0
    public var title = ""
    /// Its slug; empty until it is made from the title.
    public var slug = Slug("")
    public var text: String?
    public var severity = Severity.information
    /// Nil only in an import: from when it was created.
    public var from: Timestamp?
    /// Nil until it is taken down.
    public var until: Timestamp?
    public var link: String?
    /// The slugs of those that it is about, also former ones. One that leads nowhere counts for nothing.
    public var businesses: [String] = []
    /// What it is about, in words.
    public var area: String?
    /// Whether its businesses are closed while it is current: then each has special hours with its ID.
    public var closes = false
    public var state = State.scheduled
    public var confirmedAt: Timestamp?
    /// The ID of the user who wrote it; nil without an account, or when it was deleted.
    public var createdBy: Int?
    public var times = RecordTimes()

    public init() {}

    public static let fields = FieldTable(of: Notice.self)

    public static let references: [Reference<Notice>] = [Reference("created_by", toPerson: \.createdBy, column: nil)]

    public static let csvLayout: CSVLayout<Notice>? = CSVLayout(first: ["title", "slug"], ownColumn: "severity")

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Notice>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Unique ID; never reused")
        try visitor.field(
            "title", \.title, .length(1...120), [.reserved, .required],
            "What people read first; at most 120 characters")
        try visitor.field("slug", \.slug, .own, .reserved, "Used in URLs; made from the title when it is omitted")
        try visitor.field(
            "text", \.text, .length(0...2_000), [.reserved, .leftOutWhenEmpty], "The rest; at most 2,000 characters")
        try visitor.field("severity", \.severity, .any, .reserved, "How much it matters")
        try visitor.field("from", \.from, .any, .reserved, "When it comes into force; at once when it is left out")
        try visitor.field(
            "until", \.until, .any, .reserved, "When it goes; null means when somebody takes it down")
        try visitor.field(
            "link", \.link, .website, [.reserved, .leftOutWhenEmpty], "Where there is more; an http or https address")
        try visitor.field(
            "businesses", \.businesses, .any, [.shown, .setByEditor, .leftOutWhenEmpty],
            "The slugs of the businesses that it is about, at most 50")
        try visitor.field(
            "area", \.area, .length(0...200), [.reserved, .leftOutWhenEmpty],
            "Where it applies, in words; at most 200 characters")
        try visitor.field(
            "closes", \.closes, .any, [.shown, .setByEditor, .leftOutWhenEmpty],
            "Whether its businesses are closed while it is current")
        try visitor.field(
            "state", \.state, .any, .shown, "Whether its time has come, or is over; the server sets it")
        try visitor.field(
            "confirmed_at", \.confirmedAt, .any, [.shown, .leftOutWhenEmpty],
            "When somebody last confirmed that it is still right")
        try visitor.field("created_by", \.createdBy, .reference, .leftOutWhenEmpty, "The ID of the user who wrote it")
    }

    public static let mostBusinesses = 50

    public func checkInput(_ problems: inout FieldProblems) {
        if let from, let until { problems.require(from <= until, "until", "must not lie before from") }
        problems.require(
            businesses.count <= Self.mostBusinesses, "businesses",
            "has \(businesses.count) slugs, at most \(Self.mostBusinesses) are allowed")
        problems.require(!closes || !businesses.isEmpty, "closes", "is true, but there are no businesses")
    }
}

extension Notice {
    public var name: String {
        get { title }
        set { title = newValue }
    }

    public var audience: Audience { state == .current ? .everyone : .nobody }

    public var since: Timestamp? { from ?? times.created }

    /// What it is by the clock. The stored state follows within a second, unless the town is read-only.
    public func state(at now: Timestamp) -> State {
        if let until, until <= now { return .over }
        return from.map { $0 > now } ?? false ? .scheduled : .current
    }

    /// Whether to show it: also where it could not be stored that its time is over.
    public func isCurrent(at now: Timestamp) -> Bool { state == .current && state(at: now) == .current }

    /// Whether to ask if it is still right: one without an end each week, a danger once on its last day.
    public func isToBeConfirmed(at now: Timestamp) -> Bool {
        let confirmed = max(confirmedAt ?? .epoch, since ?? .epoch)
        guard isCurrent(at: now) else { return false }
        guard let until else { return confirmed.advanced(bySeconds: 7 * 86_400) <= now }
        let lastDay = until.advanced(bySeconds: -86_400)
        return severity == .danger && lastDay <= now && confirmed < lastDay
    }

    /// A danger comes first, then the newest; information about single places comes last.
    public static func comesFirst(_ left: Notice, _ right: Notice) -> Bool {
        func key(_ notice: Notice) -> (Int, Int, Int) {
            let isOfPlaces = notice.severity == .information && !notice.businesses.isEmpty
            let rank = notice.severity == .danger ? 0 : isOfPlaces ? 2 : 1
            return (rank, -(notice.since?.microseconds ?? 0), -notice.id)
        }
        return key(left) < key(right)
    }
}

extension RecordKind {
    public static let notice = RecordKind("notice", collection: "notices", reach: .feed)
}
