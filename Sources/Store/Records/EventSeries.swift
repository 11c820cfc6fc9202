import Bytes
import SookeModel
import Synchronization

/// The occurrences of an event in a series, computed when they are first needed, for one time zone at a time.
///
/// The next few are stored: most questions are about them, and finding those of a rare rule takes long.
final class EventSeries: Sendable {
    private struct State {
        let zone: String
        /// Nil when the event does not repeat after all, because its rule is not understood.
        let recurrence: RecurrenceSeries?
        var list: OccurrenceList?
        var last: Occurrence?
    }

    private static let mostStored = 24
    /// How far in the past, in seconds, the occurrences that are stored may begin.
    private static let past = 2 * 86_400

    private let state = Mutex<State?>(nil)

    func recurrence(of event: Event, in zone: TimeZone, work: WorkBudget) -> RecurrenceSeries? {
        state.withLock { Self.recurrence(of: event, in: zone, &$0, work) }
    }

    /// The next occurrence or one in progress, else the last one. Nil when the event does not repeat after all, or when
    /// it takes too long to find; then the work is bounded.
    func representative(of event: Event, in zone: TimeZone, at moment: Timestamp, work: WorkBudget) -> Occurrence? {
        state.withLock { state in
            guard let series = Self.recurrence(of: event, in: zone, &state, work) else { return nil }
            func next(in list: OccurrenceList) -> Occurrence? {
                list.occurrences.first { $0.overAt >= moment && !$0.isCancelled }
            }
            if let list = state?.list, list.from <= moment, let known = next(in: list) { return known }
            let list = Self.extend(&state, series, from: moment, now: moment, work) { !$0.isCancelled }
            if let found = list.flatMap(next) { return found }
            guard list?.through == .endOfTime else {
                work.leaveOut()
                return nil
            }
            if state?.last == nil { state?.last = series.last }
            return state?.last
        }
    }

    /// The occurrences in a range, by start, cancelled ones included, and whether there are more; as far as the work
    /// allows. Nil when the event does not repeat after all.
    func occurrences(
        of event: Event, in zone: TimeZone, _ range: Range<Timestamp>, limit: Int, now: Timestamp, work: WorkBudget
    ) -> (found: [Occurrence], isCut: Bool)? {
        state.withLock { state in
            guard let series = Self.recurrence(of: event, in: zone, &state, work) else { return nil }
            if let known = state?.list?.occurrences(in: range, limit: limit) { return known }
            var count = 0
            let list = Self.extend(&state, series, from: range.lowerBound, now: now, work) { occurrence in
                if occurrence.isIn(range) { count += 1 }
                return count > limit || occurrence.startsAt >= range.upperBound
            }
            if let found = list?.occurrences(in: range, limit: limit) { return found }
            work.leaveOut()
            return (list?.occurrences.filter { $0.isIn(range) } ?? [], true)
        }
    }

    private static func recurrence(
        of event: Event, in zone: TimeZone, _ state: inout State?, _ work: WorkBudget
    ) -> RecurrenceSeries? {
        if let state, state.zone == zone.name { return state.recurrence }
        let recurrence = event.recurrence(in: zone)
        work.spend(WorkBudget.stepsPerSeries + (recurrence?.steps ?? 0))
        state = State(zone: zone.name, recurrence: recurrence)
        return recurrence
    }

    /// Occurrences that end at or after an instant, from those that are stored where possible; nil without work left.
    private static func extend(
        _ state: inout State?, _ series: RecurrenceSeries, from moment: Timestamp, now: Timestamp, _ work: WorkBudget,
        until isEnough: (Occurrence) -> Bool
    ) -> OccurrenceList? {
        guard let steps = work.left else { return nil }
        let stored = state?.list.flatMap { $0.from <= moment && moment <= $0.through ? $0 : nil }
        let list = series.list(endingFrom: moment, after: stored, steps: steps, until: isEnough)
        work.spend(WorkBudget.stepsPerList + list.steps + WorkBudget.stepsPerOccurrence * list.occurrences.count)
        if stored != nil || moment <= now && moment >= now.advanced(bySeconds: -past) {
            state?.list = list.prefix(mostStored)
        }
        return list
    }
}

/// The instant at which events are read, and the time zones in which they are repeated.
package struct EventClock: Sendable {
    package let now: Timestamp
    package let zone: TimeZone
    /// What a request with this clock may spend on events.
    package let work: WorkBudget
    private let find: @Sendable (String) -> TimeZone?

    /// - Parameter find: nil for a name that is not known, which counts as that of the town.
    package init(
        now: Timestamp, zone: TimeZone, work: WorkBudget = WorkBudget(), find: @escaping @Sendable (String) -> TimeZone?
    ) {
        (self.now, self.zone, self.work, self.find) = (now, zone, work, find)
    }

    /// The same with other work, for a part of a response that is made later.
    package func renewed(_ work: WorkBudget = WorkBudget()) -> EventClock {
        EventClock(now: now, zone: zone, work: work, find: find)
    }

    package func zone(of event: Event, at business: BusinessRecord?) -> TimeZone {
        (event.timeZone ?? business?.timeZone).flatMap(find) ?? zone
    }
}
