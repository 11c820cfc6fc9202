import Dispatcher
import HTTP
import SookeModel
import Store

/// `/week`: the next seven days on one sheet of paper.
enum WeekPage {
    private static let occurrences = 45

    static func page(_ view: View) throws(HTTPError) -> WebPage {
        let words = view.words
        let agenda = view.agenda(of: EventQuery(range: view.days(7), clock: view.events), limit: occurrences, each: 7)
        let last = words.today.advanced(by: 6)
        var page = WebPage(
            "The week", tab: .events,
            main: """
                <section class="head"><h1>\(view.frame.town), \(words.date(words.today)) to \(words.date(last))</h1>\
                <p class="soft">What is on in the next seven days. \(view.frame.url)</p>\
                <h2 class="hidden">Day by day</h2></section>
                <div class="sheet">\(agenda.isEmpty ? EventsPage.empty("Nothing is on.", view) : view.list(agenda.days))</div>
                """)
        page.path = "/week"
        page.description = "The week in \(view.frame.town), to print."
        page.topics = ["event", "business"]
        return page
    }
}
