/// When a place is open on one day, by the rules that hold on it: its parts do not overlap.
struct DayPlan {
    /// A part of the day, in minutes since its midnight; more than 1440 is on the next day.
    struct Part {
        var start: Int
        var end: Int
        /// The index of the rule that decides.
        var rule: Int
        var isUnknown: Bool
        /// Whether it may be open longer.
        var isOpenEnded = false
    }

    private(set) var parts: [Part] = []
    /// Which rule closes the rest of the day; nil for none.
    private(set) var closing: Int?

    /// The plan by some of the rules, which are applied in their order.
    init(_ rules: [HoursRule], applying indexes: [Int]) {
        for index in indexes { apply(rules[index], index) }
    }

    private mutating func apply(_ rule: HoursRule, _ index: Int) {
        if rule.kind == .closed || !rule.isAdditional { closing = index }
        // What is closed all day is so after its midnight, too: those hours belong to it.
        let isWholeDay = rule.times.isEmpty && rule.kind != .open
        if isWholeDay || rule.kind != .closed && !rule.isAdditional { parts = [] }
        for time in rule.times.isEmpty ? [TimeSpan(0, 1440)] : rule.times {
            guard 0 <= time.start, time.start < time.end, time.end <= 2880 else { continue }
            remove(time)
            if rule.kind == .closed { continue }
            let part = Part(
                start: time.start, end: time.end, rule: index, isUnknown: rule.kind == .unknown,
                isOpenEnded: time.isOpenEnded && rule.kind == .open)
            parts.insert(part, at: parts.firstIndex { $0.start > part.start } ?? parts.count)
            if time.isOpenEnded { fill(from: time.end, with: index) }
        }
    }

    /// Removes a time from all parts.
    private mutating func remove(_ time: TimeSpan) {
        guard parts.contains(where: { time.start < $0.end && $0.start < time.end }) else { return }
        var rest: [Part] = []
        for part in parts {
            guard time.start < part.end, part.start < time.end else {
                rest.append(part)
                continue
            }
            var (before, after) = (part, part)
            (before.end, before.isOpenEnded, after.start) = (time.start, false, time.end)
            if before.start < before.end { rest.append(before) }
            if after.start < after.end { rest.append(after) }
        }
        parts = rest
    }

    /// After an opening whose end is not known, the rest of the day is unknown where nothing else is known.
    private mutating func fill(from start: Int, with rule: Int) {
        var (start, filled) = (start, [Part]())
        for part in parts {
            if start < part.start, start < 1440 {
                filled.append(Part(start: start, end: min(part.start, 1440), rule: rule, isUnknown: true))
            }
            filled.append(part)
            start = max(start, part.end)
        }
        if start < 1440 { filled.append(Part(start: start, end: 1440, rule: rule, isUnknown: true)) }
        parts = filled
    }
}
