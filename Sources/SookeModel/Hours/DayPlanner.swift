/// Plans days by the rules of a schedule.
final class DayPlanner: Sendable {
    /// The rules; some hold on certain days only.
    let rules: [HoursRule]
    /// The comments that differ, as `SchedulePlans.Cause` counts them.
    let comments: [String]
    private let commentOfRule: [Int]
    /// The rules whose days are counted.
    private let counted: [Int]
    /// Whether there are too many dates for patterns.
    let plansEachDay: Bool

    init(_ rules: [HoursRule], plansEachDay: Bool) {
        (self.rules, self.plansEachDay) = (rules, plansEachDay)
        counted = rules.indices.filter { rules[$0].isCounted }
        var comments: [String] = []
        commentOfRule = rules.map { rule in
            if rule.comment.isEmpty { return 0 }
            let index = comments.firstIndex(of: rule.comment) ?? comments.count
            guard index < SchedulePlans.Cause.mostComments else { return 0 }
            if index == comments.count { comments.append(rule.comment) }
            return index + SchedulePlans.Cause.firstComment
        }
        self.comments = comments
    }

    /// Whether there is a pattern for each day.
    var isNeeded: Bool { plansEachDay || !counted.isEmpty }

    /// The rules that hold on a day; nil when there is a pattern for it.
    func rules(on day: HoursDay) -> [Int]? {
        let date = day.date
        guard plansEachDay || counted.contains(where: { rules[$0].contains(date, isHoliday: day.isHoliday) }) else {
            return nil
        }
        return rules.indices.filter { rules[$0].contains(date, isHoliday: day.isHoliday) }
    }

    /// Appends the plan by some of the rules.
    ///
    /// - Returns: its place.
    func append(_ indexes: [Int], isHoliday: Bool, to words: inout [UInt16]) -> Int {
        let (place, plan) = (words.count, DayPlan(rules, applying: indexes))
        words.append(UInt16(plan.parts.count))
        words.append(cause(.closed, plan.closing, isHoliday: isHoliday).rawValue)
        for part in plan.parts {
            let kind: HoursRule.Kind = part.isUnknown ? .unknown : .open
            let cause = cause(
                kind, part.rule, isHoliday: isHoliday, isOpenEnded: part.isUnknown ? part.isTail : part.isOpenEnded)
            words += [UInt16(part.start), UInt16(part.end), cause.rawValue]
        }
        return place
    }

    private func cause(
        _ kind: HoursRule.Kind, _ rule: Int?, isHoliday: Bool, isOpenEnded: Bool = false
    ) -> SchedulePlans.Cause {
        guard let rule else { return SchedulePlans.Cause(kind, .regular, comment: 0) }
        let reason = kind == .unknown ? .unknown : rules[rule].reason(isHoliday: isHoliday)
        // The remark of regular hours is about them, not about the rest of the day.
        let isRest = kind == .closed && rules[rule].kind != .closed && reason == .regular
        var comment = isRest ? 0 : commentOfRule[rule]
        if comment == 0, reason == .holiday { comment = SchedulePlans.Cause.holidayName }
        return SchedulePlans.Cause(kind, reason, comment: comment, isOpenEnded: isOpenEnded)
    }
}
