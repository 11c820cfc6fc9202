import Bytes

extension HoursRule {
    func contains(_ date: CivilDate, isHoliday: Bool) -> Bool {
        containsDate(date) && containsDay(date.dayOfWeek, isHoliday: isHoliday)
            && (weekdays.allSatisfy { $0.ordinals.isEmpty } || isOnHolidays && isHoliday
                || weekdays.contains { $0.contains(date) })
    }

    func containsDate(_ date: CivilDate) -> Bool {
        (years.isEmpty || years.contains { $0.contains(date.year) })
            && (dates.isEmpty || dates.contains { $0.contains(date) })
            && (weeks.isEmpty || weeks.contains { $0.contains(date) })
    }

    func containsDay(_ dayOfWeek: Int, isHoliday: Bool) -> Bool {
        weekdays.isEmpty && !isOnHolidays || isOnHolidays && isHoliday || weekdays.contains { $0.contains(dayOfWeek) }
    }

    /// Whether its days are counted: by the number of the week, or the first, second, … of a month.
    var isCounted: Bool {
        !weeks.isEmpty || weekdays.contains { !$0.ordinals.isEmpty } || dates.contains { $0.end.weekday != nil }
    }

    /// Whether it is the same in each week, except for holidays.
    var isWeekly: Bool {
        years.isEmpty && dates.isEmpty && !isCounted
    }

    /// Days since 1970 outside of which it does not hold; all when that is not known at once.
    var bounds: ClosedRange<Int> {
        guard years.isEmpty, dates.count == 1, let years = dates[0].years else { return Int.min...Int.max }
        let first = CivilDate.first(in: years.first, from: dates[0].start.first).daysSinceEpoch
        if years.last >= Self.lastYear { return first...Int.max }
        return first...max(first, CivilDate.first(in: years.last, from: dates[0].end.last + 1).daysSinceEpoch)
    }

    /// Whether it closes on all public holidays, and says nothing else.
    public var isClosedHoliday: Bool {
        isOnHolidays && isWeekly && weekdays.isEmpty && kind == .closed && times.isEmpty && comment.isEmpty
    }

    /// Whether the rule says what holds on a public holiday: it is about those, or about days from one date to another.
    /// A season of months, or a year, says nothing of its holidays.
    public func names(holiday date: CivilDate) -> Bool {
        contains(date, isHoliday: true) && (isOnHolidays || dates.contains { $0.hasDays && $0.contains(date) })
    }

    func reason(isHoliday: Bool) -> OpenState.Reason {
        if isOnHolidays, isHoliday { return .holiday }
        return years.isEmpty && dates.isEmpty && weeks.isEmpty ? .regular : .special
    }
}

extension DateSpan {
    fileprivate var hasDays: Bool { start.day != nil || end.day != nil || end.weekday != nil }

    /// Whether a date is in it. A span that ends before it starts includes the end of the year.
    func contains(_ date: CivilDate) -> Bool {
        let day = date.monthDay
        // A month without a fifth Monday has no days until it.
        let last = end.last(in: date.year) ?? CivilDate.monthDay(end.month, 0)
        if let years {
            return (years.first, start.first) <= (date.year, day) && (date.year, day) <= (years.last, last)
        }
        return start.first <= end.last ? start.first <= day && day <= last : start.first <= day || day <= last
    }

    /// The years of its first and its last day; nil when it is in each year.
    var years: (first: Int, last: Int)? {
        guard let first = start.year else { return nil }
        return (first, end.year ?? (end.last < start.first ? first + 1 : first))
    }
}

extension DateSpan.Day {
    /// The month and the day, or the first day of the month, as `CivilDate.monthDay`.
    var first: Int { CivilDate.monthDay(month, day ?? 1) }
    /// The month and the day, or the last day of the month; of a day of the week, the latest that it can be.
    var last: Int { CivilDate.monthDay(month, day ?? weekday?.latestDay(of: month) ?? 31) }

    /// The month and the day in a year; nil when the month does not have it.
    func last(in year: Int) -> Int? {
        guard let weekday else { return last }
        return weekday.day(of: month, year).map { CivilDate.monthDay(month, $0) }
    }
}

extension WeekdayOfMonth {
    /// The day of the month; nil when it does not have one.
    func day(of month: Int, _ year: Int) -> Int? {
        guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
        let length = CivilDate.daysInMonth(month, of: year)
        let firstOne = 1 + (dayOfWeek - first.dayOfWeek + 7) % 7
        let lastOne = firstOne + (length - firstOne) / 7 * 7
        let day = ordinal > 0 ? firstOne + (ordinal - 1) * 7 : lastOne + (ordinal + 1) * 7
        return 1...length ~= day ? day : nil
    }

    func latestDay(of month: Int) -> Int {
        let length = CivilDate.daysInMonth(month, of: 2000)
        return ordinal > 0 ? min(ordinal * 7, length) : length + (ordinal + 1) * 7
    }
}

extension WeekSpan {
    func contains(_ date: CivilDate) -> Bool {
        let week = date.isoWeek
        return weeks.contains(week) && (week - weeks.lowerBound).isMultiple(of: step)
    }
}

extension WeekdaySpan {
    func contains(_ dayOfWeek: Int) -> Bool {
        first <= last ? first <= dayOfWeek && dayOfWeek <= last : first <= dayOfWeek || dayOfWeek <= last
    }

    func contains(_ date: CivilDate) -> Bool {
        guard contains(date.dayOfWeek) else { return false }
        if ordinals.isEmpty { return true }
        let fromEnd = CivilDate.daysInMonth(date.month, of: date.year) - date.day
        return ordinals.contains((date.day - 1) / 7 + 1) || ordinals.contains(-(fromEnd / 7 + 1))
    }
}

extension CivilDate {
    /// The number of the week by ISO 8601: week 1 has the first Thursday of the year.
    var isoWeek: Int {
        let monday = (dayOfWeek + 6) % 7
        let thursday = CivilDate(daysSinceEpoch: daysSinceEpoch - monday + 3)
        guard let first = CivilDate(year: thursday.year, month: 1, day: 1) else { return 1 }
        return (thursday.daysSinceEpoch - first.daysSinceEpoch) / 7 + 1
    }

    /// A number for the month and the day that orders the days of a year.
    var monthDay: Int { Self.monthDay(month, day) }

    /// A number for a month and a day, which need not exist.
    static func monthDay(_ month: Int, _ day: Int) -> Int { month << 6 | day }

    /// The first date of a year whose `monthDay` is not less than a number: of a common year, the 1st of March for that
    /// of the 29th of February.
    static func first(in year: Int, from monthDay: Int) -> CivilDate {
        let (month, day) = (monthDay >> 6, monthDay & 63)
        if let date = CivilDate(year: year, month: month, day: day) { return date }
        let (nextYear, nextMonth) = month >= 12 ? (year + 1, 1) : (year, month + 1)
        return CivilDate(year: nextYear, month: nextMonth, day: 1) ?? CivilDate(daysSinceEpoch: 0)
    }
}
