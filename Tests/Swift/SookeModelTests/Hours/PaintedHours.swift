import Bytes
import Testing

@testable import SookeModel

/// The hours of a time, minute by minute, as the rules say them: each rule paints its minutes over those before.
///
/// It shares no code with the schedules, and is slow.
struct PaintedHours {
    /// What holds in a minute.
    enum Paint: UInt8 {
        case closed
        case open
        case unknown
        /// Open in the last minute before an end that is not known.
        case unsure
        /// After an end that is not known.
        case tail

        var status: OpenState.Status {
            switch self {
            case .closed: .closed
            case .open, .unsure: .open
            case .unknown, .tail: .unknown
            }
        }
    }

    /// The clocks of a zone, minute by minute.
    struct Clocks {
        let zone: SookeModel.TimeZone
        let firstDay: Int
        let dayCount: Int
        /// For each minute on the clocks since the midnight of the first day: the first minute since 1970 that is not
        /// before it on the clocks.
        let moments: [Int]

        init(_ zone: SookeModel.TimeZone, firstDay: Int, dayCount: Int) {
            (self.zone, self.firstDay, self.dayCount) = (zone, firstDay, dayCount)
            var (moments, next) = ([Int](), firstDay * 1440 - 1600)
            // Beyond the last day are the hours after its midnight.
            for minute in 0...(dayCount + 1) * 1440 {
                let shown = firstDay * 1440 + minute
                while next + zone.offset(at: Timestamp(clampingSeconds: next * 60)) / 60 < shown { next += 1 }
                moments.append(next)
            }
            self.moments = moments
        }
    }

    let clocks: Clocks
    /// For each minute: the next one with another status, and the first one from it on that is open; `end` for none.
    private let nextChanges: [Int]
    private let openings: [Int]
    /// From the first minute of the clocks on.
    let paint: [Paint]
    var first: Int { clocks.moments[0] }
    var end: Int { first + paint.count }

    init(_ rules: [HoursRule], _ clocks: Clocks, _ holidays: Set<String>) {
        self.clocks = clocks
        let count = clocks.moments[clocks.dayCount * 1440] - clocks.moments[0]
        var paint = [Paint](repeating: .closed, count: count)
        // The hours of the day before the first one reach into it.
        var next = Self.plan(rules, on: clocks.firstDay - 1, holidays)
        for day in -1..<clocks.dayCount {
            var plan = next
            next = Self.plan(rules, on: clocks.firstDay + day + 1, holidays)
            Self.endTail(of: &plan, by: next)
            for (minute, value) in plan.enumerated() where value != .closed {
                let place = day * 1440 + minute
                guard place >= 0 else { continue }
                // Clocks skip this minute: the end is when they are set forward.
                if value == .unsure, clocks.moments[place] == clocks.moments[place + 1] {
                    let last = clocks.moments[place] - clocks.moments[0] - 1
                    if 0..<count ~= last, paint[last] == .open { paint[last] = .unsure }
                }
                for moment in clocks.moments[place]..<clocks.moments[place + 1] where moment - clocks.moments[0] < count
                {
                    let earlier = paint[moment - clocks.moments[0]]
                    if value.status == .unknown, earlier.status == .open { continue }
                    paint[moment - clocks.moments[0]] = value
                }
            }
        }
        self.paint = paint
        var (change, opening) = (count, count)
        var (changes, openings) = (paint.map { _ in count }, paint.map { _ in count })
        for place in (0..<count).reversed() {
            if place + 1 < count, paint[place].status != paint[place + 1].status { change = place + 1 }
            if paint[place].status == .open { opening = place }
            (changes[place], openings[place]) = (change, opening)
        }
        (nextChanges, self.openings) = (changes, openings)
    }

    func status(at minute: Int) -> OpenState.Status { paint[minute - first].status }

    /// The next minute with another status; nil when there is none in this time.
    func nextChange(after minute: Int) -> Int? {
        let next = nextChanges[minute - first]
        return next == paint.count ? nil : next + first
    }

    /// The first minute from another one on that is open; nil when there is none in this time.
    func opening(from minute: Int) -> Int? {
        let next = openings[minute - first]
        return next == paint.count ? nil : next + first
    }

    // MARK: - A day

    /// What the rules say of the minutes of a day and of the next one.
    private static func plan(_ rules: [HoursRule], on number: Int, _ holidays: Set<String>) -> [Paint] {
        let day = Day(number, holidays)
        let closed = [Paint](repeating: .closed, count: 2880)
        var plan = closed
        for rule in rules where day.isIn(rule) {
            if rule.kind != .closed, !rule.isAdditional { plan = closed }
            if rule.kind != .open, rule.times.isEmpty { plan = closed }
            for time in rule.times.isEmpty ? [TimeSpan(0, 1440)] : rule.times {
                let value: Paint = rule.kind == .closed ? .closed : rule.kind == .open ? .open : .unknown
                for minute in time.start..<time.end { plan[minute] = value }
                // What it says ends what was not known before.
                for minute in time.end..<max(1740, time.end) {
                    guard plan[minute] == .tail else { break }
                    plan[minute] = .closed
                }
                guard time.isOpenEnded, rule.kind != .closed else { continue }
                if value == .open { plan[time.end - 1] = .unsure }
                for minute in time.end..<max(1740, time.end) {
                    guard plan[minute] == .closed else { break }
                    plan[minute] = .tail
                }
            }
        }
        return plan
    }

    /// Ends what is not known of the night when the next day has opened and closed.
    private static func endTail(of plan: inout [Paint], by next: [Paint]) {
        var hasOpened = false
        for minute in 1440..<1740 where plan[minute] == .tail {
            if next[minute - 1440] != .closed { hasOpened = true } else if hasOpened { plan[minute] = .closed }
        }
    }

    /// A date, found by counting.
    private struct Day {
        let year, month, day, dayOfWeek, daysInMonth, week: Int
        let isHoliday: Bool

        init(_ number: Int, _ holidays: Set<String>) {
            var (year, month, rest) = (1970, 1, number)
            while rest >= Self.length(of: year) {
                rest -= Self.length(of: year)
                year += 1
            }
            let newYear = number - rest
            while rest >= Self.length(of: month, in: year) {
                rest -= Self.length(of: month, in: year)
                month += 1
            }
            (self.year, self.month, day) = (year, month, rest + 1)
            daysInMonth = Self.length(of: month, in: year)
            dayOfWeek = (number + 4) % 7
            // ISO 8601: a week belongs to the year of its Thursday.
            let thursday = number + 3 - (number + 3) % 7
            let start =
                thursday < newYear
                ? newYear - Self.length(of: year - 1)
                : thursday < newYear + Self.length(of: year) ? newYear : newYear + Self.length(of: year)
            week = (thursday - start) / 7 + 1
            let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(rest < 9 ? "0" : "")\(rest + 1)"
            isHoliday = holidays.contains(text)
        }

        private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
        private static func length(of year: Int) -> Int { isLeap(year) ? 366 : 365 }
        private static func length(of month: Int, in year: Int) -> Int {
            month == 2 && isLeap(year) ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        }

        func isIn(_ rule: HoursRule) -> Bool {
            if !rule.years.isEmpty, !rule.years.contains(where: { $0.contains(year) }) { return false }
            if !rule.dates.isEmpty, !rule.dates.contains(where: isIn) { return false }
            if !rule.weeks.isEmpty,
                !rule.weeks.contains(where: { $0.weeks.contains(week) && (week - $0.weeks.lowerBound) % $0.step == 0 })
            {
                return false
            }
            if rule.weekdays.isEmpty, !rule.isOnHolidays { return true }
            return rule.isOnHolidays && isHoliday || rule.weekdays.contains(where: isIn)
        }

        private func isIn(_ span: DateSpan) -> Bool {
            let from = span.start.month * 100 + (span.start.day ?? 1)
            var to = span.end.month * 100 + (span.end.day ?? 31)
            let date = month * 100 + day
            if let weekday = span.end.weekday {
                to = span.end.month * 100
                let length = Self.length(of: span.end.month, in: year)
                let days = (1...length).filter { Day.dayOfWeek(year, span.end.month, $0) == weekday.dayOfWeek }
                let index = weekday.ordinal > 0 ? weekday.ordinal - 1 : days.count + weekday.ordinal
                if days.indices.contains(index) { to += days[index] }
                // A range such as Aug 02-Aug Mo[1] is empty in a year that begins the month with a Monday.
                let latest = weekday.ordinal > 0 ? weekday.ordinal * 7 : 31 + (weekday.ordinal + 1) * 7
                if from % 100 <= latest, span.start.month == span.end.month, to < from { return false }
            }
            if let first = span.start.year {
                let last = span.end.year ?? (to < from ? first + 1 : first)
                return first * 10_000 + from <= year * 10_000 + date && year * 10_000 + date <= last * 10_000 + to
            }
            return from <= to ? from <= date && date <= to : date >= from || date <= to
        }

        private static func dayOfWeek(_ year: Int, _ month: Int, _ day: Int) -> Int {
            let days = (1970..<year).reduce(0) { $0 + length(of: $1) }
            return (days + (1..<month).reduce(0) { $0 + length(of: $1, in: year) } + day - 1 + 4) % 7
        }

        private func isIn(_ span: WeekdaySpan) -> Bool {
            var (isIn, weekday) = (false, span.first)
            while true {
                if weekday == dayOfWeek { isIn = true }
                if weekday == span.last { break }
                weekday = (weekday + 1) % 7
            }
            let fromStart = (day + 6) / 7
            let fromEnd = -(daysInMonth - day + 7) / 7
            return isIn
                && (span.ordinals.isEmpty || span.ordinals.contains(fromStart) || span.ordinals.contains(fromEnd))
        }
    }
}
