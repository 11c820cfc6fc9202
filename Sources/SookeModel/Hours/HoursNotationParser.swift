/// Parses hours as people write them, of a week or of one day.
struct HoursNotationParser {
    private var tokens: [HoursNotationToken] = []
    private var index = 0
    /// Whether times with minutes are those of a clock with 24 hours.
    private let has24Hours: Bool

    /// The days of a part, with those of the public holidays.
    struct Days {
        var days: Set<Int> = []
        var hasHolidays = false
        /// Whether they are those that no other part names.
        var isOthers = false
        var comma: Int?
        var commas = 0
    }

    /// Times as they are stated, or none for closed.
    struct Part {
        var days: Days?
        var times: [TimeSpan] = []
        /// Why the times are not known: "by appointment".
        var remark: String?
        var position: Int
    }

    init(_ text: String, has24Hours: Bool = false) throws(OpeningHoursError) {
        self.has24Hours = has24Hours
        guard text.utf8.count <= OpeningHours.longestText else {
            throw OpeningHoursError(
                position: OpeningHours.longestText + 1, expected: "the end, at most \(OpeningHours.longestText) bytes")
        }
        var lexer = HoursNotationLexer(text)
        let all = try lexer.tokens().filter { $0.kind != .filler }
        tokens = Self.withoutOpen(Self.withRemarks(all))
    }

    /// Tokens where "open" is a remark, as in "Sun open" and "open Sat & Sun": it is not known from when to when. It
    /// means nothing beside times, and something else beside holidays alone.
    private static func withRemarks(_ tokens: [HoursNotationToken]) -> [HoursNotationToken] {
        var result = tokens
        for (index, token) in tokens.enumerated() where token.kind == .open {
            let before = tokens[..<index].last?.kind ?? .end
            let isAfterDays = isDay(before) && before != .publicHolidays
            let next = isAfterDays ? index + 1 : endOfDays(tokens, from: index + 1)
            let isAboutHolidays = next == index + 2 && tokens[index + 1].kind == .publicHolidays
            guard isAfterDays || isBetween(before), isBetween(tokens[next].kind), !isAboutHolidays else { continue }
            // "Open Sat, 10-4".
            if tokens[next].kind == .separator(isStrong: false), isTime(tokens[next + 1].kind) { continue }
            result[index].kind = .appointment("open")
        }
        return result
    }

    private static func isBetween(_ kind: HoursNotationToken.Kind) -> Bool {
        switch kind {
        case .separator, .end: true
        default: false
        }
    }

    private static func endOfDays(_ tokens: [HoursNotationToken], from start: Int) -> Int {
        var index = start
        while isDay(tokens[index].kind) {
            index += 1
            let joins: [HoursNotationToken.Kind] = [.to, .and, .separator(isStrong: false)]
            if joins.contains(tokens[index].kind), isDay(tokens[index + 1].kind) { index += 1 }
        }
        return index
    }

    /// Tokens where "PH open" and "open on holidays" are one, unless times follow.
    private static func withoutOpen(_ tokens: [HoursNotationToken]) -> [HoursNotationToken] {
        var (result, rest) = ([HoursNotationToken](), tokens[...])
        while var token = rest.popFirst() {
            let pair: [HoursNotationToken.Kind] = [token.kind, rest.first?.kind ?? .end]
            if pair == [.open, .publicHolidays] || pair == [.publicHolidays, .open] {
                switch rest.dropFirst().first?.kind {
                case .separator, .end, nil:
                    token.kind = .openHolidays
                    rest.removeFirst()
                default: break
                }
            }
            if token.kind != .open { result.append(token) }
        }
        return result
    }

    var opensOnHolidays: Bool { tokens.contains { $0.kind == .openHolidays } }

    private var kind: HoursNotationToken.Kind { tokens[index].kind }

    func error(_ expected: String, at place: Int? = nil) -> OpeningHoursError {
        OpeningHoursError(position: tokens[place ?? index].position, expected: expected)
    }

    private mutating func skip(_ kind: HoursNotationToken.Kind) -> Bool {
        guard self.kind == kind else { return false }
        index += 1
        return true
    }

    private mutating func skipSeparators() {
        while case .separator = kind { index += 1 }
    }

    mutating func day() throws(OpeningHoursError) -> [TimeSpan] {
        skipSeparators()
        let times = try times()
        skipSeparators()
        guard kind == .end else { throw error("the end") }
        return times
    }

    mutating func week() throws(OpeningHoursError) -> [HoursRule] {
        var parts: [Part] = []
        skipSeparators()
        // Where days follow their times, they do so everywhere.
        let timesFirst = !isDayNext && kind != .closed && kind != .openHolidays && remarkNext == nil
        repeat {
            try appendPart(to: &parts, timesFirst: timesFirst)
            let end = index
            skipSeparators()
            // "Mon 9-5 & Sat 10-4".
            if kind == .and, Self.isDay(tokens[index + 1].kind) || tokens[index + 1].kind == .closed { index += 1 }
            let isPartNext = isDayNext || kind == .closed || kind == .except || timesFirst || remarkNext != nil
            if kind != .end, index == end, !isPartNext { throw error("a comma or the end") }
        } while kind != .end
        return try rules(of: parts)
    }

    private var isDayNext: Bool { Self.isDay(kind) }

    private static func isDay(_ kind: HoursNotationToken.Kind) -> Bool {
        switch kind {
        case .day, .days, .publicHolidays, .others: true
        default: false
        }
    }

    private var remarkNext: String? { if case .appointment(let text) = kind { text } else { nil } }

    private mutating func appendPart(to parts: inout [Part], timesFirst: Bool) throws(OpeningHoursError) {
        let start = index
        // The hours of other days hold on holidays, unless a part is about them.
        if skip(.openHolidays) { return }
        if let remarkNext {
            index += 1
            return parts.append(Part(days: try daysAfterRemark(), remark: remarkNext, position: start))
        }
        if isDayNext, !timesFirst || isRemarkAfterDays {
            let (days, closed) = try openDays()
            parts += closed
            // "Mon-Fri: 9-5" and "Mon-Fri, 9-5".
            if case .separator(isStrong: false) = kind { index += 1 }
            if let remarkNext {
                index += 1
                return parts.append(Part(days: days, remark: remarkNext, position: start))
            }
            return parts.append(Part(days: days, times: try times(), position: start))
        }
        if isDayNext { throw error("times before their days, as at the start,") }
        if skip(.closed) || !parts.isEmpty && skip(.except) {
            _ = skip(.wholeDay)
            guard isDayNext else {
                skipSeparators()
                if start == 0, kind == .end { return parts.append(Part(days: nil, position: start)) }
                throw error("the days that are closed")
            }
            return parts.append(Part(days: try closedDays(), position: start))
        }
        guard timesFirst || start == 0 else { throw error("a day, \"closed\" or the end") }
        let times = try times()
        // In "9-12; 1-5 Sat" the first times may be those of other days.
        let strong = tokens[start..<index].firstIndex { $0.kind == .separator(isStrong: true) }
        if isDayNext, let strong { throw error("the days of these times", at: strong) }
        // "9-5, Monday to Friday" and nothing else.
        if timesFirst, start == 0, case .separator(isStrong: false) = kind, Self.isDay(tokens[index + 1].kind) {
            var ahead = self
            ahead.index += 1
            if let days = try? ahead.days(), ahead.kind == .end {
                self = ahead
                return parts.append(Part(days: days, times: times, position: start))
            }
        }
        parts.append(Part(days: isDayNext ? try days() : nil, times: times, position: start))
    }

    private var isRemarkAfterDays: Bool {
        var ahead = self
        return (try? ahead.days()) != nil && ahead.remarkNext != nil
    }

    /// The days after "by appointment", unless they are those of the next times.
    private mutating func daysAfterRemark() throws(OpeningHoursError) -> Days? {
        guard isDayNext else { return nil }
        let start = index
        let days = try days()
        if case .separator = kind { return days }
        if kind == .end { return days }
        index = start
        return nil
    }

    /// Days before their times, without those after "except", and the holidays that are closed.
    private mutating func openDays() throws(OpeningHoursError) -> (Days, closed: [Part]) {
        var days = try days()
        if case .separator = kind, tokens[index + 1].kind == .except { index += 1 }
        guard skip(.except) else { return (days, []) }
        let excluded = try self.days()
        if let comma = excluded.comma { throw error("\"and\" between the days that are closed", at: comma) }
        days.days.subtract(excluded.days)
        guard !days.days.isEmpty else { throw error("a day that is not closed") }
        skipSeparators()
        guard excluded.hasHolidays else { return (days, []) }
        return (days, [Part(days: Days(hasHolidays: true), position: index)])
    }

    /// The days after "closed". After a comma they may be those of the next times.
    private mutating func closedDays() throws(OpeningHoursError) -> Days {
        let start = index
        let days = try days()
        guard let comma = days.comma, kind != .end else { return days }
        if case .separator(isStrong: true) = kind { return days }
        guard days.commas == 1 else { throw error("\";\" between the days that are closed and the others", at: comma) }
        index = start
        let closed = try self.days(before: comma)
        return closed
    }

    private mutating func days(before end: Int = .max) throws(OpeningHoursError) -> Days {
        var found = Days()
        while index < end {
            try insertDays(&found)
            let separator = index
            if case .separator(isStrong: false) = kind {
                index += 1
                _ = skip(.and)
                if isDayNext, kind != .others, separator < end {
                    (found.comma, found.commas) = (separator, found.commas + 1)
                    continue
                }
                index = separator
                return found
            }
            // "Mon Tue Wed".
            if case .day = tokens[index - 1].kind, case .day = kind { continue }
            guard skip(.and) else { return found }
            guard isDayNext else { throw error("a day") }
        }
        return found
    }

    private mutating func insertDays(_ found: inout Days) throws(OpeningHoursError) {
        defer { index += 1 }
        switch kind {
        case .publicHolidays: found.hasHolidays = true
        case .others: found.isOthers = true
        case .days(let days): found.days.formUnion(days)
        case .day(let first):
            found.days.insert(first)
            guard tokens[index + 1].kind == .to, case .day(let last) = tokens[index + 2].kind else { return }
            var day = first
            while day != last {
                day = (day + 1) % 7
                found.days.insert(day)
            }
            index += 2
        default: throw error("a day")
        }
    }

    private mutating func times() throws(OpeningHoursError) -> [TimeSpan] {
        if skip(.closed) {
            _ = skip(.wholeDay)
            return []
        }
        if skip(.allDay) { return [TimeSpan(0, 1440)] }
        let start = index
        var spans = [try span()]
        while true {
            let separator = index
            skipSeparators()
            _ = skip(.and)
            guard isTimeNext else {
                index = separator
                break
            }
            spans.append(try span())
        }
        guard let times = HoursNotationSpan.times(of: spans) else {
            throw error("\"am\" or \"pm\" at times that can be both,", at: start)
        }
        return times
    }

    private var isTimeNext: Bool { Self.isTime(kind) }

    private static func isTime(_ kind: HoursNotationToken.Kind) -> Bool {
        switch kind {
        case .time, .noon, .midnight: true
        default: false
        }
    }

    private mutating func span() throws(OpeningHoursError) -> HoursNotationSpan {
        let start = try time()
        guard start.minutes < 1440 || start.kind == .stated else { throw error("a start before 24:00", at: index - 1) }
        guard skip(.to) else { throw error("\"-\" and the time of closing") }
        return HoursNotationSpan(from: start, to: skip(.late) ? nil : try time())
    }

    private mutating func time() throws(OpeningHoursError) -> HoursNotationSpan.Time {
        defer { index += 1 }
        switch kind {
        case .noon: return HoursNotationSpan.Time(kind: .stated, minutes: 720)
        case .midnight: return HoursNotationSpan.Time(kind: .stated, minutes: 0)
        case .time(let minutes, let is24Hours, let hasMinutes):
            let next = tokens[index + 1].kind
            switch next {
            case .noon where minutes == 720, .midnight where minutes == 720:
                index += 1
                return HoursNotationSpan.Time(kind: .stated, minutes: next == .noon ? 720 : 0)
            case .am, .pm:
                guard 60..<780 ~= minutes else { throw error("an hour from 1 to 12") }
                index += 1
                return HoursNotationSpan.Time(kind: .stated, minutes: minutes % 720 + (next == .pm ? 720 : 0))
            default:
                let isClock = is24Hours || has24Hours && hasMinutes
                return HoursNotationSpan.Time(
                    kind: isClock ? .clock : .open, minutes: minutes, hasMinutes: hasMinutes)
            }
        default: throw error("a time, such as 9am, noon or 17:30,")
        }
    }
}
