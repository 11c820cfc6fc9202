import Bytes
import JSON

/// The opening hours of a business on one day of the week.
public struct DayHours: RecordPart, Hashable {
    public static let schemaName = "hours"

    /// The ID of the row; 0 until the store has assigned it.
    public var id = 0
    /// The day, 0 for Sunday to 6 for Saturday.
    public var dayOfWeek = 0
    public var opens = ClockTime.midnight
    /// The closing time; at or before `opens` means on the next day.
    public var closes = ClockTime.midnight
    public var isClosed = false

    public init(dayOfWeek: Int, opens: ClockTime, closes: ClockTime, isClosed: Bool = false) {
        (self.dayOfWeek, self.opens, self.closes, self.isClosed) = (dayOfWeek, opens, closes, isClosed)
    }

    public static func closed(on dayOfWeek: Int) -> DayHours {
        DayHours(dayOfWeek: dayOfWeek, opens: .midnight, closes: .midnight, isClosed: true)
    }

    /// Whether another row has the same content, even with another ID.
    func isSameTime(as other: DayHours) -> Bool {
        (dayOfWeek, opens, closes) == (other.dayOfWeek, other.opens, other.closes) && isClosed == other.isClosed
    }

    /// Includes another row of the same day: from the first opening to the last closing.
    public mutating func formUnion(_ other: DayHours) {
        let ends = [self, other].map { $0.closes.seconds + ($0.closes <= $0.opens ? 86_400 : 0) }
        if ends[1] > ends[0] { closes = other.closes }
        opens = min(opens, other.opens)
    }

    public init() {}

    public static let fields = FieldTable(of: DayHours.self)

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

    public static func checkFound(_ found: FieldSet<DayHours>, in row: DayHours, _ problems: inout FieldProblems) {
        if required.isSubset(of: found) { return }
        for name in required.subtracting(found).names {
            problems.require(row.isClosed && name != "day_of_week", name, "is missing")
        }
    }

    public func writeShown(to writer: inout JSONWriter) {
        writer.beginObject()
        writeFields(Self.shown, to: &writer)
        writer.endObject()
    }

    private static let shown = FieldSet<DayHours>.all.subtracting(["id"])
}

extension [DayHours] {
    /// The rows of a week as responses show them: one a day, from the first opening to the last closing.
    public var rowsOfWeek: [DayHours] { (0...6).compactMap { row(of: $0) } }

    /// All rows of a day as one; nil when it has none.
    public func row(of dayOfWeek: Int) -> DayHours? {
        var row: DayHours?
        for other in self where other.dayOfWeek == dayOfWeek {
            if row == nil { row = other } else { row?.formUnion(other) }
        }
        return row
    }
}

/// A time of day, from `00:00:00` to `24:00:00`, the end of the day.
public struct ClockTime: Sendable, Hashable, Comparable {
    public let seconds: Int

    public static let midnight = ClockTime(unchecked: 0)
    public static let endOfDay = ClockTime(unchecked: 86_400)

    private init(unchecked seconds: Int) {
        self.seconds = seconds
    }

    /// Nil outside the day.
    public init?(seconds: Int) {
        guard 0...86_400 ~= seconds else { return nil }
        self.seconds = seconds
    }

    /// Parses `HH:MM` or `HH:MM:SS`; nil for anything else.
    public init?(_ text: String) {
        guard let seconds = text.withUTF8Bytes({ Self.seconds(UnsafeRawBufferPointer($0)) }) else { return nil }
        self.init(seconds: seconds)
    }

    private static func seconds(_ text: UnsafeRawBufferPointer) -> Int? {
        let count = text.count
        guard count == 5 || count == 8, let hour = twoDigits(text, at: 0), text[2] == UInt8(ascii: ":"),
            let minute = twoDigits(text, at: 3), minute < 60
        else { return nil }
        if count == 5 { return hour * 3600 + minute * 60 }
        guard text[5] == UInt8(ascii: ":"), let second = twoDigits(text, at: 6), second < 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func twoDigits(_ text: UnsafeRawBufferPointer, at place: Int) -> Int? {
        guard let tens = ASCII.decimalValue(text[place]), let ones = ASCII.decimalValue(text[place + 1]) else {
            return nil
        }
        return tens * 10 + ones
    }

    public var text: String {
        var bytes: [UInt8] = []
        bytes.append(clock: seconds)
        return String(decoding: bytes, as: UTF8.self)
    }

    public static func < (left: ClockTime, right: ClockTime) -> Bool {
        left.seconds < right.seconds
    }
}
