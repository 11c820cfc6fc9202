import Bytes
import SookeModel

/// A date of an event in a series, and the event as it is on that date.
package struct EventDate: Sendable {
    /// The last part of its address.
    package let name: String
    package let occurrence: Occurrence
    package let event: EventRecord
}

/// What a date in the address of an event is.
package enum FoundDate: Sendable {
    case date(EventDate)
    /// The day to which the date with this name was moved.
    case moved(from: String)
    /// The only date of an event.
    case only
}

extension EventRecord {
    package func date(named name: String, at clock: EventClock, _ business: BusinessRecord?) -> FoundDate? {
        guard let series = recurrence(at: clock, business) else {
            let start = clock.zone(of: value, at: business).localStart(of: single)
            return start.date.text.hasSameBytes(as: name) ? .only : nil
        }
        if let found = series.occurrence(named: name) {
            return .date(EventDate(name: series.name(of: found), occurrence: found, event: with(found)))
        }
        return series.occurrence(movedTo: name).map { .moved(from: series.name(of: $0)) }
    }

    /// The last part of the address of a date; nil for an event that takes place once.
    package func name(of occurrence: Occurrence, at clock: EventClock, _ business: BusinessRecord?) -> String? {
        if !value.rdates.isEmpty { return recurrence(at: clock, business)?.name(of: occurrence) }
        let zone = clock.zone(of: value, at: business)
        return isSeries ? zone.localDate(at: occurrence.original).date.text : nil
    }

    /// With the texts and the state of an occurrence.
    private func with(_ occurrence: Occurrence) -> EventRecord {
        guard let change = value.override(of: occurrence) else { return self }
        var event = value
        event.name = change.name ?? event.name
        event.description = change.description ?? event.description
        event.location = change.location ?? event.location
        if change.isCancelled, isPublic { event.status = .cancelled }
        return EventRecord(event, eventTypeID: eventTypeID, businessID: businessID) ?? self
    }
}
