import Bytes
import SookeModel

/// What is wrong with the text of a moment.
enum MomentTextError: Error, Equatable {
    /// It has another form.
    case form
    /// Its date can be read in two ways.
    case ambiguous(CivilDate, CivilDate)
    /// Its date is in no calendar.
    case noSuchDate
    /// It names another day of the week than its date has.
    case weekday(CivilDate)
    /// Its year is far away from now.
    case year(Int)
    /// It has no year.
    case noYear
    /// It has no date.
    case noDate
    /// It has no time.
    case noTime
    /// It has two times.
    case range
    /// It ends with an abbreviation of a time zone, which can stand for several zones.
    case zone(String)
    /// It is a number of days, as spreadsheets store dates.
    case serialNumber

    private static let dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// The message for a cell; it is what the column is about.
    func message(_ text: String) -> String {
        let cell = "\"\(text.excerpt())\""
        switch self {
        case .form: return "must be a date and time like 2027-06-01 19:00 or 2027-06-01T19:00:00-07:00, not \(cell)"
        case .ambiguous(let first, let second):
            return "\(cell) can be \(first.text) or \(second.text); write one of these, the year first"
        case .noSuchDate: return "\(cell) is a date that does not exist; write it like 2027-06-01 19:00"
        case .weekday(let date):
            return "\(cell) is a \(Self.dayNames[date.dayOfWeek]); correct the date or the day of the week"
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
