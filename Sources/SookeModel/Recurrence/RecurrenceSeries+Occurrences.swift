import Bytes

extension RecurrenceSeries {
    func occurrences(endingFrom moment: Timestamp) -> OccurrenceSequence {
        OccurrenceSequence(self, endingFrom: moment)
    }

    /// Some of the occurrences that end at or after an instant, by start, continuing a list: until one is enough.
    public func list(
        endingFrom moment: Timestamp, after list: OccurrenceList? = nil, steps: Int,
        until isEnough: (Occurrence) -> Bool
    ) -> OccurrenceList {
        var result = list ?? OccurrenceList(from: moment)
        var sequence = OccurrenceSequence(self, endingFrom: result.from, after: list?.through, steps: steps)
        let known = result.occurrences.filter { $0.startsAt == result.through }
        while let occurrence = sequence.next() {
            if known.contains(occurrence) { continue }
            result.occurrences.append(occurrence)
            result.through = occurrence.startsAt
            if isEnough(occurrence) { break }
        }
        if let end = sequence.end { result.through = max(result.through, end) }
        result.steps = sequence.steps
        return result
    }

    /// The first occurrence that ends at or after a time: the next one, or one in progress; not one that is cancelled.
    public func next(at moment: Timestamp) -> Occurrence? {
        occurrences(endingFrom: moment).first { !$0.isCancelled }
    }

    public var first: Occurrence? {
        occurrences(endingFrom: Timestamp.beginningOfTime).first { _ in true }
    }

    /// The occurrences that were moved or cancelled, or that have a duration of their own.
    public var changed: [Occurrence] { extras.filter { $0 != occurrence(at: $0.original) } }

    /// The last occurrence that starts before a time. One that is cancelled does not count.
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

    /// The last occurrence that is not cancelled, or of all if all are; nil when the rule does not end, or without any.
    public var last: Occurrence? {
        guard pattern == nil || lastDay != nil else { return nil }
        return last(before: .endOfCalendar) ?? extras.last
    }

    /// The occurrence that represents the event at a time: the next one or one in progress, else the last one.
    public func representative(at moment: Timestamp) -> Occurrence? {
        next(at: moment) ?? last
    }

    /// The occurrences in a range, or in progress at its start, cancelled ones included, and whether there are more.
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

/// The names of dates in addresses: the day on which the series has an occurrence, even if that was moved, with the
/// time where a day has two.
extension RecurrenceSeries {
    public func name(of occurrence: Occurrence) -> String {
        let (date, seconds) = zone.localDate(at: occurrence.original)
        // Only added dates make two of a day.
        if extras.isEmpty || occurrences(of: date).count < 2 { return date.text }
        let clock = LocalTime(date, secondsOfDay: seconds).text.utf8.dropFirst(11).filter(ASCII.isDigit)
        return date.text + "T" + String(decoding: clock, as: UTF8.self)
    }

    /// A day alone means its first occurrence.
    public func occurrence(named name: String) -> Occurrence? {
        let found = Self.day(in: name).map(occurrences) ?? []
        return name.utf8.count == 10 ? found.first : found.first { self.name(of: $0).hasSameBytes(as: name) }
    }

    /// What was moved to a day.
    public func occurrence(movedTo name: String) -> Occurrence? {
        guard let day = Self.day(in: name), name.utf8.count == 10 else { return nil }
        return extras.first { $0.isMoved && zone.localDate(at: $0.startsAt).date == day }
    }

    private static func day(in name: String) -> CivilDate? { CivilDate(String(Substring(name.utf8.prefix(10)))) }

    private func occurrences(of date: CivilDate) -> [Occurrence] {
        var steps = 0
        // A time that clocks skip may be shown as one of the day after.
        let starts = pattern == nil ? [] : Set((date.daysSinceEpoch - 1...date.daysSinceEpoch).map(moment))
        return (starts.filter { isInRule($0, &steps) }.map(occurrence) + extras)
            .filter { zone.localDate(at: $0.original).date == date }.sorted { $0.original < $1.original }
    }
}

extension Occurrence {
    /// Whether it begins in a range, or is in progress at its start. One that is over at the start is not in it.
    public func isIn(_ range: Range<Timestamp>) -> Bool {
        startsAt < range.upperBound && (startsAt >= range.lowerBound || overAt > range.lowerBound)
    }
}

/// Some consecutive occurrences of a series, cancelled ones included.
public struct OccurrenceList: Sendable {
    /// They end at or after this time.
    public let from: Timestamp
    /// All that start before this time are in the list.
    public internal(set) var through = Timestamp.beginningOfTime
    public internal(set) var occurrences: [Occurrence] = []
    /// How many months and days had to be looked at to make or continue the list; one takes a few nanoseconds.
    public internal(set) var steps = 0

    init(from moment: Timestamp) { from = moment }

    /// The same from a list; nil when the list does not tell.
    public func occurrences(in range: Range<Timestamp>, limit: Int) -> (found: [Occurrence], isCut: Bool)? {
        guard range.lowerBound >= from else { return nil }
        var found: [Occurrence] = []
        for occurrence in occurrences where occurrence.isIn(range) {
            if found.count == limit { return (found, true) }
            found.append(occurrence)
        }
        return through >= range.upperBound ? (found, false) : nil
    }

    /// The first part of the list, so that it is not longer than some occurrences.
    public func prefix(_ count: Int) -> OccurrenceList {
        guard occurrences.count > count else { return self }
        var list = self
        list.occurrences.removeSubrange(count...)
        list.through = list.occurrences.last?.startsAt ?? from
        return list
    }
}

/// The occurrences of a series that end at or after a time, by start.
struct OccurrenceSequence: Sequence, IteratorProtocol {
    private let series: RecurrenceSeries
    private let moment: Timestamp
    private var days: RecurrenceDays?
    private var plain: Occurrence?
    private var extras: ArraySlice<Occurrence>
    private var lastStart: Timestamp?

    private var isAtEnd = false

    init(_ series: RecurrenceSeries, endingFrom moment: Timestamp, after start: Timestamp? = nil, steps: Int = .max) {
        self.series = series
        self.moment = moment
        extras = series.extras.filter { $0.overAt >= moment && $0.startsAt >= start ?? $0.startsAt }[...]
        lastStart = start.map { Timestamp(microseconds: Swift.max($0.microseconds, .min + 1) - 1) }
        if let pattern = series.pattern {
            let (earliest, overflow) = moment.microseconds.subtractingReportingOverflow(series.longest)
            let begin = Swift.max(start?.microseconds ?? Int.min, overflow ? Int.min : earliest)
            // A day earlier, because the zone may have skipped one.
            let day =
                series.zone.localDate(at: Timestamp(microseconds: begin).advanced(bySeconds: 0))
                .date.daysSinceEpoch - 1
            days = RecurrenceDays(of: pattern, from: day, through: series.lastDay, steps: steps)
        }
    }

    var steps: Int { days?.work.steps ?? 0 }

    /// After its end: no occurrence that it has not returned starts before this time.
    var end: Timestamp? { isAtEnd ? cut ?? Timestamp.endOfTime : nil }

    /// The first time of what was not looked at, because that would have taken too many steps.
    private var cut: Timestamp? { days.flatMap { $0.isCut ? series.moment(on: $0.reached) : nil } }

    mutating func next() -> Occurrence? {
        if plain == nil { plain = nextPlain() }
        if let extra = extras.first, plain.map({ Occurrence.precedes(extra, $0) }) ?? true {
            if plain == nil, let cut, extra.startsAt >= cut {
                isAtEnd = true
                return nil
            }
            extras.removeFirst()
            return extra
        }
        defer { plain = nil }
        isAtEnd = plain == nil
        return plain
    }

    private mutating func nextPlain() -> Occurrence? {
        while let day = days?.next() {
            // Two days have the same start where the zone skips one of them.
            guard let found = series.plainOccurrence(on: day), found.overAt >= moment,
                lastStart.map({ $0 < found.startsAt }) ?? true
            else { continue }
            lastStart = found.startsAt
            return found
        }
        return nil
    }
}
