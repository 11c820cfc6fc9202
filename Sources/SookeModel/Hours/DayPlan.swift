/// When a place is open on one day, by the rules that hold on it: its parts do not overlap.
struct DayPlan {
    /// A part of the day, in minutes since its midnight; more than 1440 is on the next day.
    struct Part {
        var start: Int
        var end: Int
        /// The index of the rule that decides.
        var rule: Int
        var isUnknown: Bool
        var isOpenEnded = false
        /// Whether it is the time after an end that is not known.
        var isTail = false
    }

    /// Until when it is unknown after an end that is not known: 5 o'clock of the next day.
    private static let endOfNight = 1740

    private(set) var parts: [Part] = []
    /// The index of the rule that closes the rest of the day; nil for none.
    private(set) var closingRule: Int?
    let rules: [Int]
    private let isHoliday: Bool

    init(_ rules: [HoursRule], applying indexes: [Int], isHoliday: Bool = false) {
        (self.rules, self.isHoliday) = (indexes, isHoliday)
        for index in indexes { apply(rules[index], index) }
    }

    init(unknownBy rule: Int) {
        (rules, isHoliday) = ([rule], false)
        parts = [Part(start: 0, end: 1440, rule: rule, isUnknown: true)]
    }

    func isMade(of rules: [Int], isHoliday: Bool = false) -> Bool {
        self.isHoliday == isHoliday && self.rules == rules
    }

    /// Whether one thing holds from midnight to midnight, and not after it.
    var isSameAllDay: Bool { parts.isEmpty || parts.count == 1 && parts[0].start == 0 && parts[0].end == 1440 }

    var isOpenAllDay: Bool { isSameAllDay && parts.contains { !$0.isUnknown } }

    private mutating func apply(_ rule: HoursRule, _ index: Int) {
        if rule.kind == .closed || !rule.isAdditional { closingRule = index }
        // What is closed all day is so after its midnight, too: those hours belong to it.
        let isWholeDay = rule.times.isEmpty && rule.kind != .open
        if isWholeDay || rule.kind != .closed && !rule.isAdditional { parts = [] }
        for time in rule.times.isEmpty ? [TimeSpan(0, 1440)] : rule.times {
            guard 0 <= time.start, time.start < time.end, time.end <= 2880 else { continue }
            remove(time)
            if rule.kind == .closed { continue }
            insert(
                Part(
                    start: time.start, end: time.end, rule: index, isUnknown: rule.kind == .unknown,
                    isOpenEnded: time.isOpenEnded))
            if time.isOpenEnded { addTail(from: time.end, by: index) }
        }
    }

    private mutating func insert(_ part: Part) {
        parts.insert(part, at: parts.firstIndex { $0.start > part.start } ?? parts.count)
    }

    private mutating func remove(_ time: TimeSpan) {
        guard parts.contains(where: { time.start < $0.end && $0.start < time.end }) else { return }
        var rest: [Part] = []
        // The end is known now.
        let known = parts.first { $0.isOpenEnded && time.start < $0.end && $0.end <= time.end }?.end
        for part in parts {
            guard time.start < part.end, part.start < time.end else {
                if !part.isTail || part.start != known { rest.append(part) }
                continue
            }
            var (before, after) = (part, part)
            (before.end, before.isOpenEnded, after.start) = (time.start, false, time.end)
            if before.start < before.end { rest.append(before) }
            if after.start < after.end, !part.isTail { rest.append(after) }
        }
        parts = rest
    }

    /// After an end that is not known it may be open until the night is over, or the next part begins.
    private mutating func addTail(from start: Int, by rule: Int) {
        let end = min(Self.endOfNight, parts.first { $0.start >= start }?.start ?? .max)
        if start < end { insert(Part(start: start, end: end, rule: rule, isUnknown: true, isTail: true)) }
    }

    /// What holds at a minute of a day, and until which minute of it.
    struct State {
        var kind: HoursRule.Kind
        /// The index of the rule that decides; nil when there is none, and it is closed.
        var rule: Int?
        /// Whether the day of the rule is a holiday.
        var isHoliday: Bool
        var isOpenEnded = false
        var isOfYesterday = false
        /// At most 1440.
        var end = 1440
    }

    private func state(_ part: Part, until end: Int, isOfYesterday: Bool = false) -> State {
        State(
            kind: part.isUnknown ? .unknown : .open, rule: part.rule, isHoliday: isHoliday,
            isOpenEnded: part.isOpenEnded, isOfYesterday: isOfYesterday, end: min(end, 1440))
    }

    /// What holds at a minute. The plan of the day decides before what began the day before, unless it does not know.
    /// What may still be open from the day before is no longer when the day has opened and closed.
    func state(at minute: Int, after yesterday: DayPlan) -> State {
        var state = State(kind: .closed, rule: closingRule, isHoliday: isHoliday)
        var closed = Int.min
        for part in parts {
            if minute < part.start {
                state.end = min(part.start, 1440)
                break
            }
            if minute < part.end {
                state = self.state(part, until: part.end)
                if state.kind == .open { return state }
                break
            }
            closed = part.end + 1440
        }
        let late = minute + 1440
        for part in yesterday.parts.reversed() where part.end > late {
            guard part.start <= late else {
                state.end = min(state.end, part.start - 1440)
                continue
            }
            if part.isTail, closed > part.start { break }
            state.end = min(state.end, part.end - 1440)
            if !part.isUnknown || state.kind != .unknown {
                return yesterday.state(part, until: state.end, isOfYesterday: true)
            }
            break
        }
        return state
    }
}
