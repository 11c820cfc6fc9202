import Bytes

/// An event in a series: it takes place several times, by a rule or on added dates.
extension Event {
    public static let longestOccurrence = 366

    /// The rule may be one that is not understood; see `recurrence(in:)`.
    public var hasSeries: Bool { rrule != nil || !rdates.isEmpty }

    /// The occurrences of the series by the clocks of a zone; without `hasExceptions` none is left out, moved or
    /// cancelled. Nil for an event that is not in a series, or with a rule of an earlier or later version that is not
    /// understood. A series may have no occurrence that is left.
    public func recurrence(in zone: TimeZone, hasExceptions: Bool = true) -> RecurrenceSeries? {
        guard hasSeries else { return nil }
        guard let startsLocal else {
            return startsAt == nil ? nil : settled(in: zone)?.recurrence(in: zone, hasExceptions: hasExceptions)
        }
        var rule: RecurrenceRule?
        if let rrule {
            rule = try? RecurrenceRule(rrule)
            guard rule != nil else { return nil }
        }
        var changes: [RecurrenceSeries.Change] = []
        if hasExceptions {
            changes = overrides.enumerated().compactMap { $0.element.change(in: zone, isDay: allDay, $0.offset) }
        }
        var series = RecurrenceSeries(
            start: startsLocal, end: endsLocal.map(zone.instant), days: days, zone: zone, rule: rule,
            excluded: hasExceptions ? exdates.map(zone.instant) : [], added: rdates.map(zone.instant), changes: changes)
        let first = series.list(endingFrom: Timestamp.beginningOfTime, steps: .max) { _ in true }
        (series.steps, series.isEmpty) = (series.steps + first.steps, first.occurrences.isEmpty)
        return series
    }

    /// How many whole days it lasts; nil when it has a time.
    private var days: Int? {
        firstDays.map { $0.upperBound.daysSinceEpoch - $0.lowerBound.daysSinceEpoch + 1 }
    }

    private var firstDays: ClosedRange<CivilDate>? {
        allDay ? startsLocal.map { $0.date...(endsLocal ?? $0).date } : nil
    }

    /// Its only occurrence, or that with which its series begins; nil for one without a start.
    public var first: Occurrence? {
        startsAt.map { Occurrence(startsAt: $0, endsAt: endsAt, overAt: overAt, days: firstDays) }
    }

    /// What of an occurrence is not as in the other ones.
    public func override(of occurrence: Occurrence) -> EventOverride? {
        occurrence.override.flatMap { overrides.indices.contains($0) ? overrides[$0] : nil }
    }

    /// Adds problems of the series, whose dates are the same in every time zone.
    func checkSeries(_ problems: inout FieldProblems) {
        if !hasSeries {
            problems.require(exdates.isEmpty, "exdates", "need an rrule; only an event in a series has them")
            problems.require(overrides.isEmpty, "overrides", "need an rrule; only an event in a series has them")
        }
        guard hasSeries, let startsLocal else { return }
        if let endsLocal {
            let days = (endsLocal.clock.seconds - startsLocal.clock.seconds) / 86_400
            problems.require(
                days <= Self.longestOccurrence, "ends_at",
                "is \(days) days after starts_at; an event in a series lasts at most \(Self.longestOccurrence) days")
        }
        // Other problems of the rule have their own message.
        guard let rrule, let rule = try? RecurrenceRule(rrule) else { return }
        let series = RecurrenceSeries(
            start: startsLocal.withoutOffset, end: nil, zone: TimeZone(name: "", fixedOffset: 0), rule: rule)
        problems.require(
            series.first != nil, "rrule", "has no occurrence from starts_at on; change the rule or the start")
        problems.require(
            !series.isCutShort, "rrule", "has a COUNT that takes more than a thousand years; use UNTIL or a lower COUNT"
        )
    }

    /// Moves the exceptions of a series with it, after a change of its start, rule or zone.
    ///
    /// An excluded or changed occurrence that the new series does not have is now that of the same day on the clocks,
    /// or of the day as far from it as the new start is from the old one. Without one it is removed. Added dates stay.
    public mutating func moveExceptions(of old: Event, in oldZone: TimeZone, to zone: TimeZone) {
        if exdates.isEmpty, overrides.isEmpty { return }
        guard let before = old.recurrence(in: oldZone, hasExceptions: false),
            let series = recurrence(in: zone, hasExceptions: false)
        else {
            (exdates, overrides) = ([], [])
            return
        }
        func moved(_ time: LocalTime) -> LocalTime? {
            series.counterpart(of: oldZone.instant(of: time), in: before).map { start in
                allDay ? zone.localTime(at: start).withoutTime : zone.localTime(at: start)
            }
        }
        exdates = exdates.compactMap(moved)
        overrides = overrides.compactMap { row in
            guard let start = row.occurrence.flatMap(moved) else { return nil }
            var row = row
            row.occurrence = start
            return row
        }
    }
}

extension EventOverride {
    fileprivate func change(in zone: TimeZone, isDay: Bool, _ index: Int) -> RecurrenceSeries.Change? {
        occurrence.map { occurrence in
            .init(
                of: zone.instant(of: occurrence), startsAt: startsLocal.map(zone.instant),
                endsAt: endsLocal.map { isDay ? zone.end(ofDay: $0.date).shown : zone.instant(of: $0) },
                isCancelled: isCancelled, override: index)
        }
    }
}
