import Bytes

/// The opening hours of a place, in the syntax of OpenStreetMap's `opening_hours`.
///
/// ```swift
/// let hours = try OpeningHours("Mo-Fr 09:00-17:00; Sa 10:00-14:00; PH off")
/// ```
///
/// A rule replaces those before it on its days, unless a comma comes before it; `off` closes at its times, and without
/// times all of the day. A time that ends after midnight belongs to the day on which it starts: a rule of the next day
/// does not end it.
public struct OpeningHours: Sendable, Hashable {
    /// The rules in their order; nil for syntax that is stored but not understood, such as sunset or school holidays.
    public let rules: [HoursRule]?
    /// The text as it was given.
    public let text: String

    public static let longestText = 1000

    public init(_ text: String) throws(OpeningHoursError) {
        var parser = try OpeningHoursParser(text)
        (self.text, rules) = (text, try parser.parse())
    }

    /// Hours in a text that cannot be parsed: they are not known.
    init(unreadable text: String) {
        (self.text, rules) = (text, nil)
    }

    public init(rules: [HoursRule]) {
        (self.rules, text) = (rules, OpeningHoursWriter.text(of: rules))
    }
}

/// Why a text is not opening hours.
public struct OpeningHoursError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The position of the first character that is not understood, from 1.
    public let position: Int
    /// What would be right there.
    public let expected: String
    /// What to do instead, where that says more than what would be right at the position.
    public var advice: String?

    public var description: String { advice ?? "character \(position): \(expected) is expected" }
}

extension OpeningHours {
    /// The last rule about all public holidays; nil when they are not mentioned.
    public var holidayRule: HoursRule? { rules?.last { $0.isOnHolidays && $0.isWeekly } }

    /// The same without `PH off`.
    public var withoutClosedHolidays: OpeningHours {
        guard let rules, rules.contains(where: \.isClosedHoliday) else { return self }
        return OpeningHours(rules: rules.filter { !$0.isClosedHoliday })
    }

    /// The hours of a weekly grid, which may have several rows a day. A day without a row is unknown.
    public init(week rows: [DayHours]) {
        let days = Self.monday.map { day -> [TimeSpan]? in
            let today = rows.filter { $0.dayOfWeek == day && $0.opens < .endOfDay }
            // What opens at 24:00 opens on the next day.
            let late = rows.filter { ($0.dayOfWeek + 1) % 7 == day && $0.opens == .endOfDay && !$0.isClosed }
            let times = Set((today.filter { !$0.isClosed } + late).map(TimeSpan.init))
            if times.isEmpty, today.isEmpty { return nil }
            return times.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        }
        self.init(rules: Self.rules(ofDays: days))
    }

    /// The shortest rules for the times of the days of a week from Monday on: no times for closed, nil for unknown.
    static func rules(ofDays days: [[TimeSpan]?]) -> [HoursRule] {
        var rules: [HoursRule] = []
        for (index, times) in days.enumerated() where !days[..<index].contains(times) && times != [] {
            var rule = HoursRule(kind: times == nil ? .unknown : .open)
            rule.times = times ?? []
            rule.weekdays = Self.spans(days.indices.filter { days[$0] == times })
            rules.append(rule)
        }
        // A day that no rule names is closed.
        if rules.isEmpty { return [HoursRule(kind: .closed)] }
        let isAlways =
            rules[0].weekdays == [WeekdaySpan(1, 0)]
            && (rules[0].times.isEmpty || rules[0].times == [TimeSpan(0, 1440)])
        return isAlways ? [HoursRule(kind: rules[0].kind)] : rules
    }

    static let monday = [1, 2, 3, 4, 5, 6, 0]

    /// Spans of some days, numbered from Monday on.
    static func spans(_ days: [Int]) -> [WeekdaySpan] {
        var spans: [WeekdaySpan] = []
        var last = -2
        for day in days {
            if day > last + 1 { spans.append(WeekdaySpan(monday[day], monday[day])) }
            spans[spans.count - 1].last = monday[day]
            last = day
        }
        return spans
    }

    /// The grid of a week without holidays and special dates; nil when the hours do not have one.
    public var week: [DayHours]? {
        guard let rules else { return nil }
        let weekly = rules.indices.filter { rules[$0].isWeekly }
        guard (0..<7).contains(where: { day in weekly.contains { rules[$0].containsDay(day, isHoliday: false) } })
        else { return nil }
        return (0..<7).flatMap { day in
            let plan = DayPlan(rules, applying: weekly.filter { rules[$0].containsDay(day, isHoliday: false) })
            let rows = plan.parts.filter { !$0.isUnknown }.compactMap { part -> DayHours? in
                let end = part.end > 1440 ? part.end - 1440 : part.end
                guard let opens = ClockTime(seconds: part.start % 1440 * 60), let closes = ClockTime(seconds: end * 60)
                else { return nil }
                return DayHours(dayOfWeek: (day + part.start / 1440) % 7, opens: opens, closes: closes)
            }
            return plan.parts.isEmpty ? [DayHours.closed(on: day)] : rows
        }
    }
}

extension TimeSpan {
    fileprivate init(_ row: DayHours) {
        self.init(row.opens, row.closes)
        if start == 1440 { (start, end) = (0, end - 1440) }
    }

    /// The time from an opening to a closing, which is on the next day when it is not later. Parts of a minute count as
    /// the whole of it.
    package init(_ opens: ClockTime, _ closes: ClockTime) {
        let start = opens.seconds / 60
        let end = (closes.seconds + 59) / 60 + (closes <= opens ? 1440 : 0)
        self.init(start, min(max(end, start + 1), start + 1440))
    }
}
