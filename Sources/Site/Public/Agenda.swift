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

    /// The most events that are looked at; the time that a request may take is bounded, too.
    private static let mostEvents = 2_000

    /// The occurrences of the events of a query in its range, by start, cancelled ones included.
    ///
    /// - Parameters:
    ///   - limit: the most occurrences.
    ///   - each: the most occurrences of one series.
    ///   - hasWholeDay: whether all of the first day is there beyond the limit, so that another agenda may begin with the
    ///     next one.
    init(of query: EventQuery, limit: Int, each: Int, hasWholeDay: Bool = false, in view: View) {
        guard let range = query.range else { return }
        var list = view.town.list(of: query)
        let events = (list.next(visiting: Self.mostEvents) ?? []) + view.town.cancelledEvents(of: query)
        var entries: [Entry] = []
        for event in events {
            let business = view.town.business(of: event)
            let series = event.occurrences(in: range, limit: each, at: query.clock, business)
            let found = series?.found ?? [event.representative(at: query.clock, business)]
            entries += found.map { Entry(event: event, occurrence: $0) }
        }
        entries.sort { ($0.occurrence.startsAt, $0.event.value.id) < ($1.occurrence.startsAt, $1.event.value.id) }
        firstChange = entries.lazy.flatMap { [$0.occurrence.startsAt, $0.occurrence.effectiveEnd] }
            .filter { $0 > query.clock.now }.min()
        let first = view.words.local(range.lowerBound).date
        let tomorrow = view.words.zone.start(of: first.advanced(by: 1))
        let ofFirstDay = entries.prefix { $0.occurrence.startsAt < tomorrow }
        countOfFirstDay = ofFirstDay.count { !$0.isCancelled }
        let most = hasWholeDay ? max(limit, ofFirstDay.count) : limit
        if entries.count > most {
            rest = max(first, view.words.local(entries[most].occurrence.startsAt).date)
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
