import Bytes

extension HoursRule {
    /// A rule for the days from one date to another, instead of what holds otherwise.
    ///
    /// - Parameters:
    ///   - from: the first day.
    ///   - to: the last day; nil for until further notice.
    ///   - times: the times of each day; none for closed. One that ends after midnight belongs to the day on which it
    ///     starts.
    ///   - reason: why, for people.
    public init(from: CivilDate, to: CivilDate?, times: [TimeSpan], reason: String) {
        let end = to.map { DateSpan.Day($0) } ?? DateSpan.Day(year: Self.lastYear, month: 12, day: 31)
        (dates, self.times) = ([DateSpan(DateSpan.Day(from), end)], times)
        (kind, comment) = (times.isEmpty ? .closed : .open, reason)
    }

    /// The rules of special hours, to be applied after the regular ones.
    ///
    /// Rows with the same dates are the spans of the same days. On a day of several ranges, the one that begins last
    /// counts; of those, the one that ends first.
    public static func special(_ rows: [SpecialHours]) -> [HoursRule] {
        let dated = rows.enumerated().compactMap { index, row in
            row.from.map { (from: $0.daysSinceEpoch, to: row.to?.daysSinceEpoch ?? .max, index: index) }
        }
        var (rules, last): ([HoursRule], (from: Int, to: Int)?) = ([], nil)
        for (from, to, index) in dated.sorted(by: { ($0.from, $1.to, $0.index) < ($1.from, $0.to, $1.index) }) {
            let row = rows[index]
            var rule = HoursRule(
                from: CivilDate(daysSinceEpoch: from), to: row.to,
                times: row.isClosed ? [] : [TimeSpan(row.opens, row.closes)], reason: row.reason ?? "")
            if let last, last == (from, to) {
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
    /// The day of a date.
    fileprivate init(_ date: CivilDate) {
        self.init(year: date.year, month: date.month, day: date.day)
    }
}
