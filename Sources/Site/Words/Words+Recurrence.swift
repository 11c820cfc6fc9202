import Bytes
import SookeModel

extension Words {
    /// A rule in words, with its end: `every Saturday to 19 December`. A rule that needs more than a line is
    /// `on several dates`.
    ///
    /// - Parameter start: the first date, which says what the rule leaves open.
    func recurrence(_ rule: RecurrenceRule, from start: CivilDate) -> String {
        guard let days = Self.days(of: rule, from: start) else { return "on several dates" }
        switch rule.end {
        case .never, .count: return days
        case .date(let date): return "\(days) to \(self.date(date))"
        case .moment(let moment): return "\(days) to \(date(local(moment).date))"
        }
    }

    private static func days(of rule: RecurrenceRule, from start: CivilDate) -> String? {
        guard rule.weekNumbers.isEmpty, rule.yearDays.isEmpty, rule.setPositions.isEmpty, 1...99 ~= rule.interval else {
            return nil
        }
        let hasOrdinals = rule.weekdays.contains { $0.ordinal != nil }
        switch rule.frequency {
        case .daily:
            guard rule.weekdays.isEmpty, rule.monthDays.isEmpty, rule.months.isEmpty else { return nil }
            return each(rule.interval, "day")
        case .weekly:
            guard !hasOrdinals, rule.monthDays.isEmpty, rule.months.isEmpty else { return nil }
            let days = rule.weekdays.isEmpty ? [start.dayOfWeek] : rule.weekdays.map(\.day)
            if rule.interval == 1 { return days.count == 7 ? "every day" : "every \(list(of: days))" }
            return "\(each(rule.interval, "week")) on \(list(of: days))"
        case .monthly:
            guard rule.months.isEmpty else { return nil }
            return monthly(rule, from: start).map { "\($0) of \(each(rule.interval, "month"))" }
        case .yearly:
            guard rule.weekdays.isEmpty, rule.months.count <= 1, rule.monthDays.count <= 1 else { return nil }
            let (month, day) = (rule.months.first ?? start.month, rule.monthDays.first ?? start.day)
            guard day > 0 else { return nil }
            return "\(each(rule.interval, "year")) on \(day) \(months[month - 1])"
        }
    }

    /// The days of a month: `the 15th`, `the first and third Tuesday`.
    private static func monthly(_ rule: RecurrenceRule, from start: CivilDate) -> String? {
        switch (rule.weekdays.isEmpty, rule.monthDays.isEmpty) {
        case (true, _):
            let days = rule.monthDays.isEmpty ? [start.day] : rule.monthDays
            guard days.allSatisfy({ $0 > 0 || $0 == -1 }) else { return nil }
            return "the " + joined(days.map { $0 == -1 ? "last day" : ordinal($0) })
        case (false, true):
            let ordinals = rule.weekdays.compactMap { $0.ordinal.flatMap(word) }
            let days = Set(rule.weekdays.map(\.day))
            guard ordinals.count == rule.weekdays.count, days.count == 1, let day = days.first else { return nil }
            return "the \(joined(ordinals)) \(weekdays[day])"
        case (false, false): return nil
        }
    }

    /// `every month`, `every second month`.
    private static func each(_ interval: Int, _ unit: String) -> String {
        switch interval {
        case 1: "every \(unit)"
        case 2: "every second \(unit)"
        default: "every \(interval) \(unit)s"
        }
    }

    /// Days of the week, Monday first, three and more in a row as a span.
    private static func list(of days: [Int]) -> String {
        let days = Set(days.map { ($0 + 6) % 7 }).sorted()
        func name(_ day: Int) -> String { weekdays[(day + 1) % 7] }
        if days.count > 2, let first = days.first, let last = days.last, last - first == days.count - 1 {
            return "\(name(first)) to \(name(last))"
        }
        return joined(days.map(name))
    }

    private static func ordinal(_ number: Int) -> String {
        let ending =
            switch (number % 10, number % 100) {
            case (_, 11...13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return "\(number)\(ending)"
    }

    private static func word(_ ordinal: Int) -> String? {
        [1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"][ordinal]
    }

    /// `a, b and c`.
    static func joined(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}
