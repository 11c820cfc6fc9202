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

    /// Parses a text.
    ///
    /// - Throws: what is wrong with it.
    init(_ text: String) throws(MomentTextError) {
        guard text.utf8.count <= 100 else { throw .form }
        guard !MomentTextParser.isSerialNumber(text) else { throw .serialNumber }
        var parser = MomentTextParser(text)
        self = try parser.moment()
    }

    init(date: CivilDate? = nil, secondsOfDay: Int? = nil, offset: Int? = nil) {
        (self.date, self.secondsOfDay, self.offset) = (date, secondsOfDay, offset)
    }
}
