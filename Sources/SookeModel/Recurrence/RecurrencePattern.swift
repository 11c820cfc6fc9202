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
    /// The days of months of 28 to 31 days that the days of the month allow, one bit each.
    private let daysByLength: [UInt32]
    /// The days of a month that the days of the week allow, by the weekday of its 1st; empty when each must be tested.
    private let daysByBeginning: [UInt32]

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
        let allowed = NumberSet(monthDays)
        self.monthDays = allowed
        for weekday in days {
            if weekday.ordinal == nil { weekdays |= 1 << weekday.day } else { ordinals.append(weekday) }
        }
        func bits(_ count: Int, _ isIncluded: (Int) -> Bool) -> UInt32 {
            (0..<count).reduce(0) { isIncluded($1) ? $0 | 1 << UInt32($1) : $0 }
        }
        daysByLength = (28...31).map { length in bits(length) { allowed?.contains($0 + 1, of: length) ?? true } }
        let plain = weekdays
        daysByBeginning =
            plain == 0 || !ordinals.isEmpty
            ? [] : (0..<7).map { first in bits(31) { plain >> (($0 + first) % 7) & 1 == 1 } }
    }

    /// The periods of 400 years, after which the calendar repeats: what does not occur in as many never occurs.
    var cycle: Int {
        switch frequency {
        case .daily: 4_800 * interval
        case .weekly: 20_871
        case .monthly: 4_800
        case .yearly: 400
        }
    }

    /// The period with a day, or the last one before it; negative before the start. That of a rule of days is a month,
    /// because most months of a rare rule have no day to be tested.
    func period(of day: Int) -> Int {
        if frequency == .weekly { return (day - startWeek).quotient(roundedDownBy: 7 * interval) }
        let date = CivilDate(daysSinceEpoch: day)
        let month = date.year * 12 + date.month - 1 - startMonth
        switch frequency {
        case .yearly: return (date.year - startYear).quotient(roundedDownBy: interval)
        case .monthly: return month.quotient(roundedDownBy: interval)
        default: return month
        }
    }

    func firstDay(of period: Int) -> Int {
        switch frequency {
        case .daily: MonthOfYear(months: startMonth + period).firstDay
        case .weekly: startWeek + period * interval * 7
        case .monthly: MonthOfYear(months: startMonth + period * interval).firstDay
        case .yearly: MonthOfYear(startYear + period * interval, 1).firstDay
        }
    }

    /// The last year of a calendar whose times have a text form.
    private static let lastYear = 9_997
    static let lastDay = MonthOfYear(lastYear, 12).firstDay + 30

    /// The days of a period that are occurrences, in ascending order, and what it took; nil after the last year.
    func days(in period: Int) -> (days: [Int], work: RecurrenceWork)? {
        var (days, work) = ([Int](), RecurrenceWork())
        switch frequency {
        case .daily:
            let month = startMonth + period
            guard month / 12 <= Self.lastYear else { return nil }
            append(month, nil, to: &days, &work)
            // As many as if each day were tested.
            work.tested = max(1, 30 / interval)
            return (hasOnlyDays ? days : [], work)
        case .weekly:
            let week = startWeek + period * interval * 7
            guard CivilDate(daysSinceEpoch: week).year <= Self.lastYear else { return nil }
            work = RecurrenceWork(tested: 7, steps: 7)
            for day in week..<(week + 7) where hasPlainWeekday(day) {
                if months == nil || includes(MonthOfYear(of: day)) { days.append(day) }
            }
        case .monthly:
            let month = startMonth + period * interval
            guard month / 12 <= Self.lastYear else { return nil }
            append(month, nil, to: &days, &work)
        case .yearly:
            let year = startYear + period * interval
            guard year <= Self.lastYear else { return nil }
            let shape = yearShape(year)
            for month in 0..<12 { append(year * 12 + month, shape, to: &days, &work) }
        }
        work.tested += 1
        return (atSetPositions(days), work)
    }

    /// Whether the set positions of a rule of days, whose sets have one day each, choose that day.
    private var hasOnlyDays: Bool { setPositions.isEmpty || setPositions.contains(1) || setPositions.contains(-1) }

    /// Appends the occurrences in a month, counted since the beginning of year 0, unless the rule excludes it.
    private func append(_ number: Int, _ shape: YearShape?, to days: inout [Int], _ work: inout RecurrenceWork) {
        work.steps += 1
        let month = MonthOfYear(months: number)
        guard includes(month) else { return }
        work.tested += month.length
        var candidates = daysByLength[month.length - 28]
        if !daysByBeginning.isEmpty { candidates &= daysByBeginning[CivilDate.dayOfWeek(of: month.firstDay)] }
        work.steps += 1 + candidates.nonzeroBitCount
        while candidates != 0 {
            let day = month.firstDay + candidates.trailingZeroBitCount
            candidates &= candidates - 1
            if frequency == .daily, (day - startDay) % interval != 0 { continue }
            if includes(day, in: month, shape) { days.append(day) }
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

    /// Whether a day is the n-th of its weekday in its month, or in its year for a rule of years without months.
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

struct RecurrenceWork: Sendable {
    /// The days of the periods that were visited, as far as their months are included.
    var tested = 0
    /// The months and days that had to be looked at; one takes a few nanoseconds.
    var steps = 0
}

private struct MonthOfYear {
    let month: Int
    let length: Int
    let firstDay: Int

    init(months: Int) {
        // A start in the first hours of year 0 in UTC is in the year before it in the west.
        let year = months.quotient(roundedDownBy: 12)
        self.init(year, months - 12 * year + 1)
    }

    init(_ year: Int, _ month: Int) {
        self.month = month
        length = CivilDate.daysInMonth(month, of: year)
        firstDay = CivilDate(year: year, month: month, day: 1)?.daysSinceEpoch ?? 0
    }

    init(of day: Int) {
        let date = CivilDate(daysSinceEpoch: day)
        self.init(date.year, date.month)
    }
}

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

/// The days of a rule from a day on, in ascending or descending order. It ends where the calendar has repeated without
/// an occurrence: that bounds the work for any rule.
struct RecurrenceDays: IteratorProtocol {
    private let pattern: RecurrencePattern
    private let bounds: (first: Int, last: Int)
    private let isAscending: Bool
    private var period: Int
    private let lastPeriod: Int
    /// The days of one period that are still to come; the next one is the last.
    private var pending: [Int] = []
    private var emptyPeriods = 0
    private(set) var work = RecurrenceWork()
    private let mostSteps: Int
    /// Whether it has ended because of them: the next day is not before `reached`.
    private(set) var isCut = false

    init(of pattern: RecurrencePattern, from first: Int, through last: Int?, steps: Int = .max) {
        (self.pattern, mostSteps) = (pattern, steps)
        bounds = (max(first, pattern.startDay), last ?? .max)
        isAscending = true
        period = max(pattern.period(of: bounds.first), 0)
        lastPeriod = last.map(pattern.period(of:)) ?? .max
    }

    init(of pattern: RecurrencePattern, backFrom last: Int) {
        (self.pattern, mostSteps) = (pattern, .max)
        bounds = (pattern.startDay, min(last, RecurrencePattern.lastDay))
        isAscending = false
        period = pattern.period(of: bounds.last)
        lastPeriod = period
    }

    /// The first day that was not looked at.
    var reached: Int { pattern.firstDay(of: period) }

    mutating func next() -> Int? {
        while pending.isEmpty {
            guard 0...max(lastPeriod, 0) ~= period, emptyPeriods < pattern.cycle else { return nil }
            guard work.steps < mostSteps else {
                isCut = true
                return nil
            }
            guard let found = pattern.days(in: period) else { return nil }
            work.tested += found.work.tested
            work.steps += found.work.steps
            emptyPeriods = found.days.isEmpty ? emptyPeriods + 1 : 0
            pending = found.days.filter { bounds.first <= $0 && $0 <= bounds.last }
            if isAscending { pending.reverse() }
            period += isAscending ? 1 : -1
        }
        return pending.removeLast()
    }
}
