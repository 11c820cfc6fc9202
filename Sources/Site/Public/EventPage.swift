import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/events/{slug}`: when and where it is, and what it is about.
enum EventPage {
    private static let dates = 12

    static func page(_ view: View) throws -> Answer {
        let call = view.call
        switch try call.service.event(call.slug(), for: .anonymous, in: view.town) {
        case .found(let event): return .page(page(of: event, view))
        case .moved(let slug): return .moved(call.moved(to: "/events/", slug))
        }
    }

    private static func page(of event: EventRecord, _ view: View) -> WebPage {
        let value = event.value
        let business = view.town.business(of: event)
        let shown = event.representative(at: view.events, business)
        view.changes(at: shown.startsAt)
        // At its end it is still on.
        view.changes(at: Timestamp(microseconds: shown.effectiveEnd.microseconds + 1))
        var page = WebPage(
            value.name, tab: .events, topics: ["event", "business", "category", "event_type"],
            main: """
                <section class="head">\(crumbs(event, view))<h1 \
                dir="auto">\(value.name)</h1>\(state(of: event, shown, view))
                <p class="when">\(view.words.sentence(of: shown))</p>\
                \(if: view.series(of: value), { "<p class=\"soft\">\($0)</p>" })
                \(if: value.description, BusinessPage.paragraphs)\(actions(event, view))</section>
                \(more(dates(of: event, business, view), place(of: event, view)))
                """)
        page.path = Link.path(event: value.slug)
        page.description =
            "\(view.words.sentence(of: shown)). \(value.description.map { String($0.prefix(160)) } ?? "")"
        page.data = EventData.of(event, shown, view)
        return page
    }

    private static func crumbs(_ event: EventRecord, _ view: View) -> HTML {
        let type = view.town.eventTypes[event.eventTypeID]?.value
        return """
            <p class="small crumbs"><a href="/events">Events</a>\(if: type, { type in
                #" › <a href="/events?type=\#(path: type.slug.text)">\#(type.name)</a>"#
            })</p>
            """
    }

    /// Cancelled, on now, or over; nothing for one that is to come.
    private static func state(of event: EventRecord, _ shown: Occurrence, _ view: View) -> HTML {
        let now = view.call.now
        if event.value.status == .cancelled || shown.isCancelled {
            return "<p><strong class=\"problem\">This event is cancelled.</strong></p>"
        }
        if shown.effectiveEnd < now { return "<p><span class=\"state\">This event is over.</span></p>" }
        if shown.startsAt <= now { return "<p><span class=\"state open\">On now</span></p>" }
        return ""
    }

    private static func actions(_ event: EventRecord, _ view: View) -> HTML {
        let place = event.coordinates ?? view.place(of: event)?.coordinates
        return """
            <div class="actions"><a class="button" href="/api/v1/events/\(path: event.value.slug.text).ics">\
            \(Icon.calendar)Add to calendar</a>\(if: place, { place in
                """
                <a class="button quiet" href="\(link: .directions(to: place, by: view.frame.settings.mapLink))">\
                \(Icon.way)Directions</a>
                """
            })\(if: view.frame.person != nil && view.may(.eventEditor, at: event.value.slug), """
                <a class="button quiet" href="/account/events/\(path: event.value.slug.text)">Change it</a>
                """)</div>
            """
    }

    /// What stands below the head, in two columns if there is enough for both.
    private static func more(_ dates: HTML, _ place: HTML) -> HTML {
        if dates.isEmpty || place.isEmpty { return dates + place }
        return #"<div class="two"><div class="stack">\#(dates)</div><div class="stack">\#(place)</div></div>"#
    }

    private static func dates(of event: EventRecord, _ business: BusinessRecord?, _ view: View) -> HTML {
        let range = view.days(400)
        let series = event.occurrences(in: range, limit: dates, at: view.events, business)
        guard let series, series.found.count > 1 else { return "" }
        return """
            <section class="section"><h2>Dates</h2><ul class="rows">\(each: series.found, { occurrence in
                """
                <li class="date\(occurrence.isCancelled ? " off" : "")" data-key="o\(occurrence.startsAt.seconds)">\
                <span>\(view.words.sentence(of: occurrence))</span>\
                \(if: occurrence.isCancelled, "<span class=\"soft\">cancelled</span>")</li>
                """
            })</ul>\(if: series.isCut, "<p class=\"small soft\">And so on.</p>")</section>
            """
    }

    private static func place(of event: EventRecord, _ view: View) -> HTML {
        guard let business = view.place(of: event) else { return "" }
        return #"<section class="section"><h2>Where</h2>\#(view.list([business]))</section>"#
    }
}
