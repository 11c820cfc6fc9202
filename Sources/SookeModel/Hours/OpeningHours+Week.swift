import Bytes

extension OpeningHours {
    /// The hours of a week.
    public init(week: [DayHours]) {
        var rules: [HoursRule] = []
        for (index, row) in week.enumerated() {
            var rule = HoursRule()
            rule.weekdays = [WeekdaySpan(row.dayOfWeek, row.dayOfWeek)]
            rule.set(opens: row.opens, closes: row.closes, isClosed: row.isClosed)
            rule.isAdditional = index > 0 && week[index - 1].dayOfWeek == row.dayOfWeek
            rules.append(rule)
        }
        self.init(rules: rules)
    }

    /// The hours of a week in which only rules for days of the week hold.
    public var week: [DayHours] { [] }
}

extension HoursRule {
    /// The rules of special hours.
    static func special(_ rows: [SpecialHours]) -> [HoursRule] {
        var rules: [HoursRule] = []
        for (index, row) in rows.enumerated() {
            guard let from = row.from else { continue }
            var rule = HoursRule()
            let end = row.to.map { DateSpan.Day(year: $0.year, month: $0.month, day: $0.day) }
            rule.dates = [
                DateSpan(
                    DateSpan.Day(year: from.year, month: from.month, day: from.day),
                    end ?? DateSpan.Day(year: HoursRule.lastYear, month: 12, day: 31))
            ]
            rule.comment = row.reason ?? ""
            rule.set(opens: row.opens, closes: row.closes, isClosed: row.isClosed)
            rule.isAdditional = index > 0 && (rows[index - 1].from, rows[index - 1].to) == (row.from, row.to)
            rules.append(rule)
        }
        return rules
    }

    fileprivate mutating func set(opens: ClockTime, closes: ClockTime, isClosed: Bool) {
        if isClosed {
            kind = .closed
        } else {
            let (start, end) = (opens.seconds / 60, closes.seconds / 60)
            times = [TimeSpan(start, end <= start ? end + 1440 : end)]
        }
    }
}
