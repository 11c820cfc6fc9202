import Bytes
import JSON
import SookeModel
import Synchronization

/// The hours of a business. What follows from them is computed when it is first needed: a start does not need it.
extension BusinessRecord {
    /// The hours in the syntax of OpenStreetMap, as given or made from the weekly hours; nil when there are none.
    var openingHours: String? {
        if let text = value.openingHours { return text }
        if value.hours.isEmpty { return nil }
        if let text = lazyOpeningHours.load() { return text.value }
        return lazyOpeningHours.storeIfNil(Boxed(OpeningHours(week: value.hours).text)).value
    }

    var schedule: Boxed<OpeningSchedule> { lazySchedule.load() ?? lazySchedule.storeIfNil(compiledSchedule) }

    private var compiledSchedule: Boxed<OpeningSchedule> {
        func compile() -> OpeningSchedule {
            OpeningSchedule(week: value.hours, text: value.openingHours, special: value.specialHours)
        }
        if !value.specialHours.isEmpty { return Boxed(compile()) }
        return SharedSchedules.all.schedule(of: SharedSchedules.Key(value), compile)
    }

    /// Compiles the hours, so that the first question for what is open does not have to.
    func compileHours() { _ = schedule }

    /// Whether its regular hours would count on a holiday, because no other hours say what holds then.
    ///
    /// - Parameter known: the answers for texts of opening hours, which many businesses share.
    package func hasRegularHours(onHoliday date: CivilDate, _ known: inout [String: Bool]) -> Bool {
        if HoursRule.special(value.specialHours).contains(where: { $0.names(holiday: date) }) { return false }
        // The rows of a week name no dates.
        guard let text = value.openingHours else { return !value.hours.isEmpty }
        if let isRegular = known[text] { return isRegular }
        let rules = (try? OpeningHours(text))?.rules
        let isRegular = rules.map { !$0.contains { $0.names(holiday: date) } } ?? false
        known[text] = isRegular
        return isRegular
    }

    /// How long ago that was, for people; nil when nobody has.
    func checkedText(at clock: OpenHoursClock) -> String? {
        confirmedAt.map { ElapsedTime.text(from: $0, to: clock.moment.timestamp, in: clock.moment.zone) }
    }

    /// When somebody last confirmed that its hours and data are right.
    package var confirmedAt: Timestamp? { value.confirmedAt }

    /// Whether the business is open; not when its hours are not known.
    package func isOpen(at clock: OpenHoursClock) -> Bool {
        // Most are on the clocks of the town, whose moment is not copied.
        guard let timeZone else { return schedule.value.isOpen(at: clock.moment) }
        return clock.moment(in: timeZone).map { schedule.value.isOpen(at: $0) } ?? false
    }

    package func openState(at clock: OpenHoursClock) -> OpenState {
        // Most are on the clocks of the town, whose moment is not copied.
        guard let timeZone else { return schedule.value.state(at: clock.moment) }
        return clock.moment(in: timeZone).map { schedule.value.state(at: $0) } ?? .unknown
    }

    /// The hours of a day on the clocks of the business.
    package func openDay(on date: CivilDate, at clock: OpenHoursClock) -> OpenDay {
        schedule.value.day(date, around: clock.moment(in: timeZone) ?? clock.moment)
    }

    /// Appends the members of responses that depend on the clock, with a comma before them.
    @inline(__always)
    func appendTimedMembers(to object: inout [UInt8], at time: inout ListTime) {
        // The clock is not passed on before it is needed: a copy of it is a dozen references.
        let (moment, today) = (time.clock.moment.timestamp, time.dayOfWeek)
        let generation = time.clock.generation
        if timedMembers.append(to: &object, at: moment, today: today, generation, &time.validUntil) { return }
        // Another thread may store those of another moment meanwhile.
        let entry = computedMembers(at: time.clock, today: today)
        timedMembers.store(entry)
        entry.append(to: &object, &time.validUntil)
    }

    @inline(never)
    private func computedMembers(at clock: OpenHoursClock, today: Int) -> TimedMembers.Entry {
        let state = openState(at: clock)
        var members = [UInt8](",")
        members.append { writer in
            writer.key("today_hours")
            if let row = value.hours.row(of: today) { row.writeShown(to: &writer) } else { writer.null() }
            writer.key("open_state")
            writer.write(state)
            writer.member("confirmed_at", value.confirmedAt)
        }
        return TimedMembers.Entry(
            from: clock.moment.timestamp, until: state.validUntil ?? Timestamp.endOfTime, today: today,
            generation: clock.generation, members: members)
    }
}

/// Which businesses are open at a moment. Those with the same hours share them (`SharedSchedules`), so each of the
/// different hours is evaluated once.
package final class OpenHours: Sendable {
    private let clock: OpenHoursClock
    private let known = Mutex<[ObjectIdentifier: OpeningSchedule.Openness]>([:])

    /// The hours at a moment.
    package init(at clock: OpenHoursClock) { self.clock = clock }

    /// Whether a business of the version for which this was made is open.
    package func contains(_ business: BusinessRecord) -> Bool { openness(of: business)?.isOpen ?? false }

    /// nil when its time zone is not known.
    func openness(of business: BusinessRecord) -> OpeningSchedule.Openness? {
        let schedule = business.schedule
        guard business.timeZone == nil else {
            return clock.moment(in: business.timeZone).map(schedule.value.openness)
        }
        return known.withLock { known in
            let key = ObjectIdentifier(schedule)
            if let found = known[key] { return found }
            let found = schedule.value.openness(at: clock.moment)
            known[key] = found
            return found
        }
    }
}

/// A value that is computed when it is first needed.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ state: OpenState) {
        beginObject()
        member("status", state.status.rawValue)
        member("until", state.until)
        member("next_open", state.nextOpening)
        member("reason", state.reason.rawValue)
        member("comment", state.comment.isEmpty ? nil : state.comment)
        endObject()
    }
}

/// The compiled hours of businesses: those with the same hours share them, because a town has far fewer different hours
/// than businesses, and compiling takes longer than a look-up.
final class SharedSchedules: Sendable {
    /// What the hours follow from, except for special hours, which no two businesses share.
    struct Key: Hashable, Sendable {
        /// The rows of a week, without their IDs.
        let rows: [DayHours]
        /// The hours in the syntax of OpenStreetMap.
        let text: String?

        init(_ business: Business) {
            rows = business.hours.map(\.withoutID)
            text = business.openingHours
        }
    }

    /// Those of all towns in this process. Each follows from its key alone.
    static let all = SharedSchedules()

    /// The most different hours that are stored; then they are collected anew.
    private static let limit = 10_000

    private let known = Mutex<[Key: Boxed<OpeningSchedule>]>([:])

    func schedule(of key: Key, _ compile: () -> OpeningSchedule) -> Boxed<OpeningSchedule> {
        if let schedule = known.withLock({ $0[key] }) { return schedule }
        let schedule = Boxed(compile())
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll() }
            known[key] = schedule
        }
        return schedule
    }
}
