import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/events/{slug}`: when and where it is, and what it is about; `/events/{slug}/{date}`: the same of one of its dates.
enum EventPage {
    private static let dates = 12

    static func page(_ view: View) throws -> Answer {
        let call = view.call
        switch try call.service.event(call.slug(), for: .anonymous, in: view.town) {
        case .found(let event): return .page(page(of: event, view))
        case .moved(let slug): return .moved(call.moved(to: "/events/", slug))
        }
    }

    static func date(_ view: View) throws -> Answer {
        switch try view.call.eventDate(under: "/events/", for: .anonymous) {
        case .found(let date, let event): return .page(page(of: event, on: date, view))
        case .moved(let response): return .moved(response)
        }
    }

    /// - Parameter date: the one that is shown; nil for the next one.
    private static func page(of event: EventRecord, on date: EventDate? = nil, _ view: View) -> WebPage {
        let (value, isCancelled) = ((date?.event ?? event).value, event.value.status == .cancelled)
        let business = view.town.business(of: event)
        let shown = date?.occurrence ?? event.representative(at: view.events, business)
        view.changes(at: shown.startsAt)
        // At its end it is still on.
        view.changes(at: Timestamp(microseconds: shown.overAt.microseconds + 1))
        let day = date.map { ", " + view.words.shortDate(view.words.firstDay(of: $0.occurrence)) } ?? ""
        var page = WebPage(
            value.name + day, tab: .events, topics: ["event", "business", "category", "event_type"],
            main: """
                <section class="head">\(crumbs(event, view))<h1 \
                dir="auto">\(value.name)</h1>\(state(of: event, shown, isOne: date != nil, view))
                <p class="when\(isCancelled || shown.isCancelled ? " off" : "")">\(view.words.sentence(of: shown))</p>\
                \(series(of: event, shown, isOne: date != nil, view))
                \(if: value.description, BusinessPage.paragraphs)\(facts(of: value, view))\
                \(EventSources.line(value, view))\(actions(event, shown, date, view))</section>
                \(more(date == nil ? dates(of: event, business, view) : "", place(of: event, on: date, view)))\
                \(if: isCancelled, next(after: event, view))
                """)
        // Search engines forget one that is withdrawn.
        if value.withdrawnAt == nil { page.path = Link(under: "/events", value.slug, date?.name).text }
        page.description =
            "\(view.words.sentence(of: shown)). \(value.description.map { String($0.prefix(160)) } ?? "")"
        page.data = EventData.of(event, shown, view)
        return page
    }

    private static func series(of event: EventRecord, _ shown: Occurrence, isOne: Bool, _ view: View) -> HTML {
        let words = view.series(of: event.value)
        if !isOne { return "\(if: words, { "<p class=\"soft\">\($0)</p>" })" }
        let from = shown.isMoved ? view.words.shortDate(view.words.local(shown.original).date) : nil
        return """
            <p class="soft"><a href="/events/\(path: event.value.slug.text)">\(words ?? "All dates")</a>\
            \(if: from, { " · Moved from \($0)" })</p>
            """
    }

    private static func crumbs(_ event: EventRecord, _ view: View) -> HTML {
        let type = view.town.eventTypes[event.eventTypeID]?.value
        return """
            <p class="small crumbs"><a href="/events">Events</a>\(if: type, { type in
                #" › <a href="/events?type=\#(path: type.slug.text)">\#(type.name)</a>"#
            })</p>
            """
    }

    private static func facts(of event: Event, _ view: View) -> HTML {
        let host = event.host.flatMap { view.town.business($0, among: .listed) }
        if host == nil, event.organizer == nil, event.price == nil, event.url == nil { return "" }
        return """
            <dl class="pair">\(if: host, { host in
                """
                <dt>Organised by</dt><dd dir="auto"><a href="/businesses/\(path: host.slug.text)">\(host.name)</a></dd>
                """
            })\(if: event.organizer, { "<dt>Organised by</dt><dd dir=\"auto\">\($0)</dd>" })\
            \(if: event.price, { "<dt>Price</dt><dd dir=\"auto\">\($0)</dd>" })\
            \(if: event.url.flatMap(Link.init(website:)), { url in
                """
                <dt>More</dt><dd><a class="address" rel="nofollow ugc" href="\(link: url)">\(url.text)</a></dd>
                """
            })</dl>
            """
    }

    private static func state(of event: EventRecord, _ shown: Occurrence, isOne: Bool, _ view: View) -> HTML {
        let now = view.call.now
        if event.value.withdrawnAt != nil {
            let name = EventSources.name(of: event.value.source, view) ?? "another site"
            let words: HTML = "The calendar “<bdi>\(name)</bdi>” no longer lists this event."
            return "<p><strong class=\"problem\">\(words)</strong></p>"
        }
        if event.value.status == .cancelled || shown.isCancelled {
            let name = isOne && event.value.status != .cancelled ? "date" : "event"
            let day = event.value.cancelledAt.map { view.words.day(view.words.local($0).date) }
            let state = day.map { "was cancelled on \($0)" } ?? "is cancelled"
            return "<p><strong class=\"problem\">This \(name) \(state).</strong></p>"
        }
        if shown.overAt < now { return "<p><span class=\"state\">This event is over.</span></p>" }
        if shown.startsAt <= now { return "<p><span class=\"state open\">On now</span></p>" }
        return ""
    }

    private static func actions(
        _ event: EventRecord, _ shown: Occurrence, _ date: EventDate?, _ view: View
    ) -> HTML {
        let isElsewhere = date.flatMap { event.value.override(of: $0.occurrence)?.location } != nil
        let place = isElsewhere ? nil : event.coordinates ?? view.place(of: event)?.coordinates
        let isGone = event.value.status == .cancelled || event.value.withdrawnAt != nil
        let isOff = isGone || date != nil && shown.isCancelled
        let mayChange = view.frame.person != nil && view.may(.eventEditor, at: event.value.slug)
        if isOff, !mayChange { return "" }
        return """
            <div class="actions">\(if: !isOff, """
                <a class="button" href="/api/v1/events/\(path: event.value.slug.text).ics">\
                \(Icon.calendar)Add to calendar</a>
                """)\(if: isOff ? nil : place, { place in
                """
                <a class="button quiet" href="\(link: .directions(to: place, by: view.frame.settings.mapLink))">\
                \(Icon.way)Directions</a>
                """
            })\(if: mayChange, """
                <a class="button quiet" href="\(link: Link(under: "/account/events", event.value.slug, date?.name))">\
                \(date == nil ? "Edit this event" : "Change this date")</a>
                """)</div>
            """
    }

    private static func more(_ dates: HTML, _ place: HTML) -> HTML {
        if dates.isEmpty || place.isEmpty { return dates + place }
        return #"<div class="two"><div class="stack">\#(dates)</div><div class="stack">\#(place)</div></div>"#
    }

    private static func dates(of event: EventRecord, _ business: BusinessRecord?, _ view: View) -> HTML {
        let range = view.days(400)
        let series = event.occurrences(in: range, limit: dates, at: view.events, business)
        guard let series, series.found.count > 1 else { return "" }
        let isOff = event.value.status == .cancelled
        return """
            <section class="section"><h2>Dates</h2><ul class="rows">\(each: series.found, { occurrence in
                let name = event.value.override(of: occurrence)?.name
                return """
                    <li class="date\(isOff || occurrence.isCancelled ? " off" : "")" \
                    data-key="o\(occurrence.original.seconds)"><span><a \
                    href="\(link: view.link(to: event, on: occurrence))">\(view.words.sentence(of: occurrence))</a>\
                    \(if: name, { " · <bdi>\($0)</bdi>" })</span>\
                    \(if: occurrence.isCancelled, "<span class=\"soft\">cancelled</span>")</li>
                    """
            })</ul>\(if: series.isCut, "<p class=\"small soft\">\(rest(of: event, view))</p>")</section>
            """
    }

    private static func rest(of event: EventRecord, _ view: View) -> String {
        guard case .date(let last)? = event.value.rrule.flatMap({ try? RecurrenceRule($0) })?.end else {
            return "More dates follow."
        }
        return "More dates until \(view.words.date(last))."
    }

    private static func place(of event: EventRecord, on date: EventDate?, _ view: View) -> HTML {
        let own = date.flatMap { event.value.override(of: $0.occurrence)?.location }
        let (business, words) = (own == nil ? view.place(of: event) : nil, (own ?? event.value.location).shown)
        if business == nil, words == nil { return "" }
        return """
            <section class="section"><h2>Where</h2>\(if: words, { "<p dir=\"auto\">\($0)</p>" })\
            \(if: business, { view.list([$0]) })</section>
            """
    }

    /// What else is on where an event that is cancelled was to be, or by who organizes it.
    private static func next(after event: EventRecord, _ view: View) -> HTML {
        guard let place = (event.value.host ?? event.value.business).flatMap({ view.town.business($0, among: .listed) })
        else { return "" }
        let query = EventQuery(business: place.slug, range: view.days(60), clock: view.events)
        let days = view.agenda(of: query, limit: 5, each: 2).days.filter { $0.entries.contains { !$0.isCancelled } }
        return """
            \(if: days.first, { day in
                """
                <section class="section"><h2>Next at \(place.name)</h2>\(view.list([day], isAtPlace: true))</section>
                """
            })
            """
    }
}
