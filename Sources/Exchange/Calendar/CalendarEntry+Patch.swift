import Bytes
import SookeModel

extension CalendarEntry {
    /// The event as fields of a record. A description and a place that the calendar does not give are not among them;
    /// the fields of its times and its series always are.
    ///
    /// - Parameters:
    ///   - slug: its slug; nil when it is made from the name.
    ///   - business: the business where it takes place, whose coordinates count.
    ///   - town: the time zone of the town.
    ///   - find: returns the zone of the tz database with a name.
    /// - Throws: its problems.
    func patch(
        slug: Slug? = nil, eventType: Slug? = nil, business: Slug? = nil, in town: TimeZone,
        find: @escaping (String) -> TimeZone?
    ) throws(FieldProblems) -> Patch<Event> {
        var found = FieldProblems()
        for problem in problems { found.add(problem.field, problem.message) }
        guard let start, found.isEmpty else { throw found }
        var clock = CalendarClock(of: start, in: town, find: find)
        var patch = Patch<Event>()
        patch.fields = [
            "name", "starts_at", "ends_at", "time_zone", "rrule", "exdates", "rdates", "overrides",
        ]
        patch.values.name = summary
        setTimes(&patch, start, &clock)
        if let name = clock.unknownZone {
            found.add(
                "TZID",
                "\"\(name.excerpt())\" is no time zone of the tz database; write one like \(town.name) in its place")
            throw found
        }
        func set<Value>(_ field: String, _ path: WritableKeyPath<Event, Value>, _ value: Value?) {
            guard let value else { return }
            patch.values[keyPath: path] = value
            patch.fields.insert(field)
        }
        set("slug", \.slug, slug)
        set("status", \.status, status)
        set("event_type", \.eventType, eventType)
        set("business", \.business, business)
        set("description", \.description, description)
        if business == nil, let coordinates {
            set("latitude", \.latitude, coordinates.latitude)
            set("longitude", \.longitude, coordinates.longitude)
        }
        return patch
    }

    /// Sets the times and the series.
    private func setTimes(_ patch: inout Patch<Event>, _ start: CalendarMoment, _ clock: inout CalendarClock) {
        let startsAt = clock.timestamp(of: start)
        let endsAt = clock.end(of: start, end, duration)
        (patch.values.startsAt, patch.values.endsAt) = (startsAt, endsAt)
        patch.values.rrule = rrule.map { Self.rule($0, &clock) }
        patch.values.rdates = rdates.map { clock.timestamp(of: $0) }
        let length = endsAt.map { $0.microseconds - startsAt.microseconds }
        var changes: [Timestamp: EventOverride] = [:]
        for change in overrides {
            var row = Self.row(change, length: length, &clock)
            // All occurrences of a cancelled event say so.
            if status == .cancelled { row.isCancelled = false }
            // The last change of an occurrence counts.
            if let occurrence = row.occurrence { changes[occurrence] = row }
        }
        patch.values.overrides = changes.values.filter(\.isChange).sorted { left, right in
            (left.occurrence?.microseconds ?? 0) < (right.occurrence?.microseconds ?? 0)
        }
        guard patch.values.hasSeries else { return }
        patch.values.exdates = exdates.map { clock.timestamp(of: $0) }
        if !clock.isInTown { patch.values.timeZone = clock.zone.name }
    }

    /// A change of an occurrence, without what stays as the series has it.
    private static func row(_ change: Override, length: Int?, _ clock: inout CalendarClock) -> EventOverride {
        var row = EventOverride()
        let original = clock.timestamp(of: change.original)
        (row.occurrence, row.isCancelled) = (original, change.isCancelled)
        guard let start = change.start else { return row }
        let startsAt = clock.timestamp(of: start)
        if startsAt != original { row.startsAt = startsAt }
        if let endsAt = clock.end(of: start, change.end, change.duration),
            endsAt.microseconds - startsAt.microseconds != length
        {
            row.endsAt = endsAt
        }
        return row
    }

    /// A rule whose `UNTIL` is a moment in UTC, or a date if it is the last second of that day. One that is not
    /// understood stays as it is.
    private static func rule(_ text: String, _ clock: inout CalendarClock) -> String {
        // A longer rule is refused.
        guard text.utf8.count <= 1000 else { return text }
        var parts = text.split(separator: ";").map(String.init)
        for index in parts.indices where parts[index].uppercased().hasPrefix("UNTIL=") {
            guard let moment = CalendarMoment(String(parts[index].dropFirst(6)).uppercased(), zoneName: nil),
                case .local = moment
            else { continue }
            parts[index] = "UNTIL=\(clock.timestamp(of: moment).basicText)"
        }
        let text = parts.joined(separator: ";")
        guard var rule = try? RecurrenceRule(text), case .moment(let moment) = rule.end else { return text }
        let local = clock.zone.localDate(at: moment)
        guard local.secondsOfDay == 86_399, 0...9999 ~= local.date.year else { return text }
        rule.end = .date(local.date)
        return rule.text
    }
}

extension EventOverride {
    fileprivate var isChange: Bool { isCancelled || startsAt != nil || endsAt != nil }
}
