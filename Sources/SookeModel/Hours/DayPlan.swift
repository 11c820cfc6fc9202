import Bytes

/// When a place is open on one day, by the rules that hold on it: its parts do not overlap.
struct DayPlan {
    /// A part of the day, in minutes since its midnight; more than 1440 is on the next day.
    struct Part: Hashable {
        var start: Int
        var end: Int
        var isUnknown: Bool
        /// Whether it may be open longer.
        var isOpenEnded = false
        var reason: OpenState.Reason
        var comment: String
    }

    private(set) var parts: [Part] = []
    /// Which rule closes the rest of the day.
    private(set) var reason = OpenState.Reason.regular
    private(set) var comment = ""

    /// The plan for a date.
    init(_ rules: [HoursRule], on date: CivilDate, _ holidays: Holidays) {
        var holiday: Bool?
        for rule in rules {
            if rule.isOnHolidays, holiday == nil { holiday = holidays.name(on: date) != nil }
            guard rule.contains(date, isHoliday: holiday ?? false) else { continue }
            apply(rule, isHoliday: holiday ?? false)
        }
    }

    private mutating func apply(_ rule: HoursRule, isHoliday: Bool) {
        let reason = rule.reason(isHoliday: isHoliday)
        let times = rule.times.isEmpty ? [TimeSpan(0, 1440)] : rule.times
        if rule.kind != .closed, !rule.isAdditional { parts = [] }
        if rule.kind == .closed || !rule.isAdditional { (self.reason, comment) = (reason, rule.comment) }
        for time in times {
            remove(time)
            if rule.kind == .closed { continue }
            parts.append(
                Part(
                    start: time.start, end: time.end, isUnknown: rule.kind == .unknown, isOpenEnded: time.isOpenEnded,
                    reason: reason, comment: rule.comment))
            if time.isOpenEnded, time.end < 1440 {
                parts.append(
                    Part(start: time.end, end: 1440, isUnknown: true, reason: .unknown, comment: rule.comment))
            }
        }
        parts.sort { $0.start < $1.start }
    }

    /// Removes a time from all parts.
    private mutating func remove(_ time: TimeSpan) {
        parts = parts.flatMap { part -> [Part] in
            guard time.start < part.end, part.start < time.end else { return [part] }
            var (before, after) = (part, part)
            (before.end, before.isOpenEnded, after.start) = (time.start, false, time.end)
            return [before, after].filter { $0.start < $0.end }
        }
    }
}

extension HoursRule {
    /// Whether the rule holds on a date.
    func contains(_ date: CivilDate, isHoliday: Bool) -> Bool {
        (years.isEmpty || years.contains { $0.contains(date.year) })
            && (dates.isEmpty || dates.contains { $0.contains(date) })
            && (weeks.isEmpty || weeks.contains { $0.contains(date) })
            && (weekdays.isEmpty && !isOnHolidays || weekdays.contains { $0.contains(date) }
                || isOnHolidays && isHoliday)
    }

    /// Whether it is the same in each week.
    var isWeekly: Bool {
        years.isEmpty && dates.isEmpty && weeks.isEmpty && !isOnHolidays && weekdays.allSatisfy(\.ordinals.isEmpty)
    }

    fileprivate func reason(isHoliday: Bool) -> OpenState.Reason {
        if kind == .unknown { return .unknown }
        if isOnHolidays, isHoliday { return .holiday }
        return years.isEmpty && dates.isEmpty && weeks.isEmpty ? .regular : .special
    }
}
