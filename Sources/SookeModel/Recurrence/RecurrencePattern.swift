import Bytes

/// A rule prepared for a start: which days of each of its periods are occurrences.
///
/// Periods are numbered from 0, the one with the start. The numbers of a rule are sets of bits here, so that a day is
/// tested with a few instructions; what the rule leaves open comes from the start.
struct RecurrencePattern: Sendable {
    let frequency: RecurrenceRule.Frequency
    private let interval: Int
    /// The days are counted since 1970; none before the start is an occurrence.
    let startDay: Int
    private let startYear: Int
    /// Months since the beginning of year 0.
    private let startMonth: Int
    /// The first day of the week with the start.
    private let startWeek: Int
    private let weekStart: Int
    private let months: NumberSet?
    private let weekNumbers: NumberSet?
    private let yearDays: NumberSet?
    private let monthDays: NumberSet?
    /// The days of the week without an ordinal, one bit each.
    private var weekdays = 0
    private var ordinals: [RecurrenceRule.Weekday] = []
    private let setPositions: [Int]

    init(_ rule: RecurrenceRule, start: CivilDate) {
        (frequency, interval, weekStart) = (rule.frequency, rule.interval, rule.weekStart)
        startDay = start.daysSinceEpoch
        (startYear, startMonth) = (start.year, start.year * 12 + start.month - 1)
        startWeek = startDay - (start.dayOfWeek - rule.weekStart + 7) % 7
        weekNumbers = NumberSet(rule.weekNumbers)
        yearDays = NumberSet(rule.yearDays)
        setPositions = rule.setPositions
        var (months, monthDays, days) = (rule.months, rule.monthDays, rule.weekdays)
        if monthDays.isEmpty, days.isEmpty, rule.yearDays.isEmpty {
            switch rule.frequency {
            case .daily: break
            case .weekly: days = [RecurrenceRule.Weekday(start.dayOfWeek)]
            case .monthly: monthDays = [start.day]
            case .yearly where !rule.weekNumbers.isEmpty: days = [RecurrenceRule.Weekday(start.dayOfWeek)]
            case .yearly:
                monthDays = [start.day]
                if months.isEmpty { months = [start.month] }
            }
        }
        self.months = NumberSet(months)
        self.monthDays = NumberSet(monthDays)
        for weekday in days {
            if weekday.ordinal == nil { weekdays |= 1 << weekday.day } else { ordinals.append(weekday) }
        }
    }

    /// The number of periods after which the calendar repeats: 400 years. Whatever does not occur in as many periods,
    /// never occurs.
    var cycle: Int {
        switch frequency {
        case .daily: 146_097
        case .weekly: 20_871
        case .monthly: 4_800
        case .yearly: 400
        }
    }

    /// The period with a day, or the last one before it; negative before the start.
    func period(of day: Int) -> Int {
        switch frequency {
        case .daily: return (day - startDay).quotient(roundedDownBy: interval)
        case .weekly: return (day - startWeek).quotient(roundedDownBy: 7 * interval)
        case .monthly, .yearly:
            let date = CivilDate(daysSinceEpoch: day)
            return frequency == .yearly
                ? (date.year - startYear).quotient(roundedDownBy: interval)
                : (date.year * 12 + date.month - 1 - startMonth).quotient(roundedDownBy: interval)
        }
    }

    /// The last year of a calendar whose moments have a text form.
    private static let lastYear = 9_997
    static let lastDay = MonthOfYear(lastYear, 12).firstDay + 30

    /// The days of a period that are occurrences, in ascending order, and how many days were tested; nil after the last
    /// year.
    func days(in period: Int) -> (days: [Int], tested: Int)? {
        var (days, tested): ([Int], Int) = ([], 1)
        switch frequency {
        case .daily:
            let day = startDay + period * interval
            let date = CivilDate(daysSinceEpoch: day)
            guard date.year <= Self.lastYear else { return nil }
            let month = MonthOfYear(date.year, date.month)
            if includes(month), includes(day, in: month) { days = [day] }
        case .weekly:
            let week = startWeek + period * interval * 7
            guard CivilDate(daysSinceEpoch: week).year <= Self.lastYear else { return nil }
            tested = 7
            for day in week..<(week + 7) where hasPlainWeekday(day) {
                if months == nil || includes(MonthOfYear(of: day)) { days.append(day) }
            }
        case .monthly:
            let (year, month) = (startMonth + period * interval).quotientAndRemainder(dividingBy: 12)
            guard year <= Self.lastYear else { return nil }
            append(MonthOfYear(year, month + 1), nil, to: &days, &tested)
        case .yearly:
            let year = startYear + period * interval
            guard year <= Self.lastYear else { return nil }
            let shape = yearShape(year)
            for month in 1...12 { append(MonthOfYear(year, month), shape, to: &days, &tested) }
        }
        return (atSetPositions(days), tested)
    }

    /// Appends the occurrences in a month, unless the rule excludes it as a whole.
    private func append(_ month: MonthOfYear, _ shape: YearShape?, to days: inout [Int], _ tested: inout Int) {
        guard includes(month) else { return }
        tested += month.length
        for day in month.firstDay..<(month.firstDay + month.length) where includes(day, in: month, shape) {
            days.append(day)
        }
    }

    private func includes(_ month: MonthOfYear) -> Bool { months?.contains(month.month) ?? true }

    /// Whether a day of an included month satisfies the other parts.
    private func includes(_ day: Int, in month: MonthOfYear, _ shape: YearShape? = nil) -> Bool {
        let index = day - month.firstDay
        if let monthDays, !monthDays.contains(index + 1, of: month.length) { return false }
        if let shape {
            if let yearDays, !yearDays.contains(day - shape.newYear + 1, of: shape.length) { return false }
            if let weekNumbers {
                let (number, count) = shape.week(of: day)
                if !weekNumbers.contains(number, of: count) { return false }
            }
        }
        guard weekdays != 0 || !ordinals.isEmpty else { return true }
        if hasPlainWeekday(day) { return true }
        return ordinals.contains {
            $0.day == CivilDate.dayOfWeek(of: day) && isOrdinal($0.ordinal ?? 0, day, in: month, shape)
        }
    }

    /// Whether a day is the n-th of its day of the week in its month, or in its year for a rule of years without months.
    private func isOrdinal(_ ordinal: Int, _ day: Int, in month: MonthOfYear, _ shape: YearShape?) -> Bool {
        var (first, length) = (month.firstDay, month.length)
        if let shape, months == nil { (first, length) = (shape.newYear, shape.length) }
        let index = day - first
        return ordinal > 0 ? index / 7 + 1 == ordinal : (length - 1 - index) / 7 + 1 == -ordinal
    }

    private func hasPlainWeekday(_ day: Int) -> Bool { weekdays >> CivilDate.dayOfWeek(of: day) & 1 == 1 }

    private func atSetPositions(_ days: [Int]) -> [Int] {
        guard !setPositions.isEmpty else { return days }
        let chosen = setPositions.compactMap { position in
            let index = position > 0 ? position - 1 : days.count + position
            return days.indices.contains(index) ? days[index] : nil
        }
        return Set(chosen).sorted()
    }
}

// MARK: - Months and years

/// A month of a year.
private struct MonthOfYear {
    let month: Int
    let length: Int
    /// Its first day, since 1970.
    let firstDay: Int

    init(_ year: Int, _ month: Int) {
        self.month = month
        length = CivilDate.daysInMonth(month, of: year)
        firstDay = CivilDate(year: year, month: month, day: 1)?.daysSinceEpoch ?? 0
    }

    /// The month with a day.
    init(of day: Int) {
        let date = CivilDate(daysSinceEpoch: day)
        self.init(date.year, date.month)
    }
}

/// The first day of a year, and where its weeks begin.
private struct YearShape {
    let newYear: Int
    let length: Int
    /// The first days of week 1 of the year before, of this one and of the two after it.
    let firstWeeks: [Int]

    /// The number of the week of a day, and how many weeks the year has to which that week belongs.
    func week(of day: Int) -> (number: Int, count: Int) {
        let year = day < firstWeeks[1] ? 0 : day < firstWeeks[2] ? 1 : 2
        return ((day - firstWeeks[year]) / 7 + 1, (firstWeeks[year + 1] - firstWeeks[year]) / 7)
    }
}

extension RecurrencePattern {
    private func yearShape(_ year: Int) -> YearShape {
        let newYear = MonthOfYear(year, 1).firstDay
        return YearShape(
            newYear: newYear, length: CivilDate.isLeap(year) ? 366 : 365,
            firstWeeks: weekNumbers == nil ? [] : (year - 1...year + 2).map(firstWeek))
    }

    /// The first day of the first week with at least four days in a year.
    private func firstWeek(of year: Int) -> Int {
        let newYear = MonthOfYear(year, 1).firstDay
        let before = (CivilDate.dayOfWeek(of: newYear) - weekStart + 7) % 7
        return before <= 3 ? newYear - before : newYear + 7 - before
    }
}

/// Numbers from 1, or from -1 backwards, up to 366.
private struct NumberSet: Sendable {
    private var bits = [UInt64](repeating: 0, count: 12)

    /// Nil for no numbers, which means that all are included.
    init?(_ numbers: [Int]) {
        guard !numbers.isEmpty else { return nil }
        for number in numbers { bits[Self.bit(number) / 64] |= 1 << UInt64(Self.bit(number) % 64) }
    }

    private static func bit(_ number: Int) -> Int { number > 0 ? number : 384 - number }

    func contains(_ number: Int) -> Bool { bits[Self.bit(number) / 64] >> UInt64(Self.bit(number) % 64) & 1 == 1 }

    /// Whether a number, or the same from the end of `count`, is included.
    func contains(_ number: Int, of count: Int) -> Bool { contains(number) || contains(number - count - 1) }
}
