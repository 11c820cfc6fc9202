import Bytes
import SookeModel

/// A local time as people write it in a table: `2027-06-01 19:00`, `June 1, 2027 7pm`, `13/6/2027 7:00 PM`.
///
/// Date and time stand in this order; one of them may be missing. What can be two dates, such as `6/7/2027`, is
/// refused. RFC 3339 with an offset is read by `Timestamp`.
struct MomentText: Equatable {
    /// Nil when there is only a time.
    var date: CivilDate?
    /// Nil when there is only a date.
    var secondsOfDay: Int?
    /// In seconds from UTC.
    var offset: Int?
    /// A time with 12 hours that does not tell the half of the day, such as `7:30`.
    var isHalfOpen = false
    /// If the numbers of the date can have only one.
    var order: DayOrder?
    var exact: Timestamp?

    enum DayOrder: Hashable, Sendable {
        case dayFirst, monthFirst
    }

    /// - Parameter order: of a date that can have both.
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

    /// A spreadsheet stores a part of a day, such as `0.791666667`.
    private static func time(ofFraction text: String) -> Int? {
        guard text.utf8.count > 4, text.hasPrefix("0."), let part = Double(decimal: text), part < 1 else { return nil }
        return Int(clamping: (part * 1440).rounded()) % 1440 * 60
    }

    /// Date and time are known on the clocks of its offset; UTC tells nothing about the clocks of the town.
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

/// A date such as `6/7/2027` can have both orders. Where another date of the same table can have only one, and none
/// contradicts, that is the order of all.
struct DateOrders {
    private var orders: Set<MomentText.DayOrder> = []
    private var isAmbiguous = false

    mutating func add(_ moments: EventTimeCells.Moments) {
        orders.formUnion(moments.orders)
        if moments.isAmbiguous { isAmbiguous = true }
    }

    /// Nil when reading again would not help.
    var order: MomentText.DayOrder? { isAmbiguous && orders.count == 1 ? orders.first : nil }
}

enum MomentTextError: Error, Equatable {
    case form
    case ambiguous(CivilDate, CivilDate)
    case noSuchDate
    case weekday(CivilDate)
    case year(Int)
    case noYear
    case noDate
    case noTime
    case range
    /// An abbreviation, which can stand for several zones.
    case zone(String)
    case serialNumber

    func message(_ text: String) -> String {
        let cell = "\"\(text.excerpt())\""
        switch self {
        case .form: return "must be a date and time like 2027-06-01 19:00 or 2027-06-01T19:00:00-07:00, not \(cell)"
        case .ambiguous(let first, let second):
            return "\(cell) can be \(first.text) or \(second.text); write one of these, the year first"
        case .noSuchDate: return "\(cell) is a date that does not exist; write it like 2027-06-01 19:00"
        case .weekday(let date):
            return "\(cell) is a \(CivilDate.weekdayNames[date.dayOfWeek]); correct the date or the day of the week"
        case .year(let year): return "\(cell) is in the year \(year); write it like 2027-06-01 19:00"
        case .noYear: return "\(cell) has no year; write it like 2027-06-01 19:00"
        case .noDate: return "\(cell) has no date; write it like 2027-06-01 19:00"
        case .noTime: return "\(cell) has no time; write it like 2027-06-01 19:00"
        case .range: return "\(cell) has two times; put the end into the column ends_at"
        case .zone(let zone):
            return "leave \"\(zone)\" out: times are those of the town's clocks, or of the zone in the column time_zone"
        case .serialNumber:
            return "\(cell) is how a spreadsheet stores a date; give the column a format like 2027-06-01 19:00"
        }
    }
}
