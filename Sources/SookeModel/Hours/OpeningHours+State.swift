import Bytes

extension OpeningHours {
    /// How many days ahead a change is looked for.
    public static let horizon = 400

    /// Whether the place is open at a moment.
    ///
    /// A time that clocks skip is when they are set forward; of a time that they show twice the first counts.
    public func state(at moment: Timestamp, in zone: TimeZone, _ holidays: Holidays) -> OpenState {
        guard let rules else { return .unknown }
        var timeline = Timeline(rules, zone, holidays)
        let today = zone.localDate(at: moment).date.daysSinceEpoch
        var state = timeline.state(at: moment, on: today)
        let end = timeline.firstMoment(after: moment, from: today) { $0.status != state.status }
        state.until = timeline.isOpenEnded(at: moment, on: today) ? nil : end
        let from = state.status == .open ? end : moment
        state.nextOpening = from.flatMap { from in
            let day = zone.localDate(at: from).date.daysSinceEpoch
            if state.status == .open, timeline.state(at: from, on: day).status == .open { return from }
            return timeline.firstMoment(after: from, from: day) { $0.status == .open }
        }
        return state
    }
}

/// The parts of the days around a moment, as moments.
private struct Timeline {
    private struct Part {
        let start: Timestamp
        let end: Timestamp
        let part: DayPlan.Part
    }

    private struct Day {
        let parts: [Part]
        let plan: DayPlan
    }

    private let rules: [HoursRule]
    private let zone: TimeZone
    private let holidays: Holidays
    /// The days in which everything that can happen does.
    private let horizon: Int
    private var days: [Int: Day] = [:]

    init(_ rules: [HoursRule], _ zone: TimeZone, _ holidays: Holidays) {
        (self.rules, self.zone, self.holidays) = (rules, zone, holidays)
        horizon = rules.allSatisfy(\.isWeekly) ? 8 : OpeningHours.horizon
    }

    /// The state at a moment of a day, without its end. What began on this day decides before what began on the former.
    mutating func state(at moment: Timestamp, on day: Int) -> OpenState {
        if let part = part(at: moment, on: day) {
            return OpenState(status: part.isUnknown ? .unknown : .open, reason: part.reason, comment: part.comment)
        }
        let plan = self.day(day).plan
        return OpenState(status: .closed, reason: plan.reason, comment: plan.comment)
    }

    /// Whether the end of an opening is not known.
    mutating func isOpenEnded(at moment: Timestamp, on day: Int) -> Bool {
        part(at: moment, on: day)?.isOpenEnded ?? false
    }

    /// The first moment after another at which a condition holds; nil within the horizon.
    mutating func firstMoment(
        after moment: Timestamp, from first: Int, where holds: (OpenState) -> Bool
    ) -> Timestamp? {
        for day in first...first + horizon {
            let parts = self.day(day - 1).parts + self.day(day).parts
            let midnight = zone.moment(of: day, minutes: 0)
            let next = zone.moment(of: day + 1, minutes: 0)
            let bounds = Set(parts.flatMap { [$0.start, $0.end] } + [midnight])
            for bound in bounds.sorted() where bound > moment && bound >= midnight && bound < next {
                if holds(state(at: bound, on: day)) { return bound }
            }
        }
        return nil
    }

    private mutating func part(at moment: Timestamp, on day: Int) -> DayPlan.Part? {
        for day in [day, day - 1] {
            if let found = self.day(day).parts.first(where: { $0.start <= moment && moment < $0.end }) {
                return found.part
            }
        }
        return nil
    }

    private mutating func day(_ number: Int) -> Day {
        if let day = days[number] { return day }
        let plan = DayPlan(rules, on: CivilDate(daysSinceEpoch: number), holidays)
        let parts = plan.parts.map { part in
            Part(
                start: zone.moment(of: number, minutes: part.start), end: zone.moment(of: number, minutes: part.end),
                part: part)
        }
        let day = Day(parts: parts, plan: plan)
        days[number] = day
        return day
    }
}

extension TimeZone {
    /// The moment at which clocks first show a time, some minutes after the midnight of a day; if they skip it, when they
    /// are set forward.
    fileprivate func moment(of day: Int, minutes: Int) -> Timestamp {
        let (date, seconds) = (CivilDate(daysSinceEpoch: day + minutes / 1440), minutes % 1440 * 60)
        if let moment = timestamps(of: date, secondsOfDay: seconds).first { return moment }
        let local = date.daysSinceEpoch * 86_400 + seconds
        var next: Int? = local - 93_600
        while let start = next, start <= local + 93_600 {
            let period = period(containing: start)
            guard let end = period.end else { break }
            let following = self.period(containing: end)
            if end + period.offset <= local, local < end + following.offset { return Timestamp(seconds: end) }
            next = end
        }
        return Timestamp(seconds: local)
    }
}
