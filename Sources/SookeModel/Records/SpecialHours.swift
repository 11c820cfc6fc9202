import Bytes
import JSON

/// Hours that hold from one date to another instead of the regular ones, such as those of a holiday, a closure for
/// repairs, or one until further notice.
///
/// Rows with the same dates are the spans of the same days. On a day of several ranges, the one that begins last
/// counts.
public struct SpecialHours: FieldsElement {
    public static let schemaName = "special_hours"

    /// The first day; nil only in a row that does not pass validation.
    public var from: CivilDate?
    /// The last day; nil for until further notice.
    public var to: CivilDate?
    public var opens = ClockTime.midnight
    /// The closing time; at or before `opens` means on the next day.
    public var closes = ClockTime.midnight
    public var isClosed = false
    public var reason: String?
    /// The ID of the notice that closes the business on these days, and takes that back.
    public var notice: Int?

    public init() {}

    public static let fields = FieldTable(of: SpecialHours.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<SpecialHours>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("from", \.from, .any, [.open, .required], "The first day")
        try visitor.field("to", \.to, .any, .open, "The last day; null means until further notice")
        try visitor.field("open_time", \.opens, .any, .open, "When the doors open; may be left out when closed")
        try visitor.field(
            "close_time", \.closes, .any, .open,
            "When they close; at or before open_time is on the next day; may be left out when closed")
        try visitor.field("is_closed", \.isClosed, .any, .open, "Whether the doors stay shut on these days")
        try visitor.field(
            "reason", \.reason, .length(0...longestReason), .open,
            "Why, such as the name of a holiday; at most 200 characters")
        try visitor.field(
            "notice", \.notice, .reference, [.open, .leftOutWhenEmpty],
            "The ID of the notice that closes it on these days, before all other hours, until the notice goes")
    }

    /// The rows of some days with the same times; a closed one for none.
    public static func rows(of times: [TimeSpan], from: CivilDate, to: CivilDate, reason: String) -> [SpecialHours] {
        DayHours.rows(of: times, on: 0).map { day in
            var row = SpecialHours()
            (row.from, row.to, row.isClosed) = (from, to, day.isClosed)
            (row.opens, row.closes, row.reason) = (day.opens, day.closes, reason.isEmpty ? nil : reason)
            return row
        }
    }

    public static let longestReason = 200
    public static let mostRows = 100

    public static func checkFound(
        _ found: FieldSet<SpecialHours>, in row: SpecialHours, _ problems: inout FieldProblems
    ) {
        for name in ["open_time", "close_time"] where !found.contains(name) {
            problems.require(row.isClosed, name, "is missing")
        }
    }

    public func checkInput(_ problems: inout FieldProblems) {
        if let from, let to { problems.require(from <= to, "to", "must not lie before from") }
    }

    public static func validateList(_ list: [SpecialHours], _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(
            list.count <= mostRows, "\(field)", "has \(list.count) rows, at most \(mostRows) are allowed")
    }
}
