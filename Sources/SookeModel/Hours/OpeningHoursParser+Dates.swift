import Bytes

extension OpeningHoursParser {
    static let years = 1900...9999
    /// Later years are not evaluated.
    private static let lastYear = 2999

    mutating func wideSelectors(_ rule: inout HoursRule) throws(OpeningHoursError) {
        try years(&rule)
        try dates(&rule)
        if scanner.skip(word: "week") || scanner.skip(word: "weeks") { try weeks(&rule) }
        if rule.hasDays { _ = scanner.skip(":") }
    }

    private mutating func years(_ rule: inout HoursRule) throws(OpeningHoursError) {
        let start = scanner.index
        while let first = scanner.skipNumber(in: Self.years, digits: 4...4) {
            var last = first
            if scanner.skip("+") {
                last = HoursRule.lastYear
            } else if scanner.skip("-") {
                guard let end = scanner.skipNumber(in: first...Self.years.upperBound, digits: 4...4) else {
                    throw scanner.error("a year from \(first)")
                }
                last = end
            }
            let isLate = first > Self.lastYear || last > Self.lastYear && last < HoursRule.lastYear
            if isLate || scanner.skip("/") { throw rare() }
            rule.years.append(first...last)
            guard scanner.skip(",") else { break }
            guard isNumberNext(Self.years, digits: 4) else { throw scanner.error("a year") }
        }
        // The year of a date belongs to the date.
        if rule.years.count == 1, rule.years[0].count == 1, nextMonth() {
            rule.years = []
            scanner.goBack(to: start)
        }
    }

    mutating func nextMonth() -> Bool {
        let start = scanner.index
        defer { scanner.goBack(to: start) }
        return scanner.skip(oneOf: Self.months, shortest: 3) != nil
    }

    private mutating func dates(_ rule: inout HoursRule) throws(OpeningHoursError) {
        while let start = try day(after: rule.dates.last?.end) {
            var end = start
            try checkStart(start)
            if scanner.skip("-") {
                if let first = start.day, let last = scanner.skipNumber(in: 1...31, digits: 1...2) {
                    if last < first { throw scanner.error("a day from \(first) before this") }
                    end = try checked(DateSpan.Day(year: start.year, month: start.month, day: last))
                } else if isNumberNext(1...31) {
                    throw scanner.error("a month")
                } else if let last = try day(after: nil) {
                    end = last
                    if start.day != nil, last.day == nil { end.weekday = try weekdayOfMonth() }
                    try checkOffset()
                } else {
                    throw scanner.error("a month or a day")
                }
                try checkYears(start, end)
                if scanner.skip("/") { throw rare() }
            } else if start.day != nil, scanner.skip("+") {
                if start.year == nil { throw rare() }
                end = DateSpan.Day(year: HoursRule.lastYear, month: 12, day: 31)
            }
            rule.dates.append(DateSpan(start, end))
            guard rule.dates.count < Self.limit else { throw scanner.error("fewer dates") }
            let separator = scanner.index
            guard scanner.skip(",") else { return }
            let isDay = isNumberNext(1...31)
            if !nextMonth(), !isDay, !isNumberNext(Self.years, digits: 4) {
                return scanner.goBack(to: separator)
            }
        }
    }

    /// A day of the week of a month, such as `Mo[1]`; nil when none is next.
    private mutating func weekdayOfMonth() throws(OpeningHoursError) -> WeekdayOfMonth? {
        let start = scanner.index
        if let day = scanner.skip(oneOf: Self.days, shortest: 2), scanner.isNext("[") {
            let ordinals = try weekday(day).ordinals
            if ordinals.count == 1 { return WeekdayOfMonth(day, ordinal: ordinals[0]) }
        }
        scanner.goBack(to: start)
        return nil
    }

    /// What is valid after the first day of a range, but rare: `Mar` before `Su[-1]-Sep 30`, `Dec 24` before `-Su`.
    private mutating func checkStart(_ start: DateSpan.Day) throws(OpeningHoursError) {
        if start.day != nil { return try checkOffset() }
        let index = scanner.index
        if try weekdayOfMonth() != nil, scanner.skip("+") || scanner.skip("-") { throw rare() }
        scanner.goBack(to: index)
    }

    /// An offset of a date is rare: `-Su` for the Sunday before it.
    private mutating func checkOffset() throws(OpeningHoursError) {
        let start = scanner.index
        if scanner.skip("+") || scanner.skip("-"), scanner.skip(oneOf: Self.days, shortest: 2) != nil { throw rare() }
        scanner.goBack(to: start)
    }

    private mutating func checkYears(_ start: DateSpan.Day, _ end: DateSpan.Day) throws(OpeningHoursError) {
        guard let last = end.year else { return }
        guard let first = start.year else { throw scanner.error("a year of the first day, too, before this") }
        if (last, end.last) < (first, start.first) {
            throw scanner.error("a last day that is not before the first one")
        }
    }

    private mutating func isNumberNext(_ range: ClosedRange<Int>, digits: Int = 2) -> Bool {
        let start = scanner.index
        defer { scanner.goBack(to: start) }
        return scanner.skipNumber(in: range, digits: (digits == 4 ? 4 : 1)...digits) != nil
    }

    /// A day such as `Dec 24`, `2026 Dec` or, in a list of days of one month, `26`.
    private mutating func day(after former: DateSpan.Day?) throws(OpeningHoursError) -> DateSpan.Day? {
        let start = scanner.index
        if let former, former.day != nil, let day = scanner.skipNumber(in: 1...31, digits: 1...2) {
            return try checked(DateSpan.Day(year: former.year, month: former.month, day: day))
        }
        let year = scanner.skipNumber(in: Self.years, digits: 4...4)
        guard let month = scanner.skip(oneOf: Self.months, shortest: 3) else {
            scanner.goBack(to: start)
            return nil
        }
        if let year, year > Self.lastYear { throw rare() }
        let day = scanner.skipNumber(in: 1...31, digits: 1...2)
        return try checked(DateSpan.Day(year: year, month: month + 1, day: day))
    }

    private mutating func checked(_ day: DateSpan.Day) throws(OpeningHoursError) -> DateSpan.Day {
        if let number = day.day, number > CivilDate.daysInMonth(day.month, of: day.year ?? 2000) {
            throw scanner.error("a day of that month before this")
        }
        return day
    }

    private mutating func weeks(_ rule: inout HoursRule) throws(OpeningHoursError) {
        repeat {
            guard let first = scanner.skipNumber(in: 1...53, digits: 1...2) else {
                throw scanner.error("a week from 1 to 53")
            }
            var span = WeekSpan(first...first)
            if scanner.skip("-") {
                guard let last = scanner.skipNumber(in: first...53, digits: 1...2) else {
                    throw scanner.error("a week from \(first) to 53")
                }
                span.weeks = first...last
                if scanner.skip("/") {
                    guard let step = scanner.skipNumber(in: 1...26, digits: 1...2) else {
                        throw scanner.error("a number of weeks")
                    }
                    span.step = step
                }
            }
            rule.weeks.append(span)
        } while scanner.skip(",")
    }
}
