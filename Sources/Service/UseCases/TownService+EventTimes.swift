import Bytes
import SookeModel
import Store

/// The times of events, which may be those of a series or of one of its occurrences.
extension TownService {
    /// The time at which events are read, and the zones in which they are repeated.
    package func eventClock(of town: Town, at now: Timestamp, work: WorkBudget = WorkBudget()) -> EventClock {
        EventClock(now: now, zone: clocks(of: town).zone, work: work) { [zones] name in try? zones.zone(named: name) }
    }

    /// Before the first requests do, as far as a tenth of a second allows.
    package func findUpcomingSeries() {
        let version = store.current
        _ = version.upcomingSeries(at: eventClock(of: version.town, at: clock(), work: WorkBudget(20_000_000)))
    }

    /// Unless the patch changes them itself.
    func moveExceptions(of event: EventRecord, with patch: inout Patch<Event>, in town: Town) {
        guard event.value.hasSeries else { return }
        let after = patch.applied(to: event.value)
        let moving: FieldSet<Event> = ["rrule", "starts_at", "time_zone", "business"]
        if after.difference(from: event.value).isDisjoint(with: moving) { return }
        let clock = eventClock(of: town, at: clock())
        var moved = after
        moved.moveExceptions(
            of: event.value,
            in: clock.zone(of: event.value, at: event.value.business.flatMap { town.businesses[$0] }),
            to: clock.zone(of: after, at: after.business.flatMap { town.businesses[$0] }))
        let changed = moved.difference(from: after)
        for name in ["exdates", "overrides"] {
            // A client may send back what it has read.
            guard changed.contains(name), !after.difference(from: event.value).contains(name) else { continue }
            patch.values.take([name], from: moved)
            patch.fields.insert(name)
        }
    }
}

extension Patch<Event> {
    /// `starts_at` and `ends_at` are the names of the times of an event that takes place once. Of an event in a series,
    /// responses show the times of an occurrence under these names, and those of the series as `series_starts_at` and
    /// `series_ends_at`. A client may send back what it has read; but a new time must have the name of the series.
    ///
    /// - Parameters:
    ///   - series: `series_starts_at` and `series_ends_at`, as `starts_at` and `ends_at`.
    ///   - event: nil for a new one.
    mutating func takeTimes(
        ofSeries series: Patch<Event>, for event: EventRecord?, at clock: EventClock, in town: Town,
        _ problems: inout FieldProblems
    ) {
        let shown = event.map { $0.shownOccurrences(at: clock, in: town) } ?? []
        let keepsRule = event.map { !fields.contains("rrule") || values.rrule == $0.value.rrule } ?? false
        for name in ["starts_at", "ends_at"] {
            let time: KeyPath<Event, Timestamp?> = name == "starts_at" ? \.startsAt : \.endsAt
            let ofOccurrence: KeyPath<Occurrence, Timestamp?> = name == "starts_at" ? \.optionalStart : \.endsAt
            let given = values[keyPath: time]
            let isAsShown = fields.contains(name) && shown.contains { $0[keyPath: ofOccurrence] == given }
            if series.fields.contains(name) {
                let isSame = given == series.values[keyPath: time]
                if fields.contains(name), !isAsShown, !isSame {
                    problems.add(name, "differs from series_\(name); leave one of them out")
                }
                values.take([name], from: series.values)
                fields.insert(name)
            } else if let event, fields.contains(name), !shown.isEmpty, keepsRule {
                if isAsShown {
                    fields = fields.subtracting([name])
                } else if given != event.value[keyPath: time] {
                    problems.add(
                        name,
                        "is that of an occurrence of a series; give series_\(name) to change the series, or overrides "
                            + "to move one occurrence")
                }
            }
        }
    }
}

extension EventRecord {
    /// And the one before it, which a client may have read; none for an event that is not in a series.
    fileprivate func shownOccurrences(at clock: EventClock, in town: Town) -> [Occurrence] {
        let business = town.business(of: self)
        guard let recurrence = recurrence(at: clock, business) else { return [] }
        let representative = representative(at: clock, business)
        return [representative, recurrence.last(before: representative.startsAt)].compactMap(\.self)
    }
}

extension Occurrence {
    fileprivate var optionalStart: Timestamp? { startsAt }
}
