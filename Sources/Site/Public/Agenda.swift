import Bytes
import SookeModel
import Store

/// What is on, day by day, on the clocks of the town.
struct Agenda {
    /// One occurrence of an event.
    struct Entry {
        let event: EventRecord
        let occurrence: Occurrence

        var isCancelled: Bool { event.value.status == .cancelled || occurrence.isCancelled }
    }

    /// What begins on a day, and on the first one also what is still on.
    struct Day {
        let date: CivilDate
        var entries: [Entry]
    }

    private(set) var days: [Day] = []
    /// The date of the first entry that was left out; nil when there is none.
    private(set) var rest: CivilDate?
    /// How much is on the first day of the range, whether or not there is room for it.
    private(set) var countOfFirstDay = 0
    /// When the first entry begins or ends.
    private(set) var firstChange: Timestamp?

    /// The most events that are looked at, and the most occurrences of a day; the time that a request may take is bounded,
    /// too.
    private static let (mostEvents, mostOfDay) = (2_000, 150)

    /// The occurrences of the events of a query in its range, by start, cancelled ones included.
    ///
    /// - Parameters:
    ///   - limit: the most occurrences.
    ///   - each: the most occurrences of one series.
    ///   - hasWholeDay: whether the first day is there beyond the limit, so that another agenda may begin with the next
    ///     one.
    init(of query: EventQuery, limit: Int, each: Int, hasWholeDay: Bool = false, in view: View) {
        guard let range = query.range else { return }
        let found = view.town.occurrences(of: query, limit: each, visiting: Self.mostEvents)
        var entries = found.map { Entry(event: $0.event, occurrence: $0.occurrence) }
        entries.sort { ($0.occurrence.startsAt, $0.event.value.id) < ($1.occurrence.startsAt, $1.event.value.id) }
        firstChange = entries.lazy.flatMap { [$0.occurrence.startsAt, $0.occurrence.effectiveEnd] }
            .filter { $0 > query.clock.now }.min()
        let first = view.words.local(range.lowerBound).date
        let tomorrow = view.words.zone.start(of: first.advanced(by: 1))
        let ofFirstDay = entries.prefix { $0.occurrence.startsAt < tomorrow }
        countOfFirstDay = ofFirstDay.count { !$0.isCancelled }
        let most = hasWholeDay ? max(limit, min(ofFirstDay.count, Self.mostOfDay)) : limit
        if entries.count > most {
            rest = max(first, view.words.local(entries[most].occurrence.startsAt).date)
            if hasWholeDay, rest == first { rest = first.advanced(by: 1) }
            entries.removeSubrange(most...)
        }
        for entry in entries {
            let date = max(first, view.words.local(entry.occurrence.startsAt).date)
            if days.last?.date != date { days.append(Day(date: date, entries: [])) }
            days[days.count - 1].entries.append(entry)
        }
    }

    var isEmpty: Bool { days.isEmpty }
}
