import Bytes
import JSON

/// A change of one occurrence of an event in a series: moved, or cancelled.
public struct EventOverride: FieldsElement {
    public static let schemaName = "event_override"

    /// Null is an empty list, so that a merge patch can remove all.
    public static var isNullEmptyList: Bool { true }

    /// The start that the series gives the occurrence; nil only in a row that does not pass validation.
    public var occurrence: Timestamp?
    /// Nil leaves its start.
    public var startsAt: Timestamp?
    /// Nil leaves its duration.
    public var endsAt: Timestamp?
    public var isCancelled = false

    public init() {}

    public static let fields = FieldTable(of: EventOverride.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<EventOverride>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field(
            "occurrence", \.occurrence, .any, [.open, .required], "The start that the series gives the occurrence")
        try visitor.field("starts_at", \.startsAt, .any, .open, "When it begins instead; null when it is not moved")
        try visitor.field("ends_at", \.endsAt, .any, .open, "When it ends instead; null when it lasts as usual")
        try visitor.field("is_cancelled", \.isCancelled, .any, .open, "Whether it is cancelled")
    }

    public static let mostRows = 500

    public func checkInput(_ problems: inout FieldProblems) {
        guard let endsAt, let start = startsAt ?? occurrence else { return }
        problems.require(endsAt >= start, "ends_at", "must not lie before the start")
    }

    public static func validateList(_ list: [EventOverride], _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(
            list.count <= mostRows, "\(field)", "has \(list.count) rows, at most \(mostRows) are allowed")
        var known: Set<Timestamp> = []
        for (index, row) in list.enumerated() {
            guard let occurrence = row.occurrence, !known.insert(occurrence).inserted else { continue }
            problems.add("\(field)[\(index)].occurrence", "occurs twice")
        }
    }
}

extension Timestamp: FieldElement {
    public static var listKind: FieldDescription.Kind { .moments }

    public static func readElement(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> Timestamp {
        try read("", .any, from: &reader, &problems)
    }

    public func validateElement(_ stage: FieldStage, _ problems: inout FieldProblems) {
        validate("", .any, stage, &problems)
    }

    static let mostInList = 500

    public static func validateList(_ list: [Timestamp], _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(
            list.count <= mostInList, "\(field)", "has \(list.count) entries, at most \(mostInList) are allowed")
    }
}
