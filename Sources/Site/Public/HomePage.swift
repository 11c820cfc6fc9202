import Bytes
import Dispatcher
import HTTP
import SookeModel
import Store

/// `/`: what is open now, and what is on this week.
enum HomePage {
    private static let (businesses, occurrences, categories) = (8, 12, 12)
    private static let each = 2

    static func page(_ view: View) throws -> WebPage {
        let open = view.call.service.openNow(in: view.call.version)
        view.changes(at: open.time.upperBound)
        let agenda = view.agenda(of: EventQuery(range: view.days(7), clock: view.events), limit: occurrences, each: 7)
        let town = view.frame.town
        let now = "\(Words.weekdays[view.words.today.dayOfWeek]) \(view.words.time(view.call.now))"
        var page = WebPage(
            town, tab: .home, topics: ["business", "event", "category"],
            main: """
                <section class="head start"><div class="moment"><h1>\(town), <span data-clock>\(now)</span>\
                \(if: view.holiday(on: view.words.today), { " · \($0)" })</h1>
                <p class="soft">\(summary(open, agenda.countOfFirstDay))</p></div>
                \(BusinessesPage.searchForm)
                \(categoryLinks(view))</section>
                <div class="two even">\(try section(open, view))\(section(agenda, view))</div>
                <section class="section"><h2 class="hidden">About this site</h2>\
                \(if: view.frame.tagline, { "<p>\($0)</p>" })\(AboutPage.contact(view))\
                <p class="soft">\(AboutPage.confirmed(view)) <a href="/about">About this site</a></p></section>
                """)
        page.path = try view.call.parameter("near") == nil ? "/" : nil
        let tagline = view.frame.tagline.map { " \($0)" } ?? ""
        page.description = "What is open and what is on in \(town): places with their hours, and events.\(tagline)"
        page.hasClock = true
        return page
    }

    private static func summary(_ now: OpenNow, _ events: Int) -> String {
        let today = events == 0 ? "No events today." : "\(Count(events, "event")) today."
        let (open, usual) = (now.businesses.count, now.unconfirmed.count)
        if usual > 0 {
            let confirmed = open > usual ? "\(open - usual) open, " : ""
            return "\(confirmed)\(usual) usually open, \(Words.unconfirmed(for: now.holidays)). \(today)"
        }
        if open == 0 { return "Nothing is open at the moment. \(today)" }
        return "\(Count(open, "place")) \(open == 1 ? "is" : "are") open. \(today)"
    }

    private static func categoryLinks(_ view: View) -> HTML {
        let counted = view.call.version.listedCategories
        guard counted.count > 1 else { return "" }
        let most = counted.sorted { $0.count > $1.count }.prefix(categories).map(\.category.id)
        return SearchResults.chips(counted.map(\.category).filter { most.contains($0.id) })
    }

    private static func section(_ now: OpenNow, _ view: View) throws -> HTML {
        if view.town.listedCount == 0 {
            return """
                <section class="section"><header><h2>Open now</h2></header>\(BusinessesPage.emptyDirectory)</section>
                """
        }
        guard !now.businesses.isEmpty else {
            return """
                <section class="section"><header><h2>Open now</h2><a href="/businesses">Directory</a></header>\
                <div class="empty"><strong>Nothing is open at the moment.</strong>\
                <p class="small soft">The directory says when each place opens next.</p>\
                <a class="button quiet" href="/businesses">See all places</a></div></section>
                """
        }
        let (near, center) = (try view.call.parameter("near"), try view.call.place("near"))
        let (open, kinds) = (now.ranked.nearest(to: center), now.byKind)
        let isShort = open.count <= businesses || kinds.count == 1
        return """
            <section class="section"><header><h2>Open now</h2><form class="choice" action="/"><label \
            class="chip" data-near\(attribute: "hidden", if: near == nil)><input type="checkbox" name="near" \
            value="\(near ?? "")"\(attribute: "checked", if: near != nil)>Near me</label></form>\
            <a href="\(link: Link("/businesses", [("open", "1"), ("near", near)]))">All \
            \(open.count)</a></header>\
            \(isShort ? view.list(open.prefix(businesses), from: center) : groups(kinds, near, center, view))</section>
            """
    }

    private static func groups(
        _ kinds: [PlaceKind: [BusinessRecord]], _ near: String?, _ center: Coordinates?, _ view: View
    ) -> HTML {
        """
        \(each: PlaceKind.allCases, { kind in
            let open = (kinds[kind] ?? []).nearest(to: center)
            if open.isEmpty { return "" }
            let all = Link("/businesses", [("open", "1"), ("kind", kind.rawValue), ("near", near)])
            return """
                <section class="section group" data-key="\(kind.rawValue)"><header><h3>\(kind.name)</h3>\
                \(if: open.count > each, """
                    <a href="\(link: all)">All \(open.count)<span class="hidden"> of \(kind.name)</span></a>
                    """)</header>\(view.list(open.prefix(each), from: center))</section>
                """
        })
        """
    }

    private static func section(_ agenda: Agenda, _ view: View) -> HTML {
        """
        <section class="section"><header><h2>This week</h2><a href="/events">All events</a></header>\
        \(agenda.isEmpty ? EventsPage.empty("Nothing is on in the next seven days.", view) : view.list(agenda.days))\
        </section>
        """
    }
}

extension [BusinessRecord] {
    /// Those without a location come last; in the same order where no place is given.
    fileprivate func nearest(to center: Coordinates?) -> [BusinessRecord] {
        guard let center else { return self }
        return map { ($0, $0.coordinates.map { center.distance(to: $0) } ?? .infinity) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
