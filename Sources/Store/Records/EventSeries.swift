import Bytes
import SookeModel
import Synchronization

/// The occurrences of an event in a series, computed when they are first needed, for one time zone at a time.
final class EventSeries: Sendable {
    private struct State {
        let zone: String
        /// Nil when the event does not repeat after all, because its rule is not understood.
        let recurrence: RecurrenceSeries?
        /// The occurrence that stands for the event at some moments.
        var representative: (occurrence: Occurrence, moments: ClosedRange<Timestamp>)?
    }

    private let state = Mutex<State?>(nil)

    /// The occurrences of an event; nil when it does not repeat after all.
    func recurrence(of event: Event, in zone: TimeZone) -> RecurrenceSeries? {
        let known = state.withLock { state in state.flatMap { $0.zone == zone.name ? ($0.recurrence, true) : nil } }
        if let known { return known.0 }
        let recurrence = event.recurrence(in: zone)
        state.withLock { $0 = State(zone: zone.name, recurrence: recurrence) }
        return recurrence
    }

    /// The occurrence that stands for an event at a moment: the next one or one in progress, else the last one; nil when
    /// it does not repeat after all.
    func representative(of event: Event, in zone: TimeZone, at moment: Timestamp) -> Occurrence? {
        let known = state.withLock { state in
            state.flatMap { state in
                state.representative.flatMap {
                    state.zone == zone.name && $0.moments.contains(moment) ? $0.occurrence : nil
                }
            }
        }
        if let known { return known }
        guard let recurrence = recurrence(of: event, in: zone) else { return nil }
        let next = recurrence.next(at: moment)
        guard let occurrence = next ?? recurrence.last else { return nil }
        let end = next?.effectiveEnd ?? Timestamp(microseconds: .max)
        state.withLock { state in
            if state?.zone == zone.name { state?.representative = (occurrence, moment...end) }
        }
        return occurrence
    }
}
