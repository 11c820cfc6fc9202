import Bytes

/// How the date of a holiday is found in a year.
enum HolidayRule: Sendable {
    /// The same day each year.
    case fixed(month: Int, day: Int)
    /// Some days after Easter Sunday; before it when negative.
    case easter(days: Int)
    /// The first, second, … of a day of the week in a month.
    case ordinal(Int, dayOfWeek: Int, month: Int)
    /// The last of a day of the week before a date.
    case before(dayOfWeek: Int, month: Int, day: Int)

    /// The date in a year.
    func date(in year: Int) -> CivilDate? {
        switch self {
        case .fixed(let month, let day): return CivilDate(year: year, month: month, day: day)
        case .easter(let days):
            return CivilDate.easter(of: year).map { CivilDate(daysSinceEpoch: $0.daysSinceEpoch + days) }
        case .ordinal(let number, let dayOfWeek, let month):
            guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
            let offset = (dayOfWeek - first.dayOfWeek + 7) % 7
            return CivilDate(year: year, month: month, day: 1 + offset + 7 * (number - 1))
        case .before(let dayOfWeek, let month, let day):
            guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
            let back = (date.dayOfWeek - dayOfWeek + 6) % 7 + 1
            return CivilDate(daysSinceEpoch: date.daysSinceEpoch - back)
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
