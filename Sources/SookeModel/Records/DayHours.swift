import Bytes
import JSON

/// When a business is open on one day of the week.
public struct DayHours: Sendable, Hashable {
    /// The fields of a row of hours in a dataset.
    enum Field: String, RecordField {
        case id
        case dayOfWeek = "day_of_week"
        case opens = "open_time"
        case closes = "close_time"
        case isClosed = "is_closed"

        static let keys = JSONKeys<Field>()
    }

    /// The row's number; 0 until the store has given it one.
    public var id = 0
    /// The day, 0 for Sunday to 6 for Saturday.
    public var dayOfWeek = 0
    /// When the doors open.
    public var opens = ClockTime.midnight
    /// When they close; at or before `opens` means on the next day.
    public var closes = ClockTime.midnight
    /// Whether the doors stay shut all day.
    public var isClosed = false

    /// A day's hours.
    public init(dayOfWeek: Int, opens: ClockTime, closes: ClockTime, isClosed: Bool = false) {
        (self.dayOfWeek, self.opens, self.closes, self.isClosed) = (dayOfWeek, opens, closes, isClosed)
    }

    /// A day on which the doors stay shut.
    public static func closed(on dayOfWeek: Int) -> DayHours {
        DayHours(dayOfWeek: dayOfWeek, opens: .midnight, closes: .midnight, isClosed: true)
    }

    init(from reader: inout JSONReader, _ problems: inout FieldProblems) throws(JSONError) {
        var (hasDay, hasOpening, hasClosing) = (false, false, false)
        try reader.readMembers(of: Field.self, &problems) { field, reader, problems throws(JSONError) in
            switch field {
            case .dayOfWeek: hasDay = true
            case .opens: hasOpening = true
            case .closes: hasClosing = true
            case .id, .isClosed: break
            }
            try read(field, from: &reader, &problems)
        }
        problems.require(hasDay, Field.dayOfWeek.rawValue, "is missing")
        problems.require(hasOpening || isClosed, Field.opens.rawValue, "is missing")
        problems.require(hasClosing || isClosed, Field.closes.rawValue, "is missing")
    }

    private static let daysOfWeek = 0...6

    private mutating func read(
        _ field: Field, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        switch field {
        case .id: id = try reader.readOptionalNumber(field, &problems) ?? 0
        case .dayOfWeek: dayOfWeek = try reader.readNumber(field, &problems)
        case .opens:
            opens = try reader.readRequiredShape(field, Self.timeShape, &problems, ClockTime.init(_:)) ?? .midnight
        case .closes:
            closes = try reader.readRequiredShape(field, Self.timeShape, &problems, ClockTime.init(_:)) ?? .midnight
        case .isClosed: isClosed = try reader.readFlag(field, &problems)
        }
    }

    private static let timeShape = "a time like 09:30 or 24:00:00"

    /// Writes the row in the dataset form.
    func write(to writer: inout JSONWriter) {
        writer.form(capacity: Self.longestForm) { write(to: &$0, withID: true) }
    }

    /// Appends the row in the dataset form, or as the API shows it, which leaves the row's number out; it takes at most
    /// `longestForm` bytes.
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
            // The zeros of the two times begin at 14 and at 38.
            let (text, start) = (UnsafeMutableRawBufferPointer(text), count - times.utf8CodeUnitCount)
            text.store(clock: opens.seconds, at: start + 14)
            text.store(clock: closes.seconds, at: start + 38)
        }
        if isClosed { text.append("true}") } else { text.append("false}") }
    }

    /// The most bytes that a row is written in; two numbers of 20 digits are among them.
    public static let longestForm = 160

    func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
        problems.require(Self.daysOfWeek ~= dayOfWeek, "day_of_week", "must be 0 (Sunday) to 6 (Saturday)")
    }
}
