import Bytes

/// Goes through the times of a schedule from a moment on.
struct ScheduleWalk {
    private var plans: SchedulePlans
    private let planner: DayPlanner?
    /// The places of plans that were made on the way.
    private var planned: [PlannedDay: Int] = [:]
    private struct PlannedDay: Hashable {
        let rules: [Int]
        let isHoliday: Bool
    }

    private var day = 0
    private var today = 0
    private var yesterday = 0
    private var minute = 0
    private var period = ClockPeriod.always
    /// What holds now.
    private(set) var place = SchedulePlans.Place(cause: .none, end: 0)
    /// What held before the last step.
    private(set) var lastCause = SchedulePlans.Cause.none
    /// When what held at the start ended, or its day did, in seconds since 1970; nil before the first step.
    private(set) var firstEnd: Int?

    init(_ schedule: OpeningSchedule) {
        (plans, planner) = (schedule.plans, schedule.planner)
    }

    /// Goes to the first moment. Not by `init`, which would copy it.
    mutating func start(at moment: HoursMoment) {
        (day, minute, period) = (moment.today.number, moment.minute, moment.period)
        today = plan(of: moment.today)
        yesterday = plan(of: moment.yesterday)
        place = plans.place(today: today, yesterday: yesterday, minute: minute)
    }

    /// Goes on while a condition holds; nil when that is beyond the horizon.
    mutating func skip(_ moment: HoursMoment, while holds: (SchedulePlans.Cause) -> Bool) -> Timestamp? {
        let last = day + (plans.isWeekly && planner == nil ? 15 : OpeningSchedule.horizon)
        while day <= last {
            let seconds = step(moment)
            if !holds(place.cause) { return Timestamp(seconds: seconds) }
        }
        return nil
    }

    /// Goes to the end of what holds, or of the day.
    ///
    /// - Returns: the moment, in seconds since 1970.
    private mutating func step(_ moment: HoursMoment) -> Int {
        var local = day * 86_400 + place.end * 60
        while local >= period.localEnd {
            let next = ClockPeriod(moment.zone.period(containing: period.end))
            // A time that the clocks skip is when they are set forward.
            local = max(local, period.end + next.offset)
            period = next
        }
        let next = local.quotient(roundedDownBy: 86_400)
        minute = (local - next * 86_400) / 60
        if next != day {
            yesterday = next == day + 1 ? today : plan(of: moment.day(next - 1))
            today = plan(of: moment.day(next))
            day = next
        }
        lastCause = place.cause
        place = plans.place(today: today, yesterday: yesterday, minute: minute)
        let seconds = local - period.offset
        if firstEnd == nil { firstEnd = seconds }
        return seconds
    }

    private mutating func plan(of day: HoursDay) -> Int {
        guard let planner, let rules = planner.rules(on: day) else { return plans.plan(of: day) }
        let key = PlannedDay(rules: rules, isHoliday: day.isHoliday)
        if let place = planned[key] { return place }
        let place = planner.append(rules, isHoliday: day.isHoliday, to: &plans.words)
        planned[key] = place
        return place
    }
}
