import Bytes
import SookeModel

extension CalendarEntry {
    func patch(
        slug: Slug? = nil, in town: TimeZone, _ zones: CalendarZones, _ warnings: inout FieldProblems,
        find: @escaping (String) -> TimeZone?
    ) throws(FieldProblems) -> Patch<Event> {
        var found = FieldProblems()
        for problem in problems { found.add(problem.field, problem.message) }
        guard let start, found.isEmpty else { throw found }
        let zoneOfUTC = zoneOfSeries(start, in: town, zones, &warnings, find)
        var clock = CalendarClock(of: start, in: town, zoneOfUTC: zoneOfUTC, zones, find: find)
        var patch = Patch<Event>()
        patch.fields = [
            "name", "starts_at", "ends_at", "time_zone", "rrule", "exdates", "rdates", "overrides",
        ]
        patch.values.name = summary
        let calendar = calendarZone.flatMap { zones.zone(named: $0, in: town, find) }
        setTimes(&patch, start, &clock, calendar)
        if let name = clock.unknownZone {
            let unknown = "unknown time zone \"\(name.excerpt())\""
            guard name.hasSameBytes(as: calendarZone ?? "") else {
                found.add("TZID", "\(unknown); write one like \(town.name) in its place")
                throw found
            }
            warnings.add("X-WR-TIMEZONE", "\(unknown); times without a zone are those of the town")
        }
        if clock.zone.name.isEmpty {
            let name = (start.zoneName ?? "").excerpt()
            guard !patch.values.hasSeries else {
                found.add(
                    "TZID",
                    "\"\(name)\" is defined in the file, and no known time zone has the same clocks; a "
                        + "series needs one like \(town.name)")
                throw found
            }
            warnings.add(
                "TZID",
                "unknown time zone \"\(name)\"; the times are those of its definition in the file")
        }
        if let series = checkSeries(&patch, clock.zone, &warnings) { patch.values.rdates = series }
        // A rule that is not understood has a problem of its own.
        let isRead = patch.values.rrule.map { (try? RecurrenceRule($0)) != nil } ?? patch.values.hasSeries
        if isRead, !isCancellation, patch.values.recurrence(in: clock.zone)?.first == nil {
            found.add("", "has no date: its series ends before it begins, or all its dates are left out")
            throw found
        }
        func set<Value>(_ field: String, _ path: WritableKeyPath<Event, Value>, _ value: Value?) {
            guard let value else { return }
            patch.values[keyPath: path] = value
            patch.fields.insert(field)
        }
        set("slug", \.slug, slug)
        set("status", \.status, status)
        set("description", \.description, description)
        if let coordinates {
            set("latitude", \.latitude, coordinates.latitude)
            set("longitude", \.longitude, coordinates.longitude)
        }
        return patch
    }

    private func setTimes(
        _ patch: inout Patch<Event>, _ start: CalendarMoment, _ clock: inout CalendarClock, _ calendar: TimeZone?
    ) {
        var isDays = false
        if case .date = start { isDays = true }
        func moment(_ moment: CalendarMoment) -> Timestamp {
            isDays ? clock.timestamp(ofDayNamedBy: moment, calendar: calendar) : clock.timestamp(of: moment)
        }
        let startsAt = clock.timestamp(of: start)
        let endsAt = clock.end(of: start, end, duration)
        (patch.values.startsAt, patch.values.endsAt) = (startsAt, endsAt)
        let zone = clock.zone
        patch.values.rrule = rrule.map { rule in
            Self.rule(rule, in: zone) { moment in
                if isDays { return clock.text(ofLastDay: moment, calendar: calendar) }
                if case .local = moment { return clock.timestamp(of: moment).basicText }
                return nil
            }
        }
        patch.values.rdates = rdates.map(moment)
        let length = endsAt.map { $0.microseconds - startsAt.microseconds }
        var changes: [Timestamp: EventOverride] = [:]
        for change in overrides {
            var row = Self.row(change, at: moment(change.original), length: length, &clock)
            // All occurrences of a cancelled event say so.
            if status == .cancelled { row.isCancelled = false }
            // The last change of an occurrence counts.
            if let occurrence = row.occurrence { changes[occurrence] = row }
        }
        patch.values.overrides = changes.values.filter(\.isChange).sorted { left, right in
            (left.occurrence?.microseconds ?? 0) < (right.occurrence?.microseconds ?? 0)
        }
        guard patch.values.hasSeries else { return }
        patch.values.exdates = exdates.map(moment)
        if !clock.isInTown { patch.values.timeZone = clock.zone.name }
    }

    private static func row(
        _ change: Override, at original: Timestamp, length: Int?, _ clock: inout CalendarClock
    ) -> EventOverride {
        var row = EventOverride()
        (row.occurrence, row.isCancelled) = (original, change.isCancelled)
        guard let start = change.start else { return row }
        let startsAt = change.isPeriod ? original : clock.timestamp(of: start)
        if startsAt != original { row.startsAt = startsAt }
        if let endsAt = clock.end(of: start, change.end, change.duration),
            endsAt.microseconds - startsAt.microseconds != length
        {
            row.endsAt = endsAt
        }
        return row
    }

    /// A rule that is not understood stays.
    ///
    /// - Parameter until: the value of `UNTIL`; nil when it stays.
    private static func rule(
        _ text: String, in zone: TimeZone, until: (CalendarMoment) -> String?
    ) -> String {
        // A longer rule is refused.
        guard text.utf8.count <= 1000 else { return text }
        var parts = text.split(separator: ";").map(String.init)
        for index in parts.indices where parts[index].uppercased().hasPrefix("UNTIL=") {
            let moment = CalendarMoment(String(parts[index].dropFirst(6)).uppercased(), zoneName: nil)
            guard let last = moment.flatMap(until) else { continue }
            parts[index] = "UNTIL=\(last)"
        }
        let text = parts.joined(separator: ";")
        guard var rule = try? RecurrenceRule(text), case .moment(let moment) = rule.end else { return text }
        let local = zone.localDate(at: moment)
        guard local.secondsOfDay == 86_399, 0...9999 ~= local.date.year else { return text }
        rule.end = .date(local.date)
        return rule.text
    }
}

// MARK: - Series

extension CalendarEntry {
    /// Where the start is none of the days of its rule in UTC, the days are those of the clocks of the calendar or of
    /// the town; nil for UTC.
    private func zoneOfSeries(
        _ start: CalendarMoment, in town: TimeZone, _ zones: CalendarZones, _ warnings: inout FieldProblems,
        _ find: (String) -> TimeZone?
    ) -> TimeZone? {
        guard case .utc(let moment) = start, slugInURL == nil, let rrule, let rule = try? RecurrenceRule(rrule),
            !Self.hasStart(moment, rule, in: TimeZone(name: "UTC", fixedOffset: 0))
        else { return nil }
        let calendar = calendarZone.flatMap { zones.zone(named: $0, in: town, find) }
        guard let zone = [calendar, town].compactMap(\.self).first(where: { Self.hasStart(moment, rule, in: $0) }),
            !zone.name.isEmpty
        else { return nil }
        if zone.name != calendar?.name {
            warnings.add("RRULE", "has days that the start in UTC is not on; they are read as days in \(zone.name)")
        }
        return zone
    }

    private static func hasStart(_ start: Timestamp, _ rule: RecurrenceRule, in zone: TimeZone) -> Bool {
        RecurrenceSeries(start: start, end: nil, zone: zone, rule: rule).firstOfRule == start
    }

    /// Warns of exceptions without an occurrence. Returns the added dates with a start that the rule does not have.
    private func checkSeries(
        _ patch: inout Patch<Event>, _ zone: TimeZone, _ warnings: inout FieldProblems
    ) -> [Timestamp]? {
        // Longer lists are refused.
        let lists = [patch.values.exdates.count, patch.values.rdates.count, patch.values.overrides.count]
        guard slugInURL == nil, lists.allSatisfy({ $0 <= EventOverride.mostRows }), let start = patch.values.startsAt,
            let series = patch.values.recurrence(in: zone, hasExceptions: false)
        else { return nil }
        func names(_ moments: [Timestamp]) -> String {
            moments.map(zone.label(of:)).listed(upTo: 5)
        }
        let left = patch.values.exdates.filter { !series.has(start: $0) && $0 != start }
        if !left.isEmpty {
            warnings.add("EXDATE", "\(names(left)) matches no occurrence and was ignored")
        }
        let moved = patch.values.overrides.compactMap(\.occurrence).filter { !series.has(start: $0) && $0 != start }
        if !moved.isEmpty {
            warnings.add("RECURRENCE-ID", "\(names(moved)) matches no occurrence; the changed occurrence was ignored")
        }
        guard patch.values.rrule != nil, !series.has(start: start) else { return nil }
        // It may have been left out.
        if patch.values.exdates.contains(start) { return nil }
        warnings.add(
            "DTSTART", "\(zone.label(of: start)) does not match RRULE; it was added as an extra date")
        return patch.values.rdates + [start]
    }
}

extension TimeZone {
    /// `"2027-06-01 19:00"`.
    func label(of moment: Timestamp) -> String {
        let local = localDate(at: moment)
        let minutes = local.secondsOfDay / 60
        let clock = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\"\(local.date.text) \(clock)\""
    }
}

extension EventOverride {
    fileprivate var isChange: Bool { isCancelled || startsAt != nil || endsAt != nil }
}
