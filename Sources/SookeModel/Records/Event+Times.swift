import Bytes
import JSON

/// The times of an event: what people wrote, and the instants that follow from it.
extension Event {
    public func withoutDerived(_ given: FieldSet<Event>) -> FieldSet<Event> {
        var derived: FieldSet<Event> = ["over_at"]
        if given.contains("starts_local"), startsLocal != nil { derived.insert("starts_at") }
        // Without an end beside a start there is none.
        let isStart = given.contains("starts_local") && startsLocal != nil
        if given.contains("ends_local"), endsLocal != nil || isStart { derived.insert("ends_at") }
        return given.subtracting(derived)
    }

    /// A start without a time means whole days.
    public mutating func derive(from given: FieldSet<Event>, since before: Event) {
        if given.contains("starts_local"), !given.contains("all_day"), startsLocal?.isDate == true { allDay = true }
    }

    /// Makes local times of its zone from what was given, and instants from those.
    ///
    /// What was given has an offset if it is an instant. A start or end that was given as `startsAt` or `endsAt` alone
    /// counts, too. Times that are as they were before are not read again.
    public mutating func settle(after existing: Event?, in zone: TimeZone, _ problems: inout FieldProblems) {
        if startsLocal == existing?.startsLocal, startsAt != existing?.startsAt {
            startsLocal = startsAt.map(LocalTime.init(instant:))
        }
        if endsLocal == existing?.endsLocal, endsAt != existing?.endsAt {
            endsLocal = endsAt.map(LocalTime.init(instant:))
        }
        let known = existing?.localTimes ?? []
        changeLocalTimes { known.contains($0) ? $0 : zone.localTime($0) }
        if rrule?.hasSameBytes(as: existing?.rrule ?? "") != true { rrule = rrule.map { Self.localRule($0, in: zone) } }
        if allDay { settleDays(&problems) } else { settleClocks(&problems) }
        for (field, local) in [("starts_at", startsLocal), ("ends_at", endsLocal)] {
            guard let local, !known.contains(local), let next = zone.replacement(of: local) else { continue }
            problems.add(
                field,
                "\(local.text) does not exist in \(zone.name), where clocks go forward; the next time is \(next.text)")
        }
        deriveInstants(in: zone)
    }

    /// Adds problems of exceptions that match no date, and were not there before.
    public func checkExceptions(after existing: Event?, in zone: TimeZone, _ problems: inout FieldProblems) {
        let known = Set((existing?.exdates ?? []) + (existing?.overrides ?? []).compactMap(\.occurrence))
        let given =
            exdates.enumerated().map { ("exdates[\($0)]", $1) }
            + overrides.enumerated().compactMap { index, row in
                row.occurrence.map { ("overrides[\(index)].occurrence", $0) }
            }
        let added = given.filter { !known.contains($0.1) }
        guard !added.isEmpty, let series = recurrence(in: zone, hasExceptions: false) else { return }
        for (field, time) in added where !series.has(start: zone.instant(of: time)) {
            problems.add(field, "matches no date of the series")
        }
    }

    public mutating func deriveInstants(in zone: TimeZone) {
        (startsAt, endsAt, overAt) = (nil, nil, nil)
        guard let startsLocal else { return }
        startsAt = zone.instant(of: startsLocal)
        if allDay {
            (endsAt, overAt) = zone.end(ofDay: (endsLocal ?? startsLocal).date)
        } else if let endsLocal {
            endsAt = zone.instant(of: endsLocal)
        } else {
            overAt = zone.nextMorning(after: startsLocal)
        }
    }

    /// With the local times of an event that has only instants, as in format 3, and with the instants of its zone; nil
    /// if it has these.
    public func settled(in zone: TimeZone) -> Event? {
        var event = self
        if startsLocal == nil, let startsAt {
            (event.startsLocal, event.endsLocal) = (LocalTime(instant: startsAt), endsAt.map(LocalTime.init(instant:)))
            // At the ends of the calendar a zone may lead out of it, here and below.
            event.changeLocalTimes { zone.localTime($0).clamped }
            event.rrule = rrule.map { Self.localRule($0, in: zone) }
        }
        event.deriveInstants(in: zone)
        (event.startsAt, event.endsAt) = (event.startsAt?.clamped, event.endsAt?.clamped)
        return event == self ? nil : event
    }

    /// As format 3 had it, for an event that was read from it and not settled: its lists have instants.
    public var writtenInFormat3: [UInt8] {
        func write(_ name: StaticString, _ times: [LocalTime], to writer: inout JSONWriter) {
            writer.key(name)
            writer.beginArray()
            for time in times { writer.string((time.instant ?? time.clock).rfc3339) }
            writer.endArray()
        }
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        let before = FieldSet<Event>.all.subtracting(Self.inFormat4).subtracting(Self.afterLists)
        writeFields(before, to: &writer)
        if !exdates.isEmpty { write("exdates", exdates, to: &writer) }
        if !rdates.isEmpty { write("rdates", rdates, to: &writer) }
        if !overrides.isEmpty {
            writer.key("overrides")
            writer.beginArray()
            for row in overrides {
                writer.beginObject()
                writer.member("occurrence", row.occurrence?.instant)
                writer.member("starts_at", row.startsLocal?.instant)
                writer.member("ends_at", row.endsLocal?.instant)
                writer.member("is_cancelled", row.isCancelled)
                writer.endObject()
            }
            writer.endArray()
        }
        writeFields(Self.afterLists, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private static let inFormat4: FieldSet<Event> = [
        "location", "url", "host", "organizer", "price", "starts_local", "ends_local", "all_day", "over_at", "exdates",
        "rdates", "overrides",
    ]
    private static let afterLists: FieldSet<Event> = ["status", "reason", "former_slugs", "pending_slug"]

    private var localTimes: Set<LocalTime> {
        var (all, copy) = (Set<LocalTime>(), self)
        copy.changeLocalTimes { time in
            all.insert(time)
            return time
        }
        return all
    }

    private mutating func changeLocalTimes(_ change: (LocalTime) -> LocalTime) {
        startsLocal = startsLocal.map(change)
        endsLocal = endsLocal.map(change)
        exdates = exdates.map(change)
        rdates = rdates.map(change)
        for index in overrides.indices {
            overrides[index].occurrence = overrides[index].occurrence.map(change)
            overrides[index].startsLocal = overrides[index].startsLocal.map(change)
            overrides[index].endsLocal = overrides[index].endsLocal.map(change)
        }
    }

    /// An `UNTIL` in UTC is a local time here. A rule that is not understood stays.
    private static func localRule(_ text: String, in zone: TimeZone) -> String {
        guard var rule = try? RecurrenceRule(text), case .time(let time) = rule.end, time.offset != nil else {
            return text
        }
        let local = zone.localTime(time).withoutOffset
        rule.end = local.secondsOfDay == 86_399 ? .date(local.date) : .time(local)
        return rule.text
    }

    /// Days begin at midnight, and end at 23:59 or, as calendars write it, with the midnight after them.
    private mutating func settleDays(_ problems: inout FieldProblems) {
        func first(_ time: LocalTime, _ field: String, _ problems: inout FieldProblems) -> LocalTime {
            problems.require(
                time.secondsOfDay == 0, field, "must be a date, or midnight, for an event that lasts whole days")
            return time.withoutTime
        }
        func last(_ time: LocalTime, from start: LocalTime?, _ field: String, _ problems: inout FieldProblems)
            -> LocalTime
        {
            if time.isDate || time.secondsOfDay / 60 == 1439 { return time.withoutTime }
            problems.require(
                time.secondsOfDay == 0, field, "must be a date, 23:59 or midnight, for an event that lasts whole days")
            return start.map { $0.date < time.date } == true ? LocalTime(time.date.advanced(by: -1)) : time.withoutTime
        }
        startsLocal = startsLocal.map { first($0, "starts_at", &problems) }
        endsLocal = endsLocal.map { last($0, from: startsLocal, "ends_at", &problems) } ?? startsLocal
        exdates = exdates.map(\.withoutTime)
        rdates = rdates.map(\.withoutTime)
        for index in overrides.indices {
            let field = "overrides[\(index)]"
            var row = overrides[index]
            row.occurrence = row.occurrence?.withoutTime
            row.startsLocal = row.startsLocal.map { first($0, field + ".starts_local", &problems) }
            row.endsLocal = row.endsLocal.map {
                last($0, from: row.startsLocal ?? row.occurrence, field + ".ends_local", &problems)
            }
            overrides[index] = row
        }
    }

    /// A date of a series without a time has that of the start.
    private mutating func settleClocks(_ problems: inout FieldProblems) {
        for (field, time) in [("starts_at", startsLocal), ("ends_at", endsLocal)] where time?.isDate == true {
            problems.add(field, "needs a time, such as 19:00, unless all_day is true")
        }
        guard let start = startsLocal else { return }
        func timed(_ time: LocalTime) -> LocalTime {
            time.isDate ? LocalTime(time.date, secondsOfDay: start.secondsOfDay) : time
        }
        exdates = exdates.map(timed)
        rdates = rdates.map(timed)
        for index in overrides.indices {
            overrides[index].occurrence = overrides[index].occurrence.map(timed)
            overrides[index].startsLocal = overrides[index].startsLocal.map(timed)
        }
    }
}

extension TimeZone {
    /// The last minute of a day, as apps show its end, and when it is over.
    func end(ofDay date: CivilDate) -> (shown: Timestamp, over: Timestamp) {
        (moment(of: date, secondsOfDay: 86_340).clamped, start(of: date.advanced(by: 1)).clamped)
    }
}
