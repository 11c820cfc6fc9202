import Bytes

/// The opening hours of a business, compiled: whether it is open at a moment takes nanoseconds.
///
/// ```swift
/// let schedule = OpeningSchedule(base: try OpeningHours("Mo-Fr 09:00-17:00; PH off"))
/// let now = HoursMoment(at: clock.now, in: zone, .britishColumbia)
/// let state = schedule.state(at: now)
/// ```
///
/// The rules of a day make a plan: its parts, as minutes since midnight. A plan depends on the day of the week and on
/// whether the day is a holiday, and most schedules have few different ones. They are stored once, in one array of
/// words (`SchedulePlans`):
///
/// ```
/// pattern     7 places of plans by day of the week, 14 if holidays differ
/// plan        number of parts, cause of being closed otherwise, then for each part: start, end, cause
/// cause       the status, the reason and the comment
/// ```
///
/// The pattern of a schedule that is the same in each week is at 0. With dates there are several patterns, by the parts
/// of time (ages) and of the year (seasons) in which the same rules hold:
///
/// ```
/// 0           number of ages, then for each: first day (two words), place of its seasons
/// seasons     their number, then for each: first day as month and day, place of its pattern
/// ```
///
/// A day that a counted rule (`week 2`, `Su[-1]`) names is planned when it is asked for.
public struct OpeningSchedule: Sendable {
    /// How many days ahead a change is looked for.
    public static let horizon = 400

    let plans: SchedulePlans
    /// What plans the days for which there is no pattern; nil when there is one for each.
    let planner: DayPlanner?
    private let comments: [String]

    /// Hours of some rules.
    ///
    /// - Parameters:
    ///   - base: the regular hours; nil when they are not known.
    ///   - special: rules that are applied after them, such as those of special hours.
    public init(base: OpeningHours?, special: [HoursRule] = []) {
        var compiler = ScheduleCompiler((base?.rules ?? [HoursRule(kind: .unknown)]) + special)
        compiler.compile()
        (plans, comments) = (compiler.plans, compiler.planner.comments)
        planner = compiler.planner.isNeeded ? compiler.planner : nil
    }

    /// Whether the place is open.
    public func isOpen(at moment: HoursMoment) -> Bool {
        cause(at: moment).isOpen
    }

    /// Whether the place is open or closed, or that is not known; without what is soon.
    public func status(at moment: HoursMoment) -> OpenState.Status {
        cause(at: moment).status
    }

    /// Whether the place is open, until when, and why.
    ///
    /// A time that clocks skip is when they are set forward; of a time that they show twice the first counts.
    public func state(at moment: Timestamp, in zone: TimeZone, _ holidays: Holidays) -> OpenState {
        state(at: HoursMoment(at: moment, in: zone, holidays))
    }

    /// Whether the place is open, until when, and why.
    public func state(at moment: HoursMoment) -> OpenState {
        if plans.traits.contains(.isConstant) { return state(cause(at: moment), at: moment) }
        var walk = ScheduleWalk(self)
        walk.start(at: moment)
        let now = walk.place.cause
        var state = state(now, at: moment)
        let change = walk.skip(moment) { $0.status == now.status }
        state.validUntil = walk.firstEnd.map { Timestamp(seconds: $0) }
        guard let change else { return state }
        let isUnsure = walk.lastCause.isOpenEnded
        state.until = isUnsure ? nil : change
        state.nextOpening = walk.place.cause.isOpen ? change : walk.skip(moment) { !$0.isOpen }
        state.addSoon(at: moment.timestamp)
        return state
    }

    private func cause(at moment: HoursMoment) -> SchedulePlans.Cause {
        if planner != nil {
            var walk = ScheduleWalk(self)
            walk.start(at: moment)
            return walk.place.cause
        }
        return plans.place(
            today: plans.plan(of: moment.today), yesterday: plans.plan(of: moment.yesterday), minute: moment.minute
        ).cause
    }

    /// The state by a cause, without its end.
    private func state(_ cause: SchedulePlans.Cause, at moment: HoursMoment) -> OpenState {
        var state = OpenState(status: cause.status, reason: cause.reason)
        if cause.comment >= SchedulePlans.Cause.firstComment {
            state.comment = comments[cause.comment - SchedulePlans.Cause.firstComment]
        } else if cause.comment == SchedulePlans.Cause.holidayName {
            state.comment = moment.holidays.name(on: moment.today.date) ?? ""
        }
        return state
    }
}

extension OpenState {
    /// Says whether the next opening or closing is soon.
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

extension OpeningSchedule {
    /// The hours of a business.
    ///
    /// - Parameters:
    ///   - week: its weekly hours.
    ///   - text: its hours in the syntax of OpenStreetMap, which count instead.
    ///   - special: its special hours, which count instead of both.
    public init(week: [DayHours], text: String?, special: [SpecialHours]) {
        // A text that an earlier version accepted may not be valid any more.
        let hours = text.map { (try? OpeningHours($0)) ?? OpeningHours(unreadable: $0) }
        self.init(base: hours ?? (week.isEmpty ? nil : OpeningHours(week: week)), special: HoursRule.special(special))
    }
}
