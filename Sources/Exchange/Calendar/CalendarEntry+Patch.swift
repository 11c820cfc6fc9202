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
        let zoneOfUTC = zoneOfSeries(start, in: town, zones, &warnings, find) ?? (hasSeries ? .utc : town)
        var clock = CalendarClock(of: start, in: town, zoneOfUTC: zoneOfUTC, zones, find: find)
        var patch = Patch<Event>()
        patch.fields = [
            "name", "starts_local", "ends_local", "all_day", "time_zone", "rrule", "exdates", "rdates", "overrides",
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
        var (event, ignored) = (patch.values, FieldProblems())
        event.settle(after: nil, in: clock.zone, &ignored)
        if let start = extraStart(of: event, &patch, clock.zone, &warnings) {
            event.rdates.append(start)
            patch.values.rdates.append(start)
        }
        // A rule that is not understood has a problem of its own.
        let isRead = patch.values.rrule.map { (try? RecurrenceRule($0)) != nil } ?? event.hasSeries
        if isRead, !isCancellation, event.recurrence(in: clock.zone)?.first == nil {
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
        set("url", \.url, link)
        set("organizer", \.organizer, host == nil ? organizer : nil)
        set("host", \.host, host)
        set("price", \.price, price)
        if let ownZone, find(ownZone) != nil { patch.values.timeZone = ownZone }
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
        func time(_ moment: CalendarMoment) -> LocalTime {
            isDays ? clock.day(namedBy: moment, calendar: calendar) : clock.local(moment)
        }
        patch.values.allDay = isDays
        patch.values.startsLocal = time(start)
        patch.values.endsLocal = clock.end(of: start, end, duration)
        patch.values.rrule = rrule.map { rule in
            isDays ? Self.rule(rule) { clock.text(ofLastDay: $0, calendar: calendar) } : rule
        }
        patch.values.rdates = rdates.map(time)
        let length = clock.length(from: patch.values.startsLocal, to: patch.values.endsLocal)
        var changes: [LocalTime: EventOverride] = [:]
        for change in overrides {
            var row = Self.row(change, at: time(change.original), length: length, isDays: isDays, &clock)
            // All occurrences of a cancelled event say so.
            if status == .cancelled { row.isCancelled = false }
            for (path, text, own) in [
                (\EventOverride.name, change.summary, summary), (\.description, change.description, description ?? ""),
                (\.location, change.location, words ?? ""),
            ] {
                if let text, !text.isEmpty, !text.hasSameBytes(as: own) { row[keyPath: path] = text }
            }
            // The last change of an occurrence counts.
            if let occurrence = row.occurrence { changes[clock.zone.localTime(occurrence)] = row }
        }
        patch.values.overrides = changes.values.filter(\.isChange).sorted(by: EventOverride.precedes)
        if !clock.isInTown, !clock.zone.name.isEmpty { patch.values.timeZone = clock.zone.name }
        guard patch.values.hasSeries else { return }
        patch.values.exdates = exdates.map(time)
    }

    private var hasSeries: Bool { rrule != nil || !rdates.isEmpty }

    private static func row(
        _ change: Override, at original: LocalTime, length: Int?, isDays: Bool, _ clock: inout CalendarClock
    ) -> EventOverride {
        var row = EventOverride()
        (row.occurrence, row.isCancelled) = (original, change.isCancelled)
        guard let start = change.start else { return row }
        let starts = change.isPeriod ? original : isDays ? clock.day(namedBy: start, calendar: nil) : clock.local(start)
        if clock.zone.localTime(starts) != clock.zone.localTime(original) { row.startsLocal = starts }
        if let ends = clock.end(of: start, change.end, change.duration), clock.length(from: starts, to: ends) != length
        {
            row.endsLocal = ends
        }
        return row
    }

    /// A rule that is not understood stays.
    ///
    /// - Parameter until: the last day for a value of `UNTIL`; nil when it stays.
    private static func rule(_ text: String, until: (CalendarMoment) -> String?) -> String {
        // A longer rule is refused.
        guard text.utf8.count <= 1000 else { return text }
        var parts = text.split(separator: ";").map(String.init)
        for index in parts.indices where parts[index].uppercased().hasPrefix("UNTIL=") {
            let moment = CalendarMoment(String(parts[index].dropFirst(6)).uppercased(), zoneName: nil)
            guard let last = moment.flatMap(until) else { continue }
            parts[index] = "UNTIL=\(last)"
        }
        return parts.joined(separator: ";")
    }
}

extension CalendarEntry {
    /// Where the start is not a day of its rule in UTC, the days are in the local time of the calendar or town; nil for
    /// UTC.
    private func zoneOfSeries(
        _ start: CalendarMoment, in town: TimeZone, _ zones: CalendarZones, _ warnings: inout FieldProblems,
        _ find: (String) -> TimeZone?
    ) -> TimeZone? {
        guard case .utc(let moment) = start, slugInURL == nil, let rrule, let rule = try? RecurrenceRule(rrule),
            !Self.hasStart(moment, rule, in: .utc)
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
        RecurrenceSeries(start: zone.localTime(at: start), end: nil, zone: zone, rule: rule).firstOfRule == start
    }

    /// Leaves out exceptions without an occurrence, with a warning. Returns a start that the rule lacks: an extra date.
    private func extraStart(
        of event: Event, _ patch: inout Patch<Event>, _ zone: TimeZone, _ warnings: inout FieldProblems
    ) -> LocalTime? {
        // Longer lists are refused.
        let lists = [event.exdates.count, event.rdates.count, event.overrides.count]
        guard slugInURL == nil, lists.allSatisfy({ $0 <= EventOverride.mostRows }), let start = event.startsLocal,
            let series = event.recurrence(in: zone, hasExceptions: false), !series.isEmpty
        else { return nil }
        func has(_ time: LocalTime) -> Bool { series.has(start: zone.instant(of: time)) }
        func names(_ times: [LocalTime]) -> String { times.map(\.label).listed(upTo: 5) }
        let left = event.exdates.filter { !has($0) && $0 != start }
        if !left.isEmpty {
            warnings.add("EXDATE", "\(names(left)) matches no occurrence and was ignored")
        }
        let moved = event.overrides.compactMap(\.occurrence).filter { !has($0) && $0 != start }
        if !moved.isEmpty {
            warnings.add("RECURRENCE-ID", "\(names(moved)) matches no occurrence; the changed occurrence was ignored")
        }
        let keepsStart = !event.exdates.contains(start)
        func isKept(_ time: LocalTime?) -> Bool { time.map { has($0) || keepsStart && $0 == start } ?? false }
        patch.values.exdates = zip(patch.values.exdates, event.exdates).filter { isKept($1) }.map(\.0)
        patch.values.overrides = zip(patch.values.overrides, event.overrides).filter { isKept($1.occurrence) }.map(\.0)
        // A rule without a date is no reason for another one.
        guard event.rrule != nil, series.firstOfRule != nil, !has(start) else { return nil }
        // It may have been left out.
        if event.exdates.contains(start) { return nil }
        warnings.add("DTSTART", "\(start.label) does not match RRULE; it was added as an extra date")
        return start
    }
}

extension CalendarClock {
    /// In microseconds; nil without an end.
    fileprivate func length(from start: LocalTime?, to end: LocalTime?) -> Int? {
        guard let start, let end else { return nil }
        if start.isDate, end.isDate { return end.clock.microseconds - start.clock.microseconds }
        return zone.instant(of: zone.localTime(end)).microseconds - zone.instant(of: zone.localTime(start)).microseconds
    }
}

extension LocalTime {
    /// `"2027-06-01 19:00"`.
    var label: String { "\"\(text.prefix(16).map { $0 == "T" ? " " : String($0) }.joined())\"" }
}

extension EventOverride {
    fileprivate var isChange: Bool {
        isCancelled || startsLocal != nil || endsLocal != nil || name != nil || description != nil || location != nil
    }
}
