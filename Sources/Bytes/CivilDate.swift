/// A day of the proleptic Gregorian calendar.
///
/// The conversions follow Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras of 400 years that start
/// in March, so that the leap day comes last.
public struct CivilDate: Sendable, Hashable, Comparable {
    /// The year; 1 is 1 CE, 0 is 1 BCE.
    public let year: Int
    public let month: Int
    public let day: Int

    /// The names in English, from Sunday on.
    public static let weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    public static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The date, or nil when the calendar does not contain it, or its year is beyond 128,000.
    public init?(year: Int, month: Int, day: Int) {
        guard -128_000...128_000 ~= year, 1...12 ~= month, day >= 1, day <= Self.daysInMonth(month, of: year) else {
            return nil
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The date `days` after 1970-01-01, at most 126,000 years from it.
    public init(daysSinceEpoch days: Int) {
        let shifted = min(max(days, -46_000_000), 46_000_000) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days from 1970-01-01 to this date, negative before it.
    public var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The day of the week, 0 for Sunday to 6 for Saturday.
    public var dayOfWeek: Int { Self.dayOfWeek(of: daysSinceEpoch) }

    /// The day of the week of a day since 1970, 0 for Sunday to 6 for Saturday.
    @inlinable
    public static func dayOfWeek(of day: Int) -> Int {
        let remainder = (day + 4) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    public static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// The number of days in a month (1 to 12) of a year.
    public static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether it has a text form, which the years 0 to 9999 have.
    public var hasText: Bool { 0...9999 ~= year }

    public func advanced(by days: Int) -> CivilDate {
        CivilDate(daysSinceEpoch: daysSinceEpoch + min(max(days, -100_000_000), 100_000_000))
    }

    /// The range up to a date, which is empty where that is earlier.
    public static func ..< (start: CivilDate, end: CivilDate) -> Range<CivilDate> {
        Range(uncheckedBounds: (start, max(start, end)))
    }

    /// The range through a date; only its start where that is earlier.
    public static func ... (start: CivilDate, end: CivilDate) -> ClosedRange<CivilDate> {
        ClosedRange(uncheckedBounds: (start, max(start, end)))
    }

    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
