import Bytes
import JSON

/// A change of one occurrence of an event in a series: moved, cancelled, or with texts of its own.
public struct EventOverride: FieldsElement {
    public static let schemaName = "event_override"

    /// Null is an empty list, so that a merge patch can remove all.
    public static var isNullEmptyList: Bool { true }

    /// The start that the series gives the occurrence; nil only in a row that does not pass validation.
    public var occurrence: LocalTime?
    /// Nil leaves its start.
    public var startsLocal: LocalTime?
    /// Nil leaves its duration.
    public var endsLocal: LocalTime?
    public var isCancelled = false
    /// Nil leaves that of the event, as below.
    public var name: String?
    public var description: String?
    public var location: String?

    public init() {}

    public static let fields = FieldTable(of: EventOverride.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<EventOverride>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field(
            "occurrence", \.occurrence, .any, [.open, .required], "The start that the series gives the occurrence")
        try visitor.field(
            "starts_local", \.startsLocal, .any, .open, "When it begins instead; null when it is not moved")
        try visitor.field("ends_local", \.endsLocal, .any, .open, "When it ends instead; null when it lasts as usual")
        try visitor.field("is_cancelled", \.isCancelled, .any, .open, "Whether it is cancelled")
        try visitor.field(
            "name", \.name, .length(TextRules.name), [.open, .leftOutWhenEmpty], "What it is called instead")
        try visitor.field(
            "description", \.description, .length(TextRules.description), [.open, .leftOutWhenEmpty],
            "What it is about instead")
        try visitor.field(
            "location", \.location, .length(TextRules.location), [.open, .leftOutWhenEmpty], "Where it is instead")
        // The names in format 3, and of instants in requests.
        try visitor.field(
            "starts_at", \.givenStart, .any, [.setByOwner, .leftOutWhenEmpty], "starts_local as an instant")
        try visitor.field("ends_at", \.givenEnd, .any, [.setByOwner, .leftOutWhenEmpty], "ends_local as an instant")
    }

    private var givenStart: LocalTime? {
        get { nil }
        set { startsLocal = newValue ?? startsLocal }
    }

    private var givenEnd: LocalTime? {
        get { nil }
        set { endsLocal = newValue ?? endsLocal }
    }

    public static let mostRows = 500

    /// By the start that the series gives them.
    public static func precedes(_ left: EventOverride, _ right: EventOverride) -> Bool {
        guard let first = left.occurrence, let second = right.occurrence else { return left.occurrence == nil }
        return first < second
    }

    public func checkInput(_ problems: inout FieldProblems) {
        guard let endsLocal, let start = startsLocal ?? occurrence else { return }
        problems.require(endsLocal.clock >= start.clock, "ends_local", "must not lie before the start")
    }

    public static func validateList(_ list: [EventOverride], _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(
            list.count <= mostRows, "\(field)", "has \(list.count) rows, at most \(mostRows) are allowed")
        var known: Set<LocalTime> = []
        for (index, row) in list.enumerated() {
            guard let occurrence = row.occurrence, !known.insert(occurrence).inserted else { continue }
            problems.add("\(field)[\(index)].occurrence", "occurs twice")
        }
    }
}
