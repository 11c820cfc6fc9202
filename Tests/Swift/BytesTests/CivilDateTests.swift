import Bytes
import Testing

/// The calendar, day by day.
@Suite struct CivilDateTests {
    /// Every day from 1600 to 2400, counted up from a known one by the rules of the calendar alone.
    @Test func everyDayFrom1600To2400() {
        // 1600-01-01 was a Saturday, 135,140 days before 1970-01-01.
        var days = -135_140
        var dayOfWeek = 6
        for year in 1600...2400 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            #expect(CivilDate.isLeap(year) == isLeap)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in zip(1..., lengths) {
                #expect(CivilDate.daysInMonth(month, of: year) == length)
                for day in 1...length {
                    let date = CivilDate(year: year, month: month, day: day)
                    let back = CivilDate(daysSinceEpoch: days)
                    if date != back || date?.daysSinceEpoch != days || back.dayOfWeek != dayOfWeek
                        || (back.year, back.month, back.day) != (year, month, day)
                    {
                        Issue.record("\(year)-\(month)-\(day) is day \(days)")
                    }
                    days += 1
                    dayOfWeek = (dayOfWeek + 1) % 7
                }
            }
        }
    }

    @Test(arguments: [
        (1970, 1, 1, 0, 4), (1969, 12, 31, -1, 3), (2000, 2, 29, 11_016, 2), (2026, 11, 21, 20_778, 6),
        (0, 1, 1, -719_528, 6), (0, 2, 29, -719_469, 2), (0, 3, 1, -719_468, 3), (-1, 12, 31, -719_529, 5),
        (-400, 2, 29, -865_566, 2), (-400, 3, 1, -865_565, 3), (1, 1, 1, -719_162, 1), (9999, 12, 31, 2_932_896, 5),
        (10_000, 1, 1, 2_932_897, 6),
    ])
    func known(year: Int, month: Int, day: Int, days: Int, dayOfWeek: Int) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(date?.daysSinceEpoch == days)
        #expect(date?.dayOfWeek == dayOfWeek)
        #expect(CivilDate(daysSinceEpoch: days) == date)
    }

    @Test(arguments: [
        (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2026, 2, 29), (1900, 2, 29),
        (2000, 2, 30), (2026, -1, 1), (2026, 1, -1), (2026, 12, 32), (2026, .max, .max), (2026, .min, .min),
    ])
    func noSuchDay(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test func isOrderedAsTheDaysAre() {
        let days = [-1_000_000, -719_469, -719_468, -1, 0, 1, 30, 31, 364, 365, 11_016, 2_932_897]
        let dates = days.map(CivilDate.init(daysSinceEpoch:))
        #expect(dates.shuffled().sorted() == dates)
        #expect(Set(dates).count == dates.count)
    }
}
