import Bytes
import SookeModel

/// A moment as people write it in a table: `2027-06-01 19:00`, `June 1, 2027 7pm`, `13/6/2027 7:00 PM`.
///
/// Date and time stand in this order; one of them may be missing. What can be two dates, such as `6/7/2027`, is
/// refused. RFC 3339 with an offset is read by `Timestamp`.
struct MomentText: Equatable {
    /// The date; nil when there is only a time.
    var date: CivilDate?
    /// The time on the clocks, in seconds since midnight; nil when there is only a date.
    var secondsOfDay: Int?
    /// The offset from UTC in seconds, if the text has one.
    var offset: Int?
    /// Whether the time has 12 hours and does not tell which half of the day it means, such as `7:30`.
    var isHalfOpen = false
    /// The order of day and month, if the numbers of the date can have only one.
    var order: DayOrder?
    /// The moment, if the text is one of RFC 3339.
    var exact: Timestamp?

    /// The order of day and month in a date of numbers.
    enum DayOrder: Hashable, Sendable {
        case dayFirst, monthFirst
    }

    /// Parses a text.
    ///
    /// - Parameter order: the order of day and month in a date that can have both.
    /// - Throws: what is wrong with it.
    init(_ text: String, order: DayOrder? = nil) throws(MomentTextError) {
        guard text.utf8.count <= 100 else { throw .form }
        guard !MomentTextParser.isSerialNumber(text) else { throw .serialNumber }
        if let time = Self.time(ofFraction: text) {
            self.init(secondsOfDay: time)
            return
        }
        var parser = MomentTextParser(text, order: order)
        self = try parser.moment()
    }

    /// The time that a spreadsheet stores as a part of a day, such as `0.791666667`, to the minute.
    private static func time(ofFraction text: String) -> Int? {
        guard text.utf8.count > 4, text.hasPrefix("0."), let part = Double(decimal: text), part < 1 else { return nil }
        return Int((part * 1440).rounded()) % 1440 * 60
    }

    /// A moment of RFC 3339. Its date and time are known on the clocks of its offset; one in UTC tells nothing about the
    /// clocks of the town.
    init(exact: Timestamp, _ text: String) {
        if text.utf8.last.map(ASCII.isDigit) == true, let read = try? MomentText(text) {
            self = read
        }
        self.exact = exact
    }

    init(date: CivilDate? = nil, secondsOfDay: Int? = nil, offset: Int? = nil) {
        (self.date, self.secondsOfDay, self.offset) = (date, secondsOfDay, offset)
    }
}
