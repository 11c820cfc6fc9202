import Bytes
import Dispatcher
import HTTP
import SookeModel
import Store

/// What a search of the directory finds beside places: events and categories; and what to do when it finds nothing.
struct SearchResults {
    private let view: View
    private let date: CivilDate?
    private let text: String?
    private let agenda: Agenda?
    private let about: [(category: Category, hasAll: Bool)]

    /// How many matches are looked at, and how many occurrences are shown.
    private static let (most, occurrences, categories) = (40, 12, 3)

    /// The query is nil for a search by date; without a date the events of a year are found.
    init(_ query: SearchQuery?, _ text: String?, on date: CivilDate?, _ view: View) {
        (self.view, self.text, self.date) = (view, text, date)
        about = query.map { Array(view.town.relatedCategories(to: $0).prefix(Self.categories)) } ?? []
        guard query != nil || date != nil else {
            agenda = nil
            return
        }
        var events = EventQuery(range: date.map { view.days(1, from: $0) }, clock: view.events)
        if let query {
            events.matches = view.town.page(PageRequest(size: Self.most), of: query, in: events).page.records
        }
        events.range = events.range ?? view.days(366)
        agenda = view.agenda(of: events, limit: Self.occurrences, each: date == nil ? 2 : 10)
    }

    var hasEvents: Bool { agenda?.isEmpty == false }

    var events: HTML {
        guard let agenda, !agenda.isEmpty || date != nil else { return "" }
        return """
            <section class="section" data-key="events"><header><h2>Events</h2>\
            <a href="\(link: Link("/events", [("from", date?.text)]))">All events</a></header>\
            \(if: agenda.isEmpty, "<p class=\"soft\">No events found on that day.</p>")\
            \(view.list(agenda.days))</section>
            """
    }

    /// Links to the categories that are what somebody looks for; where nothing was found, to the nearest one.
    func chips(ifFound isFound: Bool) -> HTML {
        let shown = about.filter(\.hasAll) + (isFound ? [] : about.filter { !$0.hasAll }.prefix(1))
        return shown.isEmpty ? "" : Self.chips(shown.map(\.category))
    }

    static func chips(_ categories: [Category]) -> HTML {
        """
        <nav class="chips" aria-label="Categories">\(each: categories, { category in
            """
            <a class="chip" href="/businesses?category=\(path: category.slug.text)">\(category.name)</a>
            """
        })</nav>
        """
    }

    var advice: HTML {
        let contact = view.frame.settings.contactEmail.flatMap { Link(email: $0, subject: "Missing: \(text ?? "")") }
        let (tell, label) = contact.map { ($0, "Tell us what is missing") } ?? (Link("/new-event"), "Send an event")
        return #"<a class="button quiet" rel="nofollow" href="\#(link: tell)">\#(label)</a>"#
    }
}

extension OpenWords {
    init(_ day: OpenDay, _ words: Words) {
        let spans = day.spans.map { $0.isOpenEnded ? "from \(words.time($0.start))" : words.span($0.start, $0.end) }
        let doubt = day.unconfirmed.map { " · " + Words.unconfirmed(for: [$0]) } ?? ""
        style = !day.isKnown ? .unknown : spans.isEmpty ? .closed : doubt.isEmpty ? .open : .unconfirmed
        short = (!day.isKnown ? "hours unknown" : spans.isEmpty ? "closed" : spans.joined(separator: ", ")) + doubt
        sentence = short
    }
}
