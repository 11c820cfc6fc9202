import Bytes
import SookeModel
import Synchronization

/// The listed events in series at a moment, by the start of the occurrence that stands for each.
///
/// A version finds them once for all requests until one of the occurrences ends.
public struct UpcomingSeries: Sendable {
    /// An event, with the end of the occurrence that stands for it.
    struct Element: Sendable {
        let key: MomentKey
        let end: Timestamp
        let event: EventRecord
    }

    let elements: [Element]
    /// The end of the first occurrence that has not ended; nil when all have.
    let nextEnd: Timestamp?
    /// The zone of the town, and the moments at which they are the same.
    private let zone: String
    private let moments: ClosedRange<Timestamp>

    /// Finds the series of a town. Those whose occurrences take too long to find are left out.
    init(of town: Town, at clock: EventClock) {
        var elements: [Element] = []
        for event in town.events.listedSeries {
            guard clock.work.visit() else { break }
            let shown = event.representative(at: clock, town.business(of: event))
            let key = MomentKey(moment: shown.startsAt, id: event.id)
            elements.append(Element(key: key, end: shown.effectiveEnd, event: event))
        }
        elements.sort { $0.key < $1.key }
        self.elements = elements
        nextEnd = elements.lazy.map(\.end).filter { $0 >= clock.now }.min()
        zone = clock.zone.name
        moments = clock.now...(nextEnd ?? Timestamp(microseconds: .max))
    }

    /// Whether it is that of a moment.
    func isValid(at clock: EventClock) -> Bool { zone == clock.zone.name && moments.contains(clock.now) }
}

extension Version {
    /// The listed events in series at a moment.
    public func upcomingSeries(at clock: EventClock) -> UpcomingSeries {
        if let known = series.withLock({ $0 }), known.isValid(at: clock) { return known }
        let found = UpcomingSeries(of: town, at: clock)
        if !clock.work.isBounded { series.withLock { $0 = found } }
        return found
    }
}
