import Bytes
import Dispatcher
import HTTP
import SookeModel
import Store

/// `/events`: what is on, by day.
enum EventsPage {
    static let parameters = ["when", "type", "business", "from"]

    private static let (occurrences, days) = (60, 92)

    static func page(_ view: View) throws -> WebPage {
        let call = view.call
        let (when, type) = (try call.parameter("when"), try call.parameter("type"))
        let business = try call.parameter("business").flatMap { view.town.business(Slug($0), among: .listed) }
        let from = try call.date("from")
        let range = try when == nil ? nil : call.eventRange()
        let query = EventQuery(
            eventTypes: type.map { [Slug($0)] }, business: business?.slug,
            range: range?.range ?? view.days(days, from: from),
            // What is far away is not stored, and a page takes time itself.
            clock: from == nil ? view.events : view.events.renewed(WorkBudget(WorkBudget.most / 2)))
        let agenda = view.agenda(of: query, limit: occurrences, each: 20, hasWholeDay: true)
        let filter = Filter(when: when, type: type, business: business)
        let title = business.map { "Events at \($0.name)" } ?? "Events"
        var page = WebPage(
            title, tab: .events, topics: ["event", "business", "event_type"],
            main: """
                <section class="head"><h1 dir="auto">\(title)</h1>\(chips(filter, view))</section>
                <div class="two"><div class="stack">\(list(agenda, filter, view))</div>\
                <aside class="stack">\(subscription(filter, view))</aside></div>
                """)
        let isKnown = type.map { view.town.eventTypes[Slug($0)] != nil } ?? true
        if isKnown, when == nil, business == nil, from == nil { page.path = Link("/events", [("type", type)]).text }
        page.description = "What is on in \(view.frame.town), day by day."
        page.data = #"<link rel="alternate" type="application/atom+xml" href="/events.atom">"#
        return page
    }

    private struct Filter {
        var when: String?
        var type: String?
        let business: BusinessRecord?

        func link(when: String?, type: String?, from: CivilDate? = nil) -> Link {
            Link(
                "/events",
                [("when", when), ("type", type), ("business", business?.slug.text), ("from", from?.text)])
        }
    }

    private static func chips(_ filter: Filter, _ view: View) -> HTML {
        let times: [(name: String, value: String?)] = [
            ("All", nil), ("Today", "today"), ("This weekend", "weekend"), ("Next 7 days", "week"),
        ]
        let types = view.town.eventTypes.inOrderOfName().map(\.value)
        return """
            <nav class="chips" aria-label="When">\(each: times, { time in
                chip(time.name, filter.link(when: time.value, type: filter.type), isCurrent: filter.when == time.value)
            })</nav>\(if: types.count > 1 ? types : nil, { types in
                """
                <nav class="chips" aria-label="Type">\(each: types.prefix(30), { type in
                    let isCurrent = filter.type == type.slug.text
                    return chip(
                        type.name, filter.link(when: filter.when, type: isCurrent ? nil : type.slug.text),
                        isCurrent: isCurrent)
                })</nav>
                """
            })
            """
    }

    private static func chip(_ name: String, _ link: Link, isCurrent: Bool) -> HTML {
        """
        <a class="chip" href="\(link: link)"\(attribute: "aria-current=\"true\"", if: isCurrent)>\(name)</a>
        """
    }

    private static func list(_ agenda: Agenda, _ filter: Filter, _ view: View) -> HTML {
        if agenda.isEmpty {
            let when = filter.when.map {
                ["today": "today", "weekend": "this weekend"][$0] ?? "in the next seven days"
            }
            return empty("Nothing is on \(when ?? "yet").", view)
        }
        return """
            <h2 class="hidden">Coming events</h2>\(view.list(agenda.days, isAtPlace: filter.business != nil))\
            \(if: agenda.rest, { date in
                """
                <nav class="pages" aria-label="Pages"><a class="button quiet" rel="next" \
                href="\(link: filter.link(when: nil, type: filter.type, from: date))">\
                From \(view.words.date(date)) on</a></nav>
                """
            })
            """
    }

    static func empty(_ text: String, _ view: View) -> HTML {
        let next = view.town.nextEvent(at: view.events, view.series)
        let place = next.flatMap(view.town.business(of:))
        let start = next?.representative(at: view.events, place).startsAt ?? view.call.now
        let date = view.words.local(max(start, view.call.now)).date
        return """
            <div class="empty"><strong>\(text)</strong>\(if: next?.value, { next in
                """
                <p class="small soft">The next event is \
                <a dir="auto" href="/events/\(path: next.slug.text)">\(next.name)\
                </a>, on \(view.words.shortDate(date)).</p>
                """
            })</div>
            """
    }

    private static func subscription(_ filter: Filter, _ view: View) -> HTML {
        let path = Link("/api/v1/events.ics", [("type", filter.type), ("business", filter.business?.slug.text)]).text
        let link = Link.subscription(on: view.frame.url, path)
        return """
            <div class="card" id="subscribe"><h2>In your calendar</h2>\
            <p class="small">Your calendar shows these events and follows their changes.</p>\
            <a class="button quiet" href="\(link: link)">Subscribe</a>\
            <p class="small soft">iPhone, iPad and Mac ask whether to subscribe. With Android, open Google Calendar on \
            a computer, choose <em>Other calendars</em>, <em>From URL</em>, and paste <a class="address" \
            href="\(link: Link(on: view.frame.url, path))">\(view.frame.url + path)</a></p></div>
            """
    }
}

/// `/week`: the next seven days on one sheet of paper.
enum WeekPage {
    /// The most that is shown, so that a request does not take long: more than any week of a town has.
    private static let (occurrences, each) = (1_000, 50)

    static func page(_ view: View) throws -> WebPage {
        let words = view.words
        let agenda = view.agenda(
            of: EventQuery(range: view.days(7), clock: view.events), limit: occurrences, each: each)
        let last = words.today.advanced(by: 6)
        var page = WebPage(
            "The week", tab: .events, topics: ["event", "business"],
            main: """
                <section class="head"><h1>\(view.frame.town), \(words.date(words.today)) to \(words.date(last))</h1>\
                <p class="soft">What is on in the next seven days. \(view.frame.url)</p><div class="actions"><button \
                class="quiet" data-print hidden>Print</button></div>\
                \(if: QRCode(view.frame.url + "/week"), { $0.markup("A code that opens this page on a phone") })\
                </section><section class="section">\(NoticesPage.cards(view))</section>
                <h2 class="hidden">Day by day</h2><div class="sheet">\
                \(agenda.isEmpty ? EventsPage.empty("Nothing is on.", view) : view.list(agenda.days, hasPhones: true))\
                </div>\(if: agenda.rest, { date in
                    "<p>There is more <a href=\"/events?from=\(path: date.text)\">from \(words.date(date)) on</a>.</p>"
                })
                """)
        page.path = "/week"
        page.hasOwnNotices = true
        page.description = "The week in \(view.frame.town), to print."
        return page
    }
}

struct Agenda {
    struct Entry {
        let event: EventRecord
        let occurrence: Occurrence

        var isCancelled: Bool { event.value.status == .cancelled || occurrence.isCancelled }
    }

    /// What is on on a day, or what goes on for more than a week, from a day to the end of its week.
    struct Day {
        let date: CivilDate
        let isWeek: Bool
        var entries: [Entry]

        var sunday: CivilDate { date.advanced(by: (7 - date.dayOfWeek) % 7) }
    }

    private(set) var days: [Day] = []
    /// The date of the first entry that was left out; nil when there is none.
    private(set) var rest: CivilDate?
    /// How much is on the first day of the range, whether or not there is room for it.
    private(set) var countOfFirstDay = 0
    private(set) var firstChange: Timestamp?

    /// The most events that are looked at, and the most occurrences of a day.
    private static let (mostEvents, mostOfDay) = (2_000, 150)

    /// By start, cancelled ones included; `each` is the most of one series. `hasWholeDay`: the first day is there
    /// beyond the limit, so that another agenda may begin with the next one.
    init(of query: EventQuery, limit: Int, each: Int, hasWholeDay: Bool = false, in view: View) {
        guard let range = query.range else { return }
        let found = view.town.occurrences(of: query, limit: each, visiting: Self.mostEvents)
        var entries = found.map { Entry(event: $0.event, occurrence: $0.occurrence) }
        let now = query.clock.now
        // What began before and has no known length is there in the night after it only.
        entries.removeAll { entry in
            let occurrence = entry.occurrence
            return occurrence.endsAt == nil && occurrence.startsAt < range.lowerBound
                && (range.lowerBound > now || occurrence.overAt <= now)
        }
        entries.sort { ($0.occurrence.startsAt, $0.event.value.id) < ($1.occurrence.startsAt, $1.event.value.id) }
        firstChange = entries.lazy.flatMap { [$0.occurrence.startsAt, $0.occurrence.overAt] }
            .filter { $0 > now }.min()
        let first = view.words.local(range.lowerBound).date
        let tomorrow = view.words.zone.start(of: first.advanced(by: 1))
        let ofFirstDay = entries.prefix { $0.occurrence.startsAt < tomorrow }
        countOfFirstDay = ofFirstDay.count { !$0.isCancelled }
        let most = hasWholeDay ? max(limit, min(ofFirstDay.count, Self.mostOfDay)) : limit
        let last = view.words.local(Timestamp(microseconds: range.upperBound.microseconds - 1)).date
        // Each is somewhere, and none before those that begin earlier.
        var placed = entries.prefix(most + 1).flatMap { entry in
            Self.dates(of: view.words.days(of: entry.occurrence), from: first, through: last).map { ($0, $1, entry) }
        }
        // Of a day they stay in their order.
        placed = placed.enumerated().sorted { left, right in
            let ((date, isWeek, _), (other, isOtherWeek, _)) = (left.element, right.element)
            return (date, isWeek ? 0 : 1, left.offset) < (other, isOtherWeek ? 0 : 1, right.offset)
        }.map(\.element)
        if placed.count > most {
            rest = placed[most].0
            if hasWholeDay, rest == first { rest = first.advanced(by: 1) }
            placed.removeSubrange(most...)
        }
        for (date, isWeek, entry) in placed {
            if days.last?.date != date || days.last?.isWeek != isWeek {
                days.append(Day(date: date, isWeek: isWeek, entries: []))
            }
            days[days.count - 1].entries.append(entry)
        }
    }

    /// Where what takes some days is: on each of them, or on the first one and once in each week after it.
    private static func dates(
        of days: ClosedRange<CivilDate>, from first: CivilDate, through last: CivilDate
    ) -> [(date: CivilDate, isWeek: Bool)] {
        let start = max(first, days.lowerBound)
        return (start.daysSinceEpoch...max(start, min(last, days.upperBound)).daysSinceEpoch)
            .map(CivilDate.init(daysSinceEpoch:))
            .filter { !days.isLong || $0 == start || $0.dayOfWeek == 1 }
            .map { ($0, days.isLong && $0 > days.lowerBound) }
    }

    var isEmpty: Bool { days.isEmpty }
}
