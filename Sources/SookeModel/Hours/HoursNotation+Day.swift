/// The times of one day as people write them on a door.
extension HoursNotation {
    /// The text of some times, which `times` reads as the same ones; `closed` for none.
    public static func text(of times: [TimeSpan]) -> String {
        times.isEmpty ? "closed" : times.map(text).joined(separator: ", ")
    }

    private static func text(of span: TimeSpan) -> String {
        if span == TimeSpan(0, 1440) { return "24 hours" }
        return "\(time(span.start)) - \(span.isOpenEnded ? "late" : time(span.end))"
    }

    /// A time of day, from its minutes since midnight: `9:30 am`, `noon`.
    public static func time(_ minutes: Int) -> String {
        let minute = minutes % 1440
        if minute == 0 { return "midnight" }
        if minute == 720 { return "noon" }
        let (hour, rest) = ((minute / 60 + 11) % 12 + 1, minute % 60)
        let figures = rest == 0 ? "\(hour)" : "\(hour):\(rest < 10 ? "0" : "")\(rest)"
        return figures + (minute < 720 ? " am" : " pm")
    }
}

extension OpeningHours {
    /// The times of the days of a week from Monday on: none for closed, nil for unknown. Nil for hours that a week
    /// cannot show: with holidays, dates or remarks.
    public var days: [[TimeSpan]?]? {
        guard let rules,
            rules.allSatisfy({ $0.isWeekly && !$0.isOnHolidays && !$0.isAdditional && $0.comment.isEmpty })
        else { return nil }
        var days: [[TimeSpan]?] = []
        for day in Self.monday {
            let ofDay = rules.filter { $0.containsDay(day, isHoliday: false) }
            // A second rule replaces the first, which nobody should lose.
            guard ofDay.count < 2 else { return nil }
            switch ofDay.first {
            case nil: days.append([])
            case let rule? where rule.kind == .unknown && rule.times.isEmpty: days.append(nil)
            case let rule? where rule.kind == .open: days.append(rule.times.isEmpty ? [TimeSpan(0, 1440)] : rule.times)
            case let rule? where rule.kind == .closed && rule.times.isEmpty: days.append([])
            default: return nil
            }
        }
        return days
    }

    /// The hours of a week, by day from Monday on.
    public init(days: [[TimeSpan]?]) { self.init(rules: Self.rules(ofDays: days)) }
}

extension DayHours {
    /// The rows of a day with some times; a closed one for none.
    public static func rows(of times: [TimeSpan], on dayOfWeek: Int) -> [DayHours] {
        if times.isEmpty { return [.closed(on: dayOfWeek)] }
        return times.compactMap { span in
            let end = span.end > 1440 ? span.end - 1440 : span.end
            guard let opens = ClockTime(seconds: span.start * 60), let closes = ClockTime(seconds: end * 60) else {
                return nil
            }
            return DayHours(dayOfWeek: dayOfWeek, opens: opens, closes: closes)
        }
    }

    /// The times of a day, as its rows say; nil without rows.
    public static func times(of rows: [DayHours]) -> [TimeSpan]? {
        if rows.isEmpty { return nil }
        return rows.filter { !$0.isClosed }.map { TimeSpan($0.opens, $0.closes) }
    }
}
