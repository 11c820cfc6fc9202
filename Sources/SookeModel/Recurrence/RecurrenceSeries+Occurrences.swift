import Bytes

extension RecurrenceSeries {
    /// The occurrences that end at or after a moment, by start, from a lazy sequence.
    func occurrences(endingFrom moment: Timestamp) -> OccurrenceSequence {
        OccurrenceSequence(self, endingFrom: moment)
    }

    /// The first occurrence that ends at or after a moment: the next one, or one in progress. One that is cancelled does
    /// not count.
    public func next(at moment: Timestamp) -> Occurrence? {
        occurrences(endingFrom: moment).first { !$0.isCancelled }
    }

    /// The first occurrence, cancelled or not; nil when there is none.
    public var first: Occurrence? {
        occurrences(endingFrom: Timestamp(microseconds: .min)).first { _ in true }
    }

    /// The first start that the rule gives, even if it is left out; nil without a rule.
    public var firstOfRule: Timestamp? {
        guard let pattern else { return nil }
        var days = RecurrenceDays(of: pattern, from: pattern.startDay, through: lastDay)
        return days.next().map(moment(on:))
    }

    /// The occurrences that were moved or cancelled, or that have a duration of their own.
    public var changed: [Occurrence] { extras.filter { $0 != occurrence(at: $0.original) } }

    /// The last occurrence that starts before a moment. One that is cancelled does not count.
    public func last(before moment: Timestamp) -> Occurrence? {
        let extra = extras.last { $0.startsAt < moment && !$0.isCancelled }
        let plain = lastPlain(before: moment)
        guard let extra, let plain else { return extra ?? plain }
        return Occurrence.precedes(extra, plain) ? plain : extra
    }

    private func lastPlain(before moment: Timestamp) -> Occurrence? {
        guard let pattern else { return nil }
        let day = zone.localDate(at: moment).date.daysSinceEpoch + 1
        var days = RecurrenceDays(of: pattern, backFrom: min(day, lastDay ?? .max))
        while let day = days.next() {
            if let plain = plainOccurrence(on: day), plain.startsAt < moment { return plain }
        }
        return nil
    }

    /// The last occurrence; nil when the rule does not end, or there is none. One that is cancelled does not count,
    /// unless all are.
    public var last: Occurrence? {
        guard pattern == nil || lastDay != nil else { return nil }
        return last(before: .endOfCalendar) ?? extras.last
    }

    /// The occurrence that stands for the event at a moment: the next one or one in progress, else the last one.
    public func representative(at moment: Timestamp) -> Occurrence? {
        next(at: moment) ?? last
    }

    /// The occurrences in a range, by start, cancelled ones included.
    ///
    /// - Parameters:
    ///   - range: an occurrence is in it when it begins in it, or is in progress at its start.
    ///   - limit: the most occurrences.
    /// - Returns: the occurrences, and whether there are more.
    public func occurrences(in range: Range<Timestamp>, limit: Int) -> (found: [Occurrence], isCut: Bool) {
        var found: [Occurrence] = []
        for occurrence in occurrences(endingFrom: range.lowerBound) {
            guard occurrence.startsAt < range.upperBound else { break }
            guard occurrence.isIn(range) else { continue }
            if found.count == limit { return (found, true) }
            found.append(occurrence)
        }
        return (found, false)
    }
}

extension Occurrence {
    /// Whether it begins in a range, or is in progress at its start. One that ends at the start is not in it.
    public func isIn(_ range: Range<Timestamp>) -> Bool {
        startsAt < range.upperBound && (startsAt >= range.lowerBound || effectiveEnd > range.lowerBound)
    }
}

/// The occurrences of a series that end at or after a moment, by start.
struct OccurrenceSequence: Sequence, IteratorProtocol {
    private let series: RecurrenceSeries
    private let moment: Timestamp
    private var days: RecurrenceDays?
    private var plain: Occurrence?
    private var extras: ArraySlice<Occurrence>
    private var lastStart: Timestamp?

    init(_ series: RecurrenceSeries, endingFrom moment: Timestamp) {
        self.series = series
        self.moment = moment
        extras = series.extras.filter { $0.effectiveEnd >= moment }[...]
        if let pattern = series.pattern {
            // A day earlier, because the zone may have skipped one.
            let (earliest, overflow) = moment.microseconds.subtractingReportingOverflow(series.duration ?? 0)
            let begin = Timestamp(microseconds: overflow ? .min : earliest).advanced(bySeconds: 0)
            let day = series.zone.localDate(at: begin).date.daysSinceEpoch - 1
            days = RecurrenceDays(of: pattern, from: day, through: series.lastDay)
            plain = nextPlain()
        }
    }

    mutating func next() -> Occurrence? {
        if let extra = extras.first, plain.map({ Occurrence.precedes(extra, $0) }) ?? true {
            extras.removeFirst()
            return extra
        }
        defer { plain = plain == nil ? nil : nextPlain() }
        return plain
    }

    private mutating func nextPlain() -> Occurrence? {
        while let day = days?.next() {
            // Two days have the same start where the zone skips one of them.
            guard let found = series.plainOccurrence(on: day), found.effectiveEnd >= moment,
                found.startsAt != lastStart
            else { continue }
            lastStart = found.startsAt
            return found
        }
        return nil
    }
}
