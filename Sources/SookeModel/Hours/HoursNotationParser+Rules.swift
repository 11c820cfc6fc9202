extension HoursNotationParser {
    private struct Day {
        var times: [TimeSpan] = []
        var remark: String?
    }

    /// The rules of the parts: times of a day that is named twice add up, and what is closed is so.
    ///
    /// What is by appointment is not known. Without days it holds whenever nothing else does.
    func rules(of parts: [Part]) throws(OpeningHoursError) -> [HoursRule] {
        let open = parts.filter { !$0.times.isEmpty }
        let closed = parts.filter { $0.times.isEmpty && $0.remark == nil }
        let remarks = parts.filter { $0.remark != nil }
        guard open.count == 1 || open.allSatisfy({ $0.days != nil }) else { throw error("the days of these times") }
        let named = parts.reduce(into: Set<Int>()) { $0.formUnion($1.days?.days ?? []) }
        func days(of part: Part) -> Set<Int> {
            guard let days = part.days else { return Set(0...6) }
            return days.isOthers ? days.days.union(Set(0...6).subtracting(named)) : days.days
        }
        let isClosed = closed.reduce(into: Set()) { $0.formUnion(days(of: $1)) }.count == 7
        // "Closed Mondays" alone.
        guard !open.isEmpty || !remarks.isEmpty || isClosed else { throw error("the times of the other days") }
        var week = [Day](repeating: Day(), count: 7)
        var holiday: Day?
        for part in open {
            for day in days(of: part).sorted() { week[day].times = try sum(week[day].times, part, on: day) }
            if part.days?.hasHolidays ?? false { holiday = Day(times: try sum(holiday?.times ?? [], part, on: nil)) }
        }
        for part in remarks where part.days != nil {
            for day in days(of: part) where week[day].times.isEmpty { week[day].remark = part.remark }
            if part.days?.hasHolidays ?? false { holiday = holiday ?? Day(remark: part.remark) }
        }
        try checkClosed(open, closed, days)
        for part in closed {
            for day in days(of: part) { week[day] = Day() }
            if part.days?.hasHolidays ?? false { holiday = Day() }
        }
        let base = remarks.first { $0.days == nil }?.remark
        return Self.rules(of: week, holiday, otherwise: base, closed: closed.flatMap(days))
    }

    /// Refuses times of which nothing is left beside the closed days, as in "Mon 9-5, Mon closed".
    private func checkClosed(_ open: [Part], _ closed: [Part], _ days: (Part) -> Set<Int>) throws(OpeningHoursError) {
        let closedDays = closed.reduce(into: Set<Int>()) { $0.formUnion(days($1)) }
        let isHolidayClosed = closed.contains { $0.days?.hasHolidays ?? false }
        for part in open {
            guard days(part).isSubset(of: closedDays), !(part.days?.hasHolidays ?? false) || isHolidayClosed else {
                continue
            }
            var contradiction = error("days that are not closed", at: 0)
            contradiction.advice =
                "\(OpeningHoursWriter.text(of: part.times)) is on days that are closed as well; write each day once"
            throw contradiction
        }
    }

    /// The times of a day with those of another part; `day` is the day of the week, nil for holidays.
    private func sum(_ times: [TimeSpan], _ part: Part, on day: Int?) throws(OpeningHoursError) -> [TimeSpan] {
        if times == part.times { return times }
        let isClear = times.allSatisfy { one in
            part.times.allSatisfy { one.end <= $0.start || $0.end <= one.start }
        }
        guard isClear else {
            let name = day.map {
                OpeningHoursParser.days[$0].prefix(1).uppercased() + OpeningHoursParser.days[$0].dropFirst()
            }
            var overlap = error("times that do not overlap", at: part.position)
            overlap.advice =
                "\(name ?? "holidays") has two times that overlap, \(OpeningHoursWriter.text(of: times)) and"
                + " \(OpeningHoursWriter.text(of: part.times)); write each day once"
            throw overlap
        }
        return (times + part.times).sorted { $0.start < $1.start }
    }

    private static func rules(of week: [Day], _ holiday: Day?, otherwise base: String?, closed: [Int]) -> [HoursRule] {
        let days = OpeningHours.monday.map { day in week[day].remark == nil ? week[day].times : nil }
        var rules = OpeningHours.rules(ofDays: days)
        for index in rules.indices where rules[index].kind == .unknown {
            rules[index].comment = week.lazy.compactMap(\.remark).first ?? ""
        }
        if let base {
            // What is open adds to what is not known; without any, that is all.
            rules = rules.filter { $0.kind == .open || !$0.comment.isEmpty }
            for index in rules.indices { rules[index].isAdditional = true }
            rules.insert(HoursRule(kind: .unknown), at: 0)
            rules[0].comment = base
            if !closed.isEmpty {
                var rule = HoursRule(kind: .closed)
                rule.weekdays = OpeningHours.spans(
                    OpeningHours.monday.indices.filter { closed.contains(OpeningHours.monday[$0]) })
                rules.append(rule)
            }
        }
        guard let holiday else { return rules }
        var rule = HoursRule(kind: holiday.remark != nil ? .unknown : holiday.times.isEmpty ? .closed : .open)
        (rule.isOnHolidays, rule.times, rule.comment) = (true, holiday.times, holiday.remark ?? "")
        return rules + [rule]
    }
}
