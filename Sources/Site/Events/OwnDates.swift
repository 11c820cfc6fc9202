import Bytes
import SookeModel

/// The dates of a series for who may change them: what each is, also those that are left out.
struct OwnDates {
    let event: Event
    let words: Words
    private let series: RecurrenceSeries
    /// What is over is left out.
    private let now: Timestamp
    private static let most = 12

    /// Nil for an event that takes place once.
    init?(of event: Event, in zone: SookeModel.TimeZone, at now: Timestamp, has24Hours: Bool) {
        var all = event
        all.exdates = []
        guard let series = all.recurrence(in: zone) else { return nil }
        words = Words(at: now, in: zone, has24Hours: has24Hours)
        (self.event, self.series, self.now) = (event, series, now)
    }

    func occurrence(named name: String) -> Occurrence? { series.occurrence(named: name) }

    /// Its start by the series, which identifies it.
    func start(of occurrence: Occurrence) -> LocalTime {
        let time = series.zone.localTime(at: occurrence.original)
        return event.allDay ? time.withoutTime : time
    }

    func isLeftOut(_ occurrence: Occurrence) -> Bool { event.exdates.contains(start(of: occurrence)) }

    /// What a date is: `on`, `cancelled`, `moved to Thu 10 Dec, 7 pm, renamed`.
    func state(of occurrence: Occurrence) -> String {
        if isLeftOut(occurrence) { return "not on that day" }
        if occurrence.isCancelled { return "cancelled" }
        let (change, start) = (event.override(of: occurrence), words.local(occurrence.startsAt))
        let time = event.allDay ? "" : ", \(words.time(start.minute))"
        let states: [String?] = [
            occurrence.isMoved ? "moved to \(words.shortDate(words.firstDay(of: occurrence)))\(time)" : nil,
            change?.name.map { _ in "renamed" }, change?.location.map { _ in "at another place" },
            change?.description.map { _ in "with words of its own" },
        ]
        return states.compactMap(\.self).joined(separator: ", ").shown ?? "on"
    }

    /// The next dates that are not as the others, with what they are.
    var changes: [(date: String, state: String)] {
        guard !event.overrides.isEmpty || !event.exdates.isEmpty else { return [] }
        let (found, _) = series.occurrences(in: now..<max(now, Timestamp.endOfCalendar), limit: 10 * Self.most)
        return found.lazy.map { (words.shortDate(words.local($0.original).date), state(of: $0)) }
            .filter { $0.1 != "on" }.prefix(Self.most).map { ($0.0, $0.1) }
    }

    func markup(from day: CivilDate?) -> HTML {
        let start = max(now, day.map(series.zone.start(of:)) ?? now)
        let (found, _) = series.occurrences(in: start..<max(start, Timestamp.endOfCalendar), limit: Self.most + 1)
        let more = found.count > Self.most ? words.local(found[Self.most].startsAt).date.text : nil
        let link = more.map { Link(on: Link(under: "/account/events", event.slug).text, "?from=\($0)#each") }
        return """
            <section class="section" id="each"><h2>Dates</h2>\
            \(if: found.allSatisfy(isLeftOut), "<p class=\"soft\">No dates left.</p>")\
            \(if: !found.isEmpty, "<ul class=\"rows\">\(each: found.prefix(Self.most), row)</ul>")\
            \(if: link, { #"<p><a class="button quiet" href="\#(link: $0)">More dates</a></p>"# })</section>
            """
    }

    private func row(_ occurrence: Occurrence) -> HTML {
        let date = words.shortDate(words.local(occurrence.original).date)
        let page = Link(under: "/account/events", event.slug, series.name(of: occurrence))
        return AdminParts.row("o\(occurrence.original.seconds)", page, date, "\(state(of: occurrence))")
    }
}
