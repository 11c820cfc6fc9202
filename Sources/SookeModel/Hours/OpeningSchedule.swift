import Bytes

/// The opening hours of a business: whether it is open at a time, until when, and why.
///
/// ```swift
/// let schedule = OpeningSchedule(base: try OpeningHours("Mo-Fr 09:00-17:00; PH off"))
/// let now = HoursMoment(at: clock.now, in: zone, .britishColumbia)
/// let state = schedule.state(at: now)
/// ```
///
/// The rules of a day make a `DayPlan`. Those of days on which no rule for dates holds are made once, one for each day
/// of the week; the others when they are asked for.
public struct OpeningSchedule: Sendable {
    /// How many days ahead a change is looked for.
    public static let horizon = 400

    private let rules: [HoursRule]
    /// For each rule the days outside of which it does not hold: a business may have thousands of rules for dates.
    private let bounds: [ClosedRange<Int>]
    /// The rules that are not the same in each week.
    private let dated: [Int]
    private let hasHolidays: Bool
    /// The plans by the other rules, by day of the week, then those of holidays if they differ, and that of a day of
    /// which it is not known whether it is a holiday.
    private let week: [DayPlan]
    private let isConstant: Bool
    /// The rule by which it is closed on holidays that no other one names.
    private let closingRule: Int?
    private let isAlwaysOpen: Bool
    /// Whether it is open on holidays as usual: so it is said, or they are no exception.
    private let isUsualOnHolidays: Bool

    /// Regular hours, nil when not known, and rules applied after them; `holidays` is for holidays that no rule names.
    public init(base: OpeningHours?, special: [HoursRule] = [], holidays: Business.PublicHolidays? = nil) {
        var rules = base?.rules ?? [HoursRule(kind: .unknown)]
        closingRule = holidays == .closed && base?.holidayRule == nil ? rules.count : nil
        if closingRule != nil {
            rules.append(HoursRule(kind: .closed))
            rules[rules.count - 1].isOnHolidays = true
        }
        rules += special
        let weekly = rules.indices.filter { rules[$0].isWeekly }
        dated = rules.indices.filter { !rules[$0].isWeekly }
        bounds = rules.map(\.bounds)
        hasHolidays = rules.contains(where: \.isOnHolidays)
        var week: [DayPlan] = []
        for isHoliday in hasHolidays ? [false, true] : [false] {
            for dayOfWeek in 0..<7 {
                let indexes = weekly.filter { rules[$0].containsDay(dayOfWeek, isHoliday: isHoliday) }
                let known = week.first { $0.isMade(of: indexes, isHoliday: isHoliday) }
                week.append(known ?? DayPlan(rules, applying: indexes, isHoliday: isHoliday))
            }
        }
        if let rule = rules.firstIndex(where: \.isOnHolidays) { week.append(DayPlan(unknownBy: rule)) }
        isAlwaysOpen = week[..<7].allSatisfy(\.isOpenAllDay)
        isUsualOnHolidays = holidays == .asUsual || holidays == nil && isAlwaysOpen
        isConstant =
            dated.isEmpty && !hasHolidays && (isUsualOnHolidays || !isAlwaysOpen) && week[0].isSameAllDay
            && week.allSatisfy { $0.isMade(of: week[0].rules) }
        (self.rules, self.week) = (rules, week)
    }

    /// The hours of a business: weekly ones, or the text that counts instead, and special ones before both.
    public init(week: [DayHours], text: String?, special: [SpecialHours], holidays: Business.PublicHolidays? = nil) {
        // A text that an earlier version accepted may not be valid any more.
        let hours = text.map { (try? OpeningHours($0)) ?? OpeningHours(unreadable: $0) }
        self.init(
            base: hours ?? (week.isEmpty ? nil : OpeningHours(week: week)), special: HoursRule.special(special),
            holidays: holidays)
    }

    public func isOpen(at moment: HoursMoment) -> Bool { state(atStartOf: moment).kind == .open }

    package var isSameEachWeek: Bool { dated.isEmpty && !hasHolidays }

    /// Whether the place is open or closed, or that is not known; without what is soon.
    public func status(at moment: HoursMoment) -> OpenState.Status { state(atStartOf: moment).kind.status }

    /// Whether a place is open, for which holiday that is not confirmed, and for how many minutes it stays so at least.
    package struct Openness: Sendable {
        package let isOpen: Bool
        package let unconfirmed: String?
        package let minutes: Int
    }

    package func openness(at moment: HoursMoment) -> Openness {
        let state = state(atStartOf: moment)
        return Openness(
            isOpen: state.kind == .open, unconfirmed: unconfirmed(state, on: moment.day, moment),
            minutes: min(max(state.end - moment.minute, 1), moment.minutesOfPeriod))
    }

    /// The holiday on whose day an opening began, and of which the hours say nothing.
    private func unconfirmed(_ state: DayPlan.State, on day: Int, _ moment: HoursMoment) -> String? {
        state.kind == .open ? unconfirmedHoliday(on: state.isOfYesterday ? day - 1 : day, moment) : nil
    }

    private func unconfirmedHoliday(on day: Int, _ moment: HoursMoment) -> String? {
        guard !isUsualOnHolidays, moment.isHoliday(day) else { return nil }
        let date = CivilDate(daysSinceEpoch: day)
        return rules.contains { $0.names(holiday: date) } ? nil : moment.holidays.name(on: date)
    }

    /// The hours that a day has on the clocks of a zone, regardless of the time now.
    public func day(_ date: CivilDate, around moment: HoursMoment) -> OpenDay {
        let plan = plan(of: date.daysSinceEpoch, moment)
        let first = plan.parts.first { !$0.isUnknown }
        let rule = (first?.rule ?? plan.closingRule).map { rules[$0] }
        let isHoliday = hasHolidays && moment.isHoliday(date.daysSinceEpoch)
        let reason = rule?.reason(isHoliday: isHoliday) ?? .regular
        var comment = reason == .regular && plan.parts.isEmpty ? "" : rule?.comment ?? ""
        if comment.isEmpty, reason == .holiday { comment = moment.holidays.name(on: date) ?? "" }
        let spans = plan.spans
        return OpenDay(
            spans: spans, isKnown: !spans.isEmpty || plan.parts.isEmpty,
            isSpecial: reason == .special || reason == .holiday,
            comment: comment, unconfirmed: spans.isEmpty ? nil : unconfirmedHoliday(on: date.daysSinceEpoch, moment))
    }

    /// The hours of a day of the week on which no rule for dates or holidays holds; none when they are not known.
    package func usualSpans(_ dayOfWeek: Int) -> [OpenDay.Span] { week[dayOfWeek].spans }

    private func state(atStartOf moment: HoursMoment) -> DayPlan.State {
        let yesterday = plan(of: moment.day - 1, moment)
        return plan(of: moment.day, moment, besides: yesterday).state(at: moment.minute, after: yesterday)
    }

    /// Whether the place is open, until when, and why.
    ///
    /// A time that clocks skip is when they are set forward; of a time that they show twice the first counts.
    public func state(at moment: Timestamp, in zone: TimeZone, _ holidays: Holidays) -> OpenState {
        state(at: HoursMoment(at: moment, in: zone, holidays))
    }

    /// Whether the place is open, until when, and why.
    public func state(at moment: HoursMoment) -> OpenState {
        if isConstant { return described(state(atStartOf: moment), at: moment) }
        var walk = Walk(self, from: moment)
        let (now, holiday) = (walk.state, walk.unconfirmed)
        var state = described(now, at: moment)
        state.unconfirmed = holiday
        var change = walk.skip { $0.state.kind == now.kind && $0.unconfirmed == holiday }
        if change != nil, walk.state.kind == now.kind {
            state.confirmationChange = change
            change = walk.skip { $0.state.kind == now.kind }
        }
        state.validUntil = walk.firstEnd.map { Timestamp(clampingSeconds: $0) }
        guard let change else { return state }
        let isUnsure = walk.last.kind == .open && walk.last.isOpenEnded
        state.until = isUnsure ? nil : change
        state.nextOpening = walk.state.kind == .open ? change : walk.skip { $0.state.kind != .open }
        if now.kind == .closed { state.unconfirmed = walk.unconfirmed }
        state.addSoon(at: moment.timestamp)
        return state
    }

    private func described(_ now: DayPlan.State, at moment: HoursMoment) -> OpenState {
        guard let rule = now.rule.map({ rules[$0] }) else { return OpenState(status: .closed, reason: .regular) }
        let reason = now.kind == .unknown ? .unknown : rule.reason(isHoliday: now.isHoliday)
        var state = OpenState(status: now.kind.status, reason: reason)
        // The remark of regular hours is about them, not about the rest of the day.
        let isRest = now.kind == .closed && rule.kind != .closed && reason == .regular
        if !isRest { state.comment = rule.comment }
        if state.comment.isEmpty, reason == .holiday { state.comment = moment.holidays.name(on: moment.date) ?? "" }
        return state
    }

    /// The plan of a day, which may be that of another one.
    private func plan(of day: Int, _ moment: HoursMoment, besides other: DayPlan? = nil) -> DayPlan {
        let isHoliday = hasHolidays && moment.isHoliday(day)
        if !dated.isEmpty {
            let date = CivilDate(daysSinceEpoch: day)
            func holds(_ rule: Int) -> Bool {
                bounds[rule].contains(day) && rules[rule].contains(date, isHoliday: isHoliday)
            }
            if dated.contains(where: holds) {
                var indexes = rules.indices.filter(holds)
                if indexes.contains(where: { $0 != closingRule && rules[$0].names(holiday: date) }) {
                    indexes.removeAll { $0 == closingRule }
                }
                if let other, other.isMade(of: indexes, isHoliday: isHoliday) { return other }
                return DayPlan(rules, applying: indexes, isHoliday: isHoliday)
            }
        }
        if hasHolidays, day > moment.holidays.lastDay { return week[14] }
        return week[CivilDate.dayOfWeek(of: day) + (isHoliday ? 7 : 0)]
    }
}

public struct OpenDay: Sendable, Equatable {
    /// A time in which the place is open.
    public struct Span: Sendable, Equatable {
        /// In minutes since the midnight of the day; an end of more than 1440 is on the next day.
        public let start: Int
        public let end: Int
        /// Whether it may end earlier or later.
        public let isOpenEnded: Bool
    }

    /// None on a day on which it is closed.
    public let spans: [Span]
    public let isKnown: Bool
    /// Whether they are those of certain dates or of a holiday.
    public let isSpecial: Bool
    /// The remark of the rule that decides, or the name of the holiday; empty for none.
    public let comment: String
    /// The holiday that it is, when the hours are the usual ones and say nothing of it.
    public let unconfirmed: String?
}

extension DayPlan {
    fileprivate var spans: [OpenDay.Span] {
        parts.filter { !$0.isUnknown }
            .map { OpenDay.Span(start: $0.start, end: $0.end, isOpenEnded: $0.isOpenEnded) }
    }
}

extension OpeningSchedule {
    /// Goes through the times of a schedule from an instant on.
    private struct Walk {
        private let schedule: OpeningSchedule
        private let moment: HoursMoment
        private var day: Int
        private var yesterday: DayPlan
        private var today: DayPlan
        private var period: ClockPeriod
        private(set) var state: DayPlan.State
        private(set) var last: DayPlan.State
        /// When what held at the start ended, or its day did, in seconds since 1970; nil before the first step.
        private(set) var firstEnd: Int?

        init(_ schedule: OpeningSchedule, from moment: HoursMoment) {
            (self.schedule, self.moment, day, period) = (schedule, moment, moment.day, moment.period)
            yesterday = schedule.plan(of: day - 1, moment)
            today = schedule.plan(of: day, moment, besides: yesterday)
            state = today.state(at: moment.minute, after: yesterday)
            last = state
        }

        var unconfirmed: String? { schedule.unconfirmed(state, on: day, moment) }

        /// Goes on while a condition holds; nil when that is beyond the horizon.
        mutating func skip(while holds: (Walk) -> Bool) -> Timestamp? {
            let end = day + (schedule.isSameEachWeek && !schedule.isAlwaysOpen ? 15 : OpeningSchedule.horizon)
            while day <= end {
                let seconds = step()
                if !holds(self) { return Timestamp(clampingSeconds: seconds) }
            }
            return nil
        }

        /// Goes to the end of what holds, or of the day, in seconds since 1970.
        private mutating func step() -> Int {
            var local = day * 86_400 + state.end * 60
            while local >= period.localEnd {
                let next = ClockPeriod(moment.zone.period(containing: period.end))
                // A time that the clocks skip is when they are set forward.
                local = max(local, period.end + next.offset)
                period = next
            }
            let next = local.quotient(roundedDownBy: 86_400)
            if next != day {
                yesterday = next == day + 1 ? today : schedule.plan(of: next - 1, moment)
                today = schedule.plan(of: next, moment, besides: yesterday)
                day = next
            }
            (last, state) = (state, today.state(at: (local - next * 86_400) / 60, after: yesterday))
            let seconds = local - period.offset
            if firstEnd == nil { firstEnd = seconds }
            return seconds
        }
    }
}

extension HoursRule.Kind {
    fileprivate var status: OpenState.Status {
        switch self {
        case .open: .open
        case .closed: .closed
        case .unknown: .unknown
        }
    }
}

extension OpenState {
    fileprivate mutating func addSoon(at moment: Timestamp) {
        guard status != .unknown, let next = status == .open ? until : nextOpening else { return }
        let start = Timestamp(microseconds: next.microseconds - Self.soon * 1_000_000)
        if start <= moment {
            status = status == .open ? .closingSoon : .opensSoon
        } else {
            validUntil = validUntil.map { min($0, start) }
        }
    }
}
