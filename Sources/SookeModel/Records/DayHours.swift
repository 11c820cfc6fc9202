import Bytes
import JSON

/// The opening hours of a business on one day of the week.
public struct DayHours: RecordPart {
    /// The name of its schema in the API.
    public static let schemaName = "hours"

    /// The ID of the row; 0 until the store has assigned it.
    public var id = 0
    /// The day, 0 for Sunday to 6 for Saturday.
    public var dayOfWeek = 0
    /// The opening time.
    public var opens = ClockTime.midnight
    /// The closing time; at or before `opens` means on the next day.
    public var closes = ClockTime.midnight
    /// Whether the business is closed all day.
    public var isClosed = false

    /// The hours of a day.
    public init(dayOfWeek: Int, opens: ClockTime, closes: ClockTime, isClosed: Bool = false) {
        (self.dayOfWeek, self.opens, self.closes, self.isClosed) = (dayOfWeek, opens, closes, isClosed)
    }

    /// A day on which the business is closed.
    public static func closed(on dayOfWeek: Int) -> DayHours {
        DayHours(dayOfWeek: dayOfWeek, opens: .midnight, closes: .midnight, isClosed: true)
    }

    /// Whether another row tells the same, whatever its ID.
    func isSameTime(as other: DayHours) -> Bool {
        (dayOfWeek, opens, closes) == (other.dayOfWeek, other.opens, other.closes) && isClosed == other.isClosed
    }

    /// Includes another row of the same day: from the first opening to the last closing.
    public mutating func formUnion(_ other: DayHours) {
        let ends = [self, other].map { $0.closes.seconds + ($0.closes <= $0.opens ? 86_400 : 0) }
        if ends[1] > ends[0] { closes = other.closes }
        opens = min(opens, other.opens)
    }

    /// A row of Sunday without times.
    public init() {}

    /// Its fields.
    public static let fields = FieldTable(of: DayHours.self)

    /// Visits each field.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<DayHours>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, .setByOwner, "The existing ID of the row; optional")
        try visitor.field(
            "day_of_week", \.dayOfWeek, .range(0...6, "must be 0 (Sunday) to 6 (Saturday)"), [.open, .required],
            "0 for Sunday to 6 for Saturday")
        try visitor.field(
            "open_time", \.opens, .any, [.open, .required], "When the doors open; may be left out when closed")
        try visitor.field(
            "close_time", \.closes, .any, [.open, .required],
            "When they close; at or before open_time is on the next day; may be left out when closed")
        try visitor.field("is_closed", \.isClosed, .any, .open, "Whether the doors stay shut all day")
    }

    private static let required: FieldSet<DayHours> = ["day_of_week", "open_time", "close_time"]

    /// Adds problems for a row without its day, or of an open day without its times.
    public static func checkFound(
        _ found: FieldSet<DayHours>, in row: DayHours, _ problems: inout FieldProblems
    ) {
        if required.isSubset(of: found) { return }
        for name in required.subtracting(found).names {
            problems.require(row.isClosed && name != "day_of_week", name, "is missing")
        }
    }

    /// Writes the row in the dataset form: the output of the visit in one step, because every response contains hours.
    public func write(to writer: inout JSONWriter) {
        writer.form(capacity: Self.longestForm) { write(to: &$0, withID: true) }
    }

    /// Appends the row in the dataset form, or without its ID as in responses; at most `longestForm` bytes.
    public func write(to text: inout OutputSpan<UInt8>, withID: Bool) {
        text.append("{")
        if withID {
            text.append("\"id\":")
            text.append(decimal: id)
            text.append(",")
        }
        text.append("\"day_of_week\":")
        text.append(decimal: dayOfWeek)
        let times: StaticString = ",\"open_time\":\"00:00:00\",\"close_time\":\"00:00:00\",\"is_closed\":"
        text.append(times)
        text.withUnsafeMutableBufferPointer { text, count in
            // The digits of the two times begin at 14 and 38.
            let (text, start) = (UnsafeMutableRawBufferPointer(text), count - times.utf8CodeUnitCount)
            text.store(clock: opens.seconds, at: start + 14)
            text.store(clock: closes.seconds, at: start + 38)
        }
        if isClosed { text.append("true}") } else { text.append("false}") }
    }

    /// The most bytes of a row, including two numbers of 20 digits.
    public static let longestForm = 160
}
