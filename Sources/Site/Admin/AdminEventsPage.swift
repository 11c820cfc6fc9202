import Dispatcher
import HTTP
import SookeModel
import Store

enum AdminEventsPage {
    static let path = "/admin/events"
    static let parameters = ["q", "list", "page"]

    private static let lists = [
        ("coming", "Coming"), ("waiting", "Waiting"), ("cancelled", "Cancelled"), ("past", "Past"),
    ]

    static func page(_ view: View) throws -> WebPage {
        let (words, list) = (try view.call.parameter("q"), try view.call.parameter("list") ?? "coming")
        let page = page(PageRequest(number: try view.call.count("page") ?? 1, size: 50), of: list, named: words, view)
        return WebPage(
            "Events", .form, tab: .account, topics: ["event"],
            main: """
                \(AdminParts.head("Events", view))\(AdminParts.search("Search events", words, "A name", in: list))\
                <div class="actions"><a class="button quiet" href="/account/new-event">New event</a></div>\
                <nav class="chips" aria-label="Lists">\(each: lists, { name, title in
                    """
                    <a class="chip" href="\(link: Link("/admin/events", [("list", name), ("q", words)]))"\
                    \(attribute: "aria-current=\"page\"", if: name == list)>\(title)</a>
                    """
                })</nav><section class="section"><p class="soft" role="status">\(page.summary("event"))</p>\
                \(if: list == "waiting", "<p><a href=\"/account/waiting\">What was sent without an account</a></p>")\
                <ul class="rows">\(each: page.records, { AccountPage.row($0, view) })</ul>\
                \(page.links { Link("/admin/events", [("list", list), ("q", words), ("page", "\($0)")]) })</section>
                """)
    }

    /// Coming ones by their next date, the others by their last one, the latest first.
    private static func page(
        _ request: PageRequest, of list: String, named words: String?, _ view: View
    ) -> Page<EventRecord> {
        let (town, clock, part) = (view.town, view.events, CaseFolding.fold(words ?? ""))
        let status: [String: Event.Status] = ["waiting": .pendingReview, "cancelled": .cancelled, "past": .approved]
        guard let status = status[list] else {
            var query = EventQuery(search: words, clock: clock)
            query.series = view.series
            return town.page(request, of: query)
        }
        let found = town.events.inOrderOfID.filter { event in
            event.value.status == status && CaseFolding.contains(event.foldedName, part)
                && (status != .approved || !event.isFuture(at: clock, in: town))
        }
        let dated = found.map { ($0.representative(at: clock, town.business(of: $0)).startsAt, $0) }
        return Page(of: dated.sorted { ($0.0, $0.1.id) > ($1.0, $1.1.id) }.map(\.1), request)
    }
}
