import Dispatcher
import HTTP
import SookeModel
import Store

/// `/week`: the next seven days on one sheet of paper.
enum WeekPage {
    /// The most that is shown, so that a request does not take long: more than any week of a town has.
    private static let (occurrences, each) = (1_000, 50)

    static func page(_ view: View) throws(HTTPError) -> WebPage {
        let words = view.words
        let agenda = view.agenda(
            of: EventQuery(range: view.days(7), clock: view.events), limit: occurrences, each: each)
        let last = words.today.advanced(by: 6)
        var page = WebPage(
            "The week", tab: .events,
            main: """
                <section class="head"><h1>\(view.frame.town), \(words.date(words.today)) to \(words.date(last))</h1>\
                <p class="soft">What is on in the next seven days. \(view.frame.url)</p>\
                <h2 class="hidden">Day by day</h2></section>
                <div class="sheet">\(agenda.isEmpty ? EventsPage.empty("Nothing is on.", view) : view.list(agenda.days))</div>\
                \(if: agenda.rest, { date in
                    "<p>There is more <a href=\"/events?from=\(path: date.text)\">from \(words.date(date)) on</a>.</p>"
                })
                """)
        page.path = "/week"
        page.description = "The week in \(view.frame.town), to print."
        page.topics = ["event", "business"]
        return page
    }
}
