import Bytes
import SookeModel
import Store

/// The times of events, which may be those of a series or of one of its occurrences.
extension TownService {
    package func eventClock(of town: Town, at now: Timestamp, work: WorkBudget = WorkBudget()) -> EventClock {
        EventClock(now: now, zone: clocks(of: town).zone, work: work) { [zones] name in try? zones.zone(named: name) }
    }

    /// Before the first requests do, as far as a tenth of a second allows.
    package func findUpcomingSeries() {
        let version = store.current
        _ = version.upcomingSeries(at: eventClock(of: version.town, at: clock(), work: WorkBudget(20_000_000)))
    }

    /// Adds problems of given exceptions that match no date.
    func checkExceptions(
        of patch: Patch<Event>, after event: EventRecord?, in town: Town, _ problems: inout FieldProblems
    ) {
        guard !patch.fields.isDisjoint(with: ["exdates", "overrides"]) else { return }
        var (after, ignored) = (patch.applied(to: event?.value ?? Event()), FieldProblems())
        let zone = town.zone(of: after)
        after.settle(after: event?.value, in: zone, &ignored)
        after.checkExceptions(after: event?.value, in: zone, &problems)
    }

    /// Unless the patch changes them itself.
    func moveExceptions(of event: EventRecord, with patch: inout Patch<Event>, in town: Town) {
        guard event.value.hasSeries else { return }
        var after = patch.applied(to: event.value)
        let (before, zone) = (town.zone(of: event.value), town.zone(of: after))
        // Other problems of the times are found when the event is written.
        var ignored = FieldProblems()
        after.settle(after: event.value, in: zone, &ignored)
        let moving: FieldSet<Event> = ["rrule", "starts_local", "all_day", "time_zone", "business"]
        if after.difference(from: event.value).isDisjoint(with: moving) { return }
        var moved = after
        moved.moveExceptions(of: event.value, in: before, to: zone)
        let changed = moved.difference(from: after)
        for name in ["exdates", "overrides"] {
            // A client may send back what it has read.
            guard changed.contains(name), !after.difference(from: event.value).contains(name) else { continue }
            patch.values.take([name], from: moved)
            patch.fields.insert(name)
        }
    }
}

/// The times of an event in a request, by their names: local times, or instants.
///
/// `starts_at` and `starts_local` are names of one time. Of an event in a series, responses show an occurrence under
/// them, and the series itself under `series_starts_at` and `series_starts_local`. A client may send back what it has
/// read; but a new time must have a name of the series.
package struct EventTimes: Sendable {
    package static let names = edges.flatMap { names(of: $0) }
    private static let edges = ["starts", "ends"]

    package var given: [String: LocalTime?] = [:]

    package init() {}

    private static func names(of edge: String) -> [String] {
        ["series_\(edge)_at", "series_\(edge)_local", "\(edge)_at", "\(edge)_local"]
    }

    func set(
        in patch: inout Patch<Event>, of event: EventRecord?, at clock: EventClock, in town: Town,
        _ problems: inout FieldProblems
    ) {
        if given.isEmpty { return }
        let zone = town.zone(of: patch.applied(to: event?.value ?? Event()))
        let shown = event.map { $0.shownOccurrences(at: clock, in: town) } ?? []
        let keepsRule = event.map { !patch.fields.contains("rrule") || patch.values.rrule == $0.value.rrule } ?? false
        for edge in Self.edges {
            let path: WritableKeyPath<Event, LocalTime?> = edge == "starts" ? \.startsLocal : \.endsLocal
            var found: (name: String, time: LocalTime?)?
            for name in Self.names(of: edge) {
                guard let time = given[name] else { continue }
                let local = time.map(zone.localTime)
                if let event, event.shows(local, as: edge, shown, in: zone) { continue }
                if let found {
                    problems.require(
                        found.time.map(zone.localTime) == local, name,
                        "differs from \(found.name); leave one of them out")
                    continue
                }
                if !shown.isEmpty, keepsRule, !name.hasPrefix("series_") {
                    problems.add(
                        name,
                        "is that of an occurrence of a series; give series_\(name) to change the series, or overrides "
                            + "to move one occurrence")
                }
                found = (name, time)
            }
            guard let found else { continue }
            patch.values[keyPath: path] = found.time
            patch.fields.insert("\(edge)_local")
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

    /// Whether a response has a time as that of the event or of an occurrence: it is sent back, and changes nothing.
    fileprivate func shows(_ time: LocalTime?, as edge: String, _ shown: [Occurrence], in zone: TimeZone) -> Bool {
        let instants = ([single] + shown).map { edge == "starts" ? $0.startsAt : $0.endsAt }
        if time == (edge == "starts" ? value.startsLocal : value.endsLocal) { return true }
        return instants.contains { instant in
            let local = instant.map(zone.localTime(at:))
            return time == local || value.allDay && time == local?.withoutTime
        }
    }
}
