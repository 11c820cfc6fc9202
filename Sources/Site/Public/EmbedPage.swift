import Bytes
import Dispatcher
import HTTP
import SookeModel
import Store

/// `/embed/…`: parts of the town for a frame in other sites; and `/embed`, where people get the line for that. A part
/// has no script and no form, and is the same for everybody.
enum EmbedPage {
    static let parameters = ["type", "host", "category"]
    private static let (days, occurrences, each, places) = (60, 30, 4, 60)

    static func events(_ view: View) throws -> WebPage {
        let host = try view.call.parameter("host").map { Slug($0) }
        let types = try view.call.parameter("type").map { [Slug($0)] }
        var query = EventQuery(eventTypes: types, business: host, range: view.days(days), clock: view.events)
        var found = view.agenda(of: query, limit: occurrences, each: each).days
        if host != nil {
            (query.business, query.host) = (nil, host)
            for day in view.agenda(of: query, limit: occurrences, each: each).days {
                let index = found.firstIndex { $0.date >= day.date } ?? found.endIndex
                let isThere = index < found.endIndex && found[index].date == day.date
                if isThere { found[index].entries += day.entries } else { found.insert(day, at: index) }
            }
        }
        let name = host.flatMap { view.town.business($0, among: .listed)?.name } ?? view.frame.town
        let empty: HTML = "<p class=\"soft\">Nothing is planned yet.</p>"
        let heading: HTML = "<h2 class=\"hidden\">Day by day</h2>"
        return part("Events: \(name)", found.isEmpty ? empty : heading + view.list(found))
    }

    static func open(_ view: View) throws -> WebPage {
        let now = view.call.service.openNow(in: view.call.version)
        view.changes(at: now.time.upperBound)
        let slug = try view.call.parameter("category").map { Slug($0) }
        let category = slug.flatMap { view.town.categories[$0]?.value }
        let found = now.ranked.filter { slug == nil || category != nil && $0.categoryID == category?.id }
        var page = part(
            "Open now: \(category?.name ?? view.frame.town)",
            """
            <p class="soft">As of \(Words.weekdays[view.words.today.dayOfWeek]) \(view.words.time(view.call.now)).\
            \(if: found.isEmpty, " Nothing is open.")</p>\(view.list(found.prefix(places)))
            """)
        page.hasClock = true
        return page
    }

    private static func part(_ title: String, _ content: HTML) -> WebPage {
        WebPage(title, .embedded, main: "<section class=\"section\"><h1>\(title)</h1>\(content)</section>")
    }

    static func page(_ view: View) throws -> WebPage {
        let (type, host) = (try view.call.parameter("type"), try view.call.parameter("host"))
        let category = try view.call.parameter("category")
        let types = view.town.eventTypes.inOrderOfName().map { ($0.value.slug.text, $0.value.name) }
        let categories = view.town.categories.inOrderOfName().map { ($0.value.slug.text, $0.value.name) }
        let fields = [
            FormField(name: "type", label: "Events", shown: type ?? "", control: .choice([("", "All kinds")] + types)),
            FormField(
                name: "category", label: "Open now", shown: category ?? "",
                control: .choice([("", "All kinds")] + categories)),
        ]
        return WebPage(
            "Put this on your site",
            main: """
                <section class="head"><h1>Put this on your site</h1><p>Copy a line into a page of your own. It shows \
                what is here, stays up to date, and learns nothing of who reads it.</p></section>\
                <form class="form">\(each: fields, { $0.markup(FormState()) })\
                \(if: host, { "<input type=\"hidden\" name=\"host\" value=\"\($0)\">" })<div class="actions"><button \
                class="quiet">Change the lines</button></div></form>\
                \(line("Events", Link("/embed/events", [("type", type), ("host", host)]), view))\
                \(line("Open now", Link("/embed/open", [("category", category)]), view))\
                <p>Programs that read news follow <a href="/events.atom">the events as Atom</a>.</p>
                """)
    }

    private static func line(_ title: String, _ link: Link, _ view: View) -> HTML {
        let text =
            "<iframe src=\"\(view.frame.url + link.text)\" title=\"\(title)\" width=\"100%\" height=\"600\" "
            + "style=\"border:0\" loading=\"lazy\"></iframe>"
        return """
            <section class="section"><h2>\(title)</h2><textarea readonly rows="4" aria-label="\(title): the line" \
            >\(text)</textarea><p><a class="button quiet" href="\(link: link)">How it looks</a></p></section>
            """
    }
}
