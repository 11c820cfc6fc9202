import Bytes
import JSON

/// A public holiday of one year: a row of a list for towns whose holidays are not compiled in.
public struct HolidayDate: FieldsElement {
    public static let schemaName = "holiday_date"

    /// Its date; the first of all in a row that does not pass validation.
    public var date = CivilDate(daysSinceEpoch: 0)
    public var name = ""

    public init() {}

    public init(_ date: CivilDate, _ name: String) {
        (self.date, self.name) = (date, name)
    }

    public static let fields = FieldTable(of: HolidayDate.self)

    @inline(__always)
    public static func visit<Visitor: FieldVisitor<HolidayDate>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("date", \.date, .any, [.open, .required], "The day")
        try visitor.field(
            "name", \.name, .length(1...100), [.open, .required], "What it is called; at most 100 characters")
    }

    /// The most rows of a town: those of ten years and more.
    public static let mostRows = 200

    /// Adds problems for too many rows and for days that stand twice.
    public static func validateList(_ list: [HolidayDate], _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(
            list.count <= mostRows, "\(field)", "has \(list.count) rows, at most \(mostRows) are allowed")
        var days: Set<Int> = []
        for (index, row) in list.enumerated() where !days.insert(row.date.daysSinceEpoch).inserted {
            problems.add("\(field)[\(index)].date", "stands twice: \(row.date.text)")
        }
    }
}
