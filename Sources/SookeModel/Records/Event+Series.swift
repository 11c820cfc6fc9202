import Bytes

/// An event in a series: it takes place several times, by a rule or on added dates.
extension Event {
    public static let longestOccurrence = 366

    /// The rule may be one that is not understood; see `recurrence(in:)`.
    public var hasSeries: Bool { rrule != nil || !rdates.isEmpty }

    /// The occurrences of the series.
    ///
    /// - Parameters:
    ///   - zone: the zone whose clocks count.
    ///   - hasExceptions: whether some are left out, moved or cancelled.
    /// - Returns: nil for an event that is not in a series. One with a rule that is not understood, because an earlier
    ///   or later version has stored it, or with a rule without an occurrence, counts as such.
    public func recurrence(in zone: TimeZone, hasExceptions: Bool = true) -> RecurrenceSeries? {
        guard hasSeries, let startsAt else { return nil }
        var rule: RecurrenceRule?
        if let rrule {
            rule = try? RecurrenceRule(rrule)
            guard rule != nil else { return nil }
        }
        var series = RecurrenceSeries(
            start: startsAt, end: endsAt, zone: zone, rule: rule, excluded: hasExceptions ? exdates : [],
            added: rdates, changes: hasExceptions ? overrides.compactMap(\.change) : [])
        let first = series.list(endingFrom: Timestamp.beginningOfTime, steps: .max) { _ in true }
        series.steps += first.steps
        return first.occurrences.isEmpty ? nil : series
    }

    /// Adds problems of the series. Whether its rule has an occurrence is tried for the dates that the start may have
    /// in any time zone.
    func checkSeries(_ problems: inout FieldProblems) {
        if !hasSeries {
            problems.require(exdates.isEmpty, "exdates", "need an rrule; only an event in a series has them")
            problems.require(overrides.isEmpty, "overrides", "need an rrule; only an event in a series has them")
        }
        guard hasSeries, let startsAt else { return }
        if let endsAt {
            let days = (endsAt.seconds - startsAt.seconds) / 86_400
            problems.require(
                days <= Self.longestOccurrence, "ends_at",
                "is \(days) days after starts_at; an event in a series lasts at most \(Self.longestOccurrence) days")
        }
        // Other problems of the rule have their own message.
        guard let rrule, let rule = try? RecurrenceRule(rrule) else { return }
        let tries = [0, -13, 13].lazy.map { hours in
            RecurrenceSeries(
                start: startsAt, end: nil, zone: TimeZone(name: "", fixedOffset: hours * 3600), rule: rule)
        }
        guard let series = tries.first(where: { $0.first != nil }) else {
            problems.add("rrule", "has no occurrence from starts_at on; change the rule or the start")
            return
        }
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
        exdates = exdates.compactMap { series.counterpart(of: $0, in: before) }
        overrides = overrides.compactMap { row in
            guard let start = row.occurrence.flatMap({ series.counterpart(of: $0, in: before) }) else { return nil }
            var moved = row
            moved.occurrence = start
            return moved
        }
    }
}

extension EventOverride {
    fileprivate var change: RecurrenceSeries.Change? {
        occurrence.map { .init(of: $0, startsAt: startsAt, endsAt: endsAt, isCancelled: isCancelled) }
    }
}
