import Bytes
import JSON

/// A calendar that has an event, and what it said of it last. That is the base of a merge: what it says now replaces
/// only what nobody has edited here.
public struct EventSource: FieldsElement {
    public enum Part: String, ChoiceValue {
        /// The event follows it.
        case source
        /// It has the same event.
        case other
        /// It has another event with the same name and start.
        case apart
    }

    public static let schemaName = "event_source"

    /// The ID of the calendar.
    public var calendar = 0
    /// What identifies the event there: its UID, and the start of a single date.
    public var key = ""
    public var part = Part.source
    /// A digest of the name, start and place that it said last, by which an event is known under a new key.
    public var likeness = ""
    public var fields: [SourceField] = []
    /// How many good answers in a row lacked it, and since when.
    public var missed = 0
    public var missingSince: Timestamp?
    public var withdrawnAt: Timestamp?
    /// Whether it stays although the calendar has it no longer.
    public var isKept = false

    public init() {}

    public init(_ calendar: Int, _ key: String, _ part: Part = .source) {
        (self.calendar, self.key, self.part) = (calendar, key, part)
    }

    public static let fields = FieldTable(of: EventSource.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<EventSource>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("calendar", \.calendar, .reference, .stored, "The ID of the calendar")
        try visitor.field("key", \.key, .any, .stored, "What identifies the event there")
        try visitor.field("part", \.part, .any, .stored, "Whether the event follows it")
        try visitor.field("likeness", \.likeness, .any, .leftOutWhenEmpty, "A digest of its name, start and place")
        try visitor.field("fields", \.fields, .any, .leftOutWhenEmpty, "What it said last")
        try visitor.field(
            "missed", \.missed, .range(0...1_000_000, "must be a number of answers"), .stored,
            "How many good answers in a row lacked it")
        try visitor.field("missing_since", \.missingSince, .any, .leftOutWhenEmpty, "Since when they do")
        try visitor.field("withdrawn_at", \.withdrawnAt, .any, .leftOutWhenEmpty, "Since when it is not shown")
        try visitor.field("is_kept", \.isKept, .any, .stored, "Whether it stays although it is lacking")
    }
}

/// What a calendar said last of some fields of an event.
public struct SourceField: FieldsElement {
    public static let schemaName = "source_field"

    /// Of a group in `EventSource.groups`, or `status`.
    public var name = ""
    public var digest = ""
    /// The fields themselves, as JSON, where those of the event differ because somebody has edited them.
    public var value: String?

    public init() {}

    public init(_ name: String, _ digest: String, _ value: String? = nil) {
        (self.name, self.digest, self.value) = (name, digest, value)
    }

    public static let fields = FieldTable(of: SourceField.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<SourceField>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("name", \.name, .any, .stored, "Which fields")
        try visitor.field("digest", \.digest, .any, .stored, "A digest of what it said")
        try visitor.field("value", \.value, .any, .leftOutWhenEmpty, "What it said, where the event has other values")
    }
}
