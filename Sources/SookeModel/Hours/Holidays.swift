import Bytes

/// The public holidays of a region by rules, or those of a list. A class: each instant of a query refers to it.
public final class Holidays: Sendable {
    private let holidays: [Holiday]
    /// Their names by day since 1970, in the years for which they are computed once.
    private let names: [Int: String]
    /// The last day since 1970 of which it is known whether it is a holiday: a list ends.
    let lastDay: Int

    private static let years = 1970...2149

    init(_ holidays: [Holiday]) {
        self.holidays = holidays
        let days = Self.years.lazy.flatMap { year in
            holidays.compactMap { holiday in holiday.date(in: year).map { ($0.daysSinceEpoch, holiday.name) } }
        }
        (names, lastDay) = (Dictionary(days) { first, _ in first }, .max)
    }

    /// The holidays of a list, which says nothing of the days after its last one.
    public init(_ list: [HolidayDate]) {
        holidays = []
        names = Dictionary(list.lazy.map { ($0.date.daysSinceEpoch, $0.name) }) { first, _ in first }
        lastDay = names.keys.max() ?? .min
    }

    /// Those that settings name; nil when they name none.
    public static func of(_ settings: Settings) -> Holidays? {
        settings.holidayDates.isEmpty ? settings.holidays.flatMap(of) : Holidays(settings.holidayDates)
    }

    /// Of a list; nil for rules, which have no end.
    public var lastDate: CivilDate? { lastDay == .max ? nil : CivilDate(daysSinceEpoch: lastDay) }

    public func name(on date: CivilDate) -> String? {
        if let name = names[date.daysSinceEpoch] { return name }
        return Self.years.contains(date.year) ? nil : holidays.first { $0.date(in: date.year) == date }?.name
    }

    func isHoliday(_ day: Int) -> Bool { name(on: CivilDate(daysSinceEpoch: day)) != nil }

    struct Holiday: Sendable {
        let name: String
        let rule: Rule
        var years = Int.min...Int.max

        func date(in year: Int) -> CivilDate? { years.contains(year) ? rule.date(in: year) : nil }
    }

    enum Rule: Sendable {
        case fixed(month: Int, day: Int)
        /// Some days after Easter Sunday; before it when negative.
        case easter(days: Int)
        /// The first, second, … of a day of the week in a month.
        case ordinal(Int, dayOfWeek: Int, month: Int)
        /// The last of a day of the week before a date.
        case before(dayOfWeek: Int, month: Int, day: Int)

        func date(in year: Int) -> CivilDate? {
            switch self {
            case .fixed(let month, let day): return CivilDate(year: year, month: month, day: day)
            case .easter(let days):
                return CivilDate.easter(of: year).map { $0.advanced(by: days) }
            case .ordinal(let number, let dayOfWeek, let month):
                let weekday = WeekdayOfMonth(dayOfWeek, ordinal: number)
                return weekday.day(of: month, year).flatMap { CivilDate(year: year, month: month, day: $0) }
            case .before(let dayOfWeek, let month, let day):
                guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
                let back = (date.dayOfWeek - dayOfWeek + 6) % 7 + 1
                return date.advanced(by: -back)
            }
        }
    }
}

extension CivilDate {
    /// Easter Sunday by the Gregorian calendar (the algorithm of Meeus, Jones and Butcher).
    static func easter(of year: Int) -> CivilDate? {
        guard year > 1582 else { return nil }
        let (golden, century) = (year % 19, year / 100)
        let rest = year % 100
        let correction = (century + 8) / 25
        let moon = (19 * golden + century - century / 4 - (century - correction + 1) / 3 + 15) % 30
        let sunday = (32 + 2 * (century % 4) + 2 * (rest / 4) - moon - rest % 4) % 7
        let late = (golden + 11 * moon + 22 * sunday) / 451
        let day = moon + sunday - 7 * late + 114
        return CivilDate(year: year, month: day / 31, day: day % 31 + 1)
    }
}
