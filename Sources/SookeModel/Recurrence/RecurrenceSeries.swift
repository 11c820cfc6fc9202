import Bytes

/// The occurrences of an event: those of its rule at the same time on the clocks, without exceptions, with additions.
///
/// Nothing is expanded in advance. A query jumps to its range, and its work is bounded regardless of the rule.
public struct RecurrenceSeries: Sendable {
    public struct Change: Sendable, Hashable {
        /// The start that the series gives the occurrence.
        public var occurrence: Timestamp
        public var startsAt: Timestamp?
        /// Its end instead; nil leaves its duration.
        public var endsAt: Timestamp?
        public var isCancelled: Bool
        /// Which of the overrides of the event it is.
        public var override: Int?

        public init(
            of occurrence: Timestamp, startsAt: Timestamp? = nil, endsAt: Timestamp? = nil, isCancelled: Bool = false,
            override: Int? = nil
        ) {
            (self.occurrence, self.override) = (occurrence, override)
            (self.startsAt, self.endsAt, self.isCancelled) = (startsAt, endsAt, isCancelled)
        }
    }

    public let zone: TimeZone
    /// Whether counting the occurrences of a rule with `COUNT` took too long: the series ends before.
    public let isCutShort: Bool
    /// Whether no occurrence of an event is left.
    public internal(set) var isEmpty = false
    /// The first start that the rule gives, even if it is left out; nil without a rule.
    public private(set) var firstOfRule: Timestamp?
    /// The steps that preparing the series took; see `OccurrenceList.steps`.
    public internal(set) var steps = 0
    /// The duration of each occurrence, in microseconds; nil when the event has no end, or lasts whole days.
    let duration: Int?
    /// How many whole days each occurrence lasts; nil when it has a time.
    let days: Int?
    let pattern: RecurrencePattern?
    /// The last day that the rule may have; nil when it does not end.
    let lastDay: Int?
    /// The seconds since midnight on the clocks, and the microseconds after them.
    private let clock: (seconds: Int, microseconds: Int)
    /// The starts that the rule gives and that are no occurrences, or are among the extras.
    private var withheld: Set<Timestamp>
    /// The occurrences that are not as the rule gives them, by start.
    private(set) var extras: [Occurrence] = []

    /// The most days that are tested to count the occurrences of a rule with `COUNT`: those of a thousand years.
    static let mostDaysCounted = 400_000

    /// Without a rule it is the start and the additions; a change of what is no occurrence has no effect. `days` is how
    /// many whole days each occurrence lasts, instead of an end.
    public init(
        start: LocalTime, end: Timestamp?, days: Int? = nil, zone: TimeZone, rule: RecurrenceRule?,
        excluded: [Timestamp] = [], added: [Timestamp] = [], changes: [Change] = []
    ) {
        (self.zone, self.days) = (zone, days)
        let local = (date: start.date, secondsOfDay: start.secondsOfDay)
        let start = zone.instant(of: start)
        duration = days == nil ? end.map { max($0.microseconds - start.microseconds, 0) } : nil
        clock = (local.secondsOfDay, start.microseconds - start.seconds * 1_000_000)
        let pattern = rule.map { RecurrencePattern($0, start: local.date) }
        self.pattern = pattern
        var until: Timestamp?
        switch rule?.end {
        case .never, nil: (lastDay, isCutShort) = (nil, false)
        case .date(let date): (lastDay, isCutShort) = (date.daysSinceEpoch, false)
        case .time(let time):
            until = time.instant ?? zone.instant(of: time)
            (lastDay, isCutShort) = (zone.localTime(time).date.daysSinceEpoch, false)
        case .count(let count): (lastDay, isCutShort, steps) = pattern?.lastDay(of: count) ?? (nil, false, 0)
        }
        let excluded = Set(excluded)
        withheld = excluded
        // An UNTIL in the course of a day may come before the occurrence on it.
        if let until, let lastDay, moment(on: lastDay).seconds > until.seconds {
            withheld.insert(moment(on: lastDay))
        }
        // Without a rule the start is an addition like the others.
        var steps = steps
        let added = Set(rule == nil ? added + [start] : added).subtracting(excluded).filter { !isInRule($0, &steps) }
        var extras: [Timestamp: Occurrence] = [:]
        for start in added { extras[start] = occurrence(at: start) }
        for change in changes {
            guard added.contains(change.occurrence) || isInRule(change.occurrence, &steps) else { continue }
            extras[change.occurrence] = occurrence(change)
        }
        withheld.formUnion(extras.keys)
        self.extras = extras.values.sorted(by: Occurrence.precedes)
        if let pattern {
            var days = RecurrenceDays(of: pattern, from: pattern.startDay, through: lastDay)
            firstOfRule = days.next().map(moment(on:))
            steps += days.work.steps
        }
        self.steps = steps
    }
}

extension RecurrenceSeries {
    func isInRule(_ moment: Timestamp, _ steps: inout Int) -> Bool {
        guard let pattern, !withheld.contains(moment) else { return false }
        let day = zone.localDate(at: moment).date.daysSinceEpoch
        // A time that clocks skip may be shown as one of the day after.
        return (day - 1...day).contains { day in
            guard day >= pattern.startDay, day <= lastDay ?? .max, self.moment(on: day) == moment else { return false }
            var days = RecurrenceDays(of: pattern, from: day, through: day)
            defer { steps += days.work.steps }
            return days.next() != nil
        }
    }

    /// The start of this series that represents one of another series: the same, or that of the same day, or that of
    /// the day as far from it as the starts are from each other; nil without one.
    func counterpart(of moment: Timestamp, in other: RecurrenceSeries) -> Timestamp? {
        if isPart(moment) { return moment }
        guard let pattern, let before = other.pattern else { return nil }
        let day = other.zone.localDate(at: moment).date.daysSinceEpoch
        return [day, day + pattern.startDay - before.startDay].lazy.map { self.moment(on: $0) }.first(where: isPart)
    }

    /// Whether an occurrence has a start, as the series gives it.
    public func has(start: Timestamp) -> Bool { isPart(start) }

    private func isPart(_ moment: Timestamp) -> Bool {
        var steps = 0
        return isInRule(moment, &steps) || extras.contains { $0.original == moment }
    }

    func moment(on day: Int) -> Timestamp {
        let moment = zone.moment(of: CivilDate(daysSinceEpoch: day), secondsOfDay: clock.seconds)
        return Timestamp(microseconds: moment.microseconds + clock.microseconds)
    }

    func plainOccurrence(on day: Int) -> Occurrence? {
        let start = moment(on: day)
        return withheld.contains(start) ? nil : occurrence(at: start)
    }

    func occurrence(at start: Timestamp) -> Occurrence {
        occurrence(from: start, to: nil)
    }

    /// - Parameter end: its own end; nil for the one that its duration gives.
    private func occurrence(from start: Timestamp, to end: Timestamp?, _ change: Change? = nil) -> Occurrence {
        var (ends, over) = (end, end)
        var dates: ClosedRange<CivilDate>?
        if let days {
            let first = zone.localDate(at: start).date
            let last = end.map { zone.localDate(at: $0).date } ?? first.advanced(by: days - 1)
            dates = first...last
            (ends, over) = zone.end(ofDay: last)
        } else if end == nil, let duration {
            // Clamped, because a stored event may last for thousands of years.
            ends = Timestamp(microseconds: start.microseconds + duration).clamped
            over = ends
        } else if end == nil {
            over = zone.nextMorning(after: zone.localTime(at: start))
        }
        return Occurrence(
            startsAt: start, endsAt: ends, overAt: over, days: dates, original: change?.occurrence,
            isCancelled: change?.isCancelled ?? false, override: change?.override)
    }

    private func occurrence(_ change: Change) -> Occurrence {
        let start = change.startsAt ?? change.occurrence
        // An end of its own that is before its start counts as none.
        return occurrence(from: start, to: change.endsAt.flatMap { $0 >= start ? $0 : nil }, change)
    }

    /// The longest time from a start to when its occurrence is over, in microseconds, but for those that were changed.
    var longest: Int { duration ?? ((days ?? 1) + 1) * 86_400_000_000 + 3_600_000_000 }
}

extension RecurrencePattern {
    fileprivate func lastDay(of count: Int) -> (day: Int, isCutShort: Bool, steps: Int) {
        var days = RecurrenceDays(of: self, from: startDay, through: nil)
        var last = startDay
        for _ in 0..<count {
            guard days.work.tested < RecurrenceSeries.mostDaysCounted else { return (last, true, days.work.steps) }
            guard let day = days.next() else { break }
            last = day
        }
        return (last, false, days.work.steps)
    }
}

public struct Occurrence: Sendable, Hashable {
    public let startsAt: Timestamp
    /// Its end; nil when no length is known. Of whole days it is the last minute.
    public let endsAt: Timestamp?
    /// When lists leave it out: its end, the midnight after whole days, or the next morning where no length is known.
    public let overAt: Timestamp
    /// The first and the last of its days, in its own zone, if it lasts whole days.
    public let days: ClosedRange<CivilDate>?
    /// The start that the series gives it, which identifies it; different from `startsAt` when it was moved.
    public let original: Timestamp
    public let isCancelled: Bool
    /// Which of the overrides of the event changes it.
    public let override: Int?

    public init(
        startsAt: Timestamp, endsAt: Timestamp?, overAt: Timestamp? = nil, days: ClosedRange<CivilDate>? = nil,
        original: Timestamp? = nil, isCancelled: Bool = false, override: Int? = nil
    ) {
        self.days = days
        (self.startsAt, self.endsAt, self.isCancelled) = (startsAt, endsAt, isCancelled)
        (self.overAt, self.override) = (overAt ?? endsAt ?? startsAt, override)
        self.original = original ?? startsAt
    }

    /// Its end, or its start if it has no end.
    public var effectiveEnd: Timestamp { endsAt ?? startsAt }

    public var isMoved: Bool { startsAt != original }
}

extension Occurrence {
    static func precedes(_ left: Occurrence, _ right: Occurrence) -> Bool {
        (left.startsAt, left.original) < (right.startsAt, right.original)
    }
}
