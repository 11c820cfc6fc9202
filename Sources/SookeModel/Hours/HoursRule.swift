import Bytes

/// A rule of `OpeningHours`: on which days, at which times, and what holds then.
public struct HoursRule: Sendable, Hashable {
    /// What holds at the times of a rule.
    public enum Kind: Sendable, Hashable {
        case open
        case closed
        /// It may be open: the hours are not known.
        case unknown
    }

    /// The end of years without an end.
    static let lastYear = 9999

    /// The years; all when empty.
    public var years: [ClosedRange<Int>] = []
    /// The dates of any year or of one; all when empty.
    public var dates: [DateSpan] = []
    /// The weeks by ISO 8601; all when empty.
    public var weeks: [WeekSpan] = []
    /// The days of the week; all when empty, unless `isOnHolidays`.
    public var weekdays: [WeekdaySpan] = []
    /// Whether it holds on public holidays too, regardless of the day of the week.
    public var isOnHolidays = false
    /// The times of a day; the whole day when empty.
    public var times: [TimeSpan] = []
    public var kind = Kind.open
    /// A remark as text; empty for none.
    public var comment = ""
    /// Whether it adds to the rules before it; otherwise it replaces them on its days.
    public var isAdditional = false

    public init(kind: Kind = .open) {
        self.kind = kind
    }

    var hasDatesOnly: Bool {
        weekdays.isEmpty && weeks.isEmpty && (isOnHolidays || !dates.isEmpty)
    }

    var hasDays: Bool {
        !years.isEmpty || !dates.isEmpty || !weeks.isEmpty || !weekdays.isEmpty || isOnHolidays
    }
}

/// Dates from one day to another, in each year or in one.
public struct DateSpan: Sendable, Hashable {
    /// A day, or a whole month.
    public struct Day: Sendable, Hashable {
        /// The year; nil for each.
        public var year: Int?
        /// 1 to 12.
        public var month: Int
        /// 1 to 31; nil for the first or the last of the month, and for `weekday`.
        public var day: Int?
        /// The day of the week that it is; only of a last day.
        public var weekday: WeekdayOfMonth?

        public init(year: Int? = nil, month: Int, day: Int? = nil, weekday: WeekdayOfMonth? = nil) {
            (self.year, self.month, self.day, self.weekday) = (year, month, day, weekday)
        }
    }

    public var start: Day
    public var end: Day

    /// The days from one to another, both included.
    public init(_ start: Day, _ end: Day) {
        (self.start, self.end) = (start, end)
    }
}

/// The first, second, … or last of a day of the week in a month.
public struct WeekdayOfMonth: Sendable, Hashable {
    /// 0 for Sunday to 6 for Saturday.
    public var dayOfWeek: Int
    /// 1 to 5 from the start of the month, -1 to -5 from its end.
    public var ordinal: Int

    public init(_ dayOfWeek: Int, ordinal: Int) {
        (self.dayOfWeek, self.ordinal) = (dayOfWeek, ordinal)
    }
}

/// Weeks of the year by ISO 8601, perhaps only each second or third of them.
public struct WeekSpan: Sendable, Hashable {
    /// 1 to 53.
    public var weeks: ClosedRange<Int>
    /// 1 for each week.
    public var step = 1

    public init(_ weeks: ClosedRange<Int>, step: Int = 1) {
        (self.weeks, self.step) = (weeks, step)
    }
}

/// Days of the week, perhaps only some of a month.
public struct WeekdaySpan: Sendable, Hashable {
    /// The first day, 0 for Sunday to 6 for Saturday.
    public var first: Int
    /// The last day; before `first` it is in the next week.
    public var last: Int
    /// Which of the month: 1 to 5 from its start, -1 to -5 from its end; each when empty.
    public var ordinals: [Int] = []

    public init(_ first: Int, _ last: Int, ordinals: [Int] = []) {
        (self.first, self.last, self.ordinals) = (first, last, ordinals)
    }
}

/// A time from one minute to another.
public struct TimeSpan: Sendable, Hashable {
    /// Minutes since midnight, 0 to 1440.
    public var start: Int
    /// Minutes since the same midnight, more than `start`, at most 2880; more than 1440 is on the next day.
    public var end: Int
    /// Whether the end is not known: it may be open until later.
    public var isOpenEnded = false

    public init(_ start: Int, _ end: Int, isOpenEnded: Bool = false) {
        (self.start, self.end, self.isOpenEnded) = (start, end, isOpenEnded)
    }
}

extension HoursRule {
    /// A rule for the days from one date to another (nil: until further notice), instead of what holds otherwise.
    public init(from: CivilDate, to: CivilDate?, times: [TimeSpan], reason: String) {
        let end = to.map { DateSpan.Day($0) } ?? DateSpan.Day(year: Self.lastYear, month: 12, day: 31)
        (dates, self.times) = ([DateSpan(DateSpan.Day(from), end)], times)
        (kind, comment) = (times.isEmpty ? .closed : .open, reason)
    }

    /// The rules of special hours, to be applied after the regular ones.
    ///
    /// Rows with the same dates are the spans of the same days. On a day of several ranges, the one that begins last
    /// counts; of those, the one that ends first. Rows of a notice count before all others.
    public static func special(_ rows: [SpecialHours]) -> [HoursRule] {
        let dated = rows.enumerated().compactMap { index, row in
            let rank = row.notice == nil ? 0 : 1
            return row.from.map {
                (rank: rank, from: $0.daysSinceEpoch, to: row.to?.daysSinceEpoch ?? .max, index: index)
            }
        }
        var (rules, last): ([HoursRule], (from: Int, to: Int)?) = ([], nil)
        let sorted = dated.sorted { ($0.rank, $0.from, $1.to, $0.index) < ($1.rank, $1.from, $0.to, $1.index) }
        for (rank, from, to, index) in sorted {
            let row = rows[index]
            var rule = HoursRule(
                from: CivilDate(daysSinceEpoch: from), to: row.to,
                times: row.isClosed ? [] : [TimeSpan(row.opens, row.closes)], reason: row.reason ?? "")
            if let last, rank == 0, last == (from, to) {
                // A row that says closed does not end the other spans of its days.
                if row.isClosed { continue }
                rule.isAdditional = rules[rules.count - 1].kind == .open
            }
            rules.append(rule)
            last = (from, to)
        }
        return rules
    }
}

extension DateSpan.Day {
    fileprivate init(_ date: CivilDate) {
        self.init(year: date.year, month: date.month, day: date.day)
    }
}
