import Bytes

enum OpeningHoursWriter {
    static let days = CivilDate.weekdayNames.map { String($0.prefix(2)) }
    static let months = CivilDate.monthNames.map { String($0.prefix(3)) }

    static func text(of rules: [HoursRule]) -> String {
        var text = ""
        for (index, rule) in rules.enumerated() {
            if index > 0 { text += rule.isAdditional ? ", " : "; " }
            text += self.text(of: rule)
        }
        return text
    }

    private static func text(of rule: HoursRule) -> String {
        var parts: [String] = []
        if !rule.hasDays, rule.times.isEmpty, rule.kind == .open {
            parts.append("24/7")
        } else {
            parts += [
                rule.years.map { range($0, { "\($0)" }) }.joined(separator: ","),
                rule.dates.map(text).joined(separator: ",") + (isDateUnclear(rule) ? ":" : ""),
                rule.weeks.isEmpty ? "" : "week " + rule.weeks.map(text).joined(separator: ","),
                ((rule.isOnHolidays ? ["PH"] : []) + rule.weekdays.map(text)).joined(separator: ","),
                rule.times.map(text).joined(separator: ","),
            ]
        }
        switch rule.kind {
        // A remark alone would make the rule unknown.
        case .open: if !rule.comment.isEmpty { parts.append("open") }
        case .closed: parts.append("off")
        case .unknown: parts.append("unknown")
        }
        if !rule.comment.isEmpty { parts.append("\"\(rule.comment)\"") }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    static func text(of times: [TimeSpan]) -> String { times.map(text).joined(separator: ",") }

    /// Whether the day of the week that follows the dates would be read as their end, as in `Jan 20-Mar Su[1]`.
    private static func isDateUnclear(_ rule: HoursRule) -> Bool {
        guard let span = rule.dates.last, span.start.day != nil, span.end.day == nil, span.end.weekday == nil else {
            return false
        }
        return rule.weeks.isEmpty && !rule.isOnHolidays && rule.weekdays.first?.ordinals.count == 1
    }

    private static func range(_ range: ClosedRange<Int>, _ text: (Int) -> String) -> String {
        if range.upperBound == HoursRule.lastYear { return text(range.lowerBound) + "+" }
        return range.count == 1 ? text(range.lowerBound) : "\(text(range.lowerBound))-\(text(range.upperBound))"
    }

    private static func text(_ span: DateSpan) -> String {
        let start = text(span.start)
        if span.start == span.end { return start }
        if span.end.year == HoursRule.lastYear, span.start.day != nil { return start + "+" }
        if (span.start.year, span.start.month) == (span.end.year, span.end.month), let first = span.start.day,
            let last = span.end.day, first <= last
        {
            return "\(start)-\(twoDigits(last))"
        }
        var end = span.end
        if end.year == span.start.year { end.year = nil }
        return "\(start)-\(text(end))"
    }

    private static func text(_ day: DateSpan.Day) -> String {
        let weekday = day.weekday.map { "\(days[$0.dayOfWeek])[\($0.ordinal)]" }
        let parts = [day.year.map { "\($0)" }, months[day.month - 1], day.day.map(twoDigits) ?? weekday]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    private static func text(_ span: WeekSpan) -> String {
        range(span.weeks, twoDigits) + (span.step == 1 ? "" : "/\(span.step)")
    }

    private static func text(_ span: WeekdaySpan) -> String {
        let text = span.first == span.last ? days[span.first] : "\(days[span.first])-\(days[span.last])"
        return span.ordinals.isEmpty ? text : "\(text)[\(span.ordinals.map { "\($0)" }.joined(separator: ","))]"
    }

    private static func text(_ span: TimeSpan) -> String {
        if span.isOpenEnded, span.end == max(1440, span.start + 1) { return clock(span.start) + "+" }
        let end = span.end > 1440 ? span.end - 1440 : span.end
        let isNextDay = span.end > 1440 && end > span.start
        return "\(clock(span.start))-\(clock(isNextDay ? span.end : end))\(span.isOpenEnded ? "+" : "")"
    }

    private static func clock(_ minutes: Int) -> String {
        "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
