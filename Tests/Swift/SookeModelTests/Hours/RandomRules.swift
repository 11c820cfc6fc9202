import Bytes

@testable import SookeModel

/// Random rules, which `OpeningHours` can write.
enum RandomRules {
    static func rule(_ random: inout SplitMix64) -> HoursRule {
        var rule = HoursRule()
        // In the text one year before a date belongs to the date.
        if random.once(in: 8) { rule.years = [2026...2027] }
        if random.once(in: 4) { rule.dates = [DateSpan(day(&random), day(&random))] }
        if random.once(in: 12) { rule.dates = [untilWeekday(&random)] }
        if random.once(in: 10) {
            rule.weeks = [WeekSpan(1 + random.below(20)...30 + random.below(20), step: 1 + random.below(3))]
        }
        if random.once(in: 2) { rule.weekdays = [weekday(&random)] }
        if random.once(in: 6) { rule.isOnHolidays = true }
        rule.times = (0..<random.below(3)).map { _ in time(&random) }
        rule.kind = random.once(in: 5) ? .closed : random.once(in: 8) ? .unknown : .open
        return rule
    }

    /// A rule such as one of special hours: for dates in a year, perhaps without an end.
    static func dated(_ random: inout SplitMix64) -> HoursRule {
        var rule = rule(&random)
        (rule.years, rule.weeks, rule.weekdays, rule.isOnHolidays) = ([], [], [], false)
        let (start, end) = (day(&random), day(&random))
        let year = 2026 + random.below(3)
        rule.dates = [
            DateSpan(
                DateSpan.Day(year: year, month: start.month, day: start.day),
                DateSpan.Day(
                    year: random.once(in: 5) ? 9999 : year + random.below(2), month: end.month, day: end.day))
        ]
        rule.comment = random.once(in: 2) ? "renovation" : ""
        return rule
    }

    private static func day(_ random: inout SplitMix64) -> DateSpan.Day {
        let month = 1 + random.below(12)
        if random.once(in: 5) { return DateSpan.Day(month: month) }
        return DateSpan.Day(month: month, day: 1 + random.below(month == 2 ? 29 : 30))
    }

    /// From a day until the first, second, … or last of a day of the week.
    private static func untilWeekday(_ random: inout SplitMix64) -> DateSpan {
        let ordinal = random.once(in: 2) ? 1 + random.below(5) : -1 - random.below(5)
        let start = DateSpan.Day(month: 1 + random.below(12), day: 1 + random.below(28))
        let month = random.once(in: 2) ? start.month : 1 + random.below(12)
        return DateSpan(start, DateSpan.Day(month: month, weekday: WeekdayOfMonth(random.below(7), ordinal: ordinal)))
    }

    private static func weekday(_ random: inout SplitMix64) -> WeekdaySpan {
        if random.once(in: 5) {
            let day = random.below(7)
            return WeekdaySpan(day, day, ordinals: [random.once(in: 2) ? 1 + random.below(5) : -1 - random.below(5)])
        }
        return WeekdaySpan(random.below(7), random.below(7))
    }

    private static func time(_ random: inout SplitMix64) -> TimeSpan {
        let start = random.below(96) * 15
        if random.once(in: 10) { return TimeSpan(start, 1440, isOpenEnded: true) }
        return TimeSpan(start, start + 15 + random.below(95) * 15, isOpenEnded: random.once(in: 12))
    }
}
