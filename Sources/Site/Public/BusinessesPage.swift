import Bytes
import Dispatcher
import HTTP
import SookeModel
import Store

/// `/businesses`: the directory, as a list that can be searched and narrowed.
enum BusinessesPage {
    static let parameters = ["q", "date", "category", "open", "kind", "near", "page"]

    private static let mostClosed = 10
    private static let mostUnlocated = 100

    static func page(_ view: View) throws -> WebPage {
        let filter = try Filter(view)
        let request = PageRequest(number: try view.call.count("page") ?? 1)
        let page = view.town.page(request, of: filter.query(among: filter.now?.ids))
        let results = SearchResults(filter.text, filter.terms, on: filter.date, view)
        // Of a day people want to know what is on.
        let isOfEvents = filter.date != nil || page.total == 0
        var shown = WebPage(
            filter.searchTitle(view.words), tab: .businesses, topics: ["business", "category", "event"],
            main: """
                <section class="head"><h1>\(filter.title)</h1>\(form(filter, view))\
                \(results.chips(ifFound: page.total > 0 || results.hasEvents))</section>
                \(if: isOfEvents, results.events)\
                <section class="section" data-key="found">\(found(page, filter, results, view))</section>
                \(try closed(page, filter, view))\(unlocated(page, filter, view))\
                \(if: !isOfEvents, results.events)
                """)
        let isPlain =
            filter.words == nil && filter.date == nil && filter.near == nil && !filter.isOpen
            && !filter.isOfUnknownCategory
        shown.path =
            isPlain && page.request.number == 1
            ? Link("/businesses", [("category", filter.category?.slug.text)]).text : nil
        shown.description = "\(filter.title) in \(view.frame.town), with their hours, phone numbers and menus."
        return shown
    }

    static let searchForm: HTML = """
        <form class="search" role="search" action="/businesses">\(box("", nil))</form>
        """

    private static func box(_ words: String, _ date: CivilDate?) -> HTML {
        """
        <label class="hidden" for="q">Search places, menus, events and phone numbers</label>\
        <input id="q" name="q" type="search" value="\(words)" placeholder="Chowder, yoga, a name" \
        enterkeyhint="search" autocomplete="off" maxlength="100"><label class="hidden" for="date">On a day</label>\
        <input id="date" name="date" type="date" value="\(date?.text ?? "")"><button>Search</button>
        """
    }

    private static func form(_ filter: Filter, _ view: View) -> HTML {
        """
        <form id="filter" action="/businesses" role="search"><div class="search">\
        \(box(filter.words ?? "", filter.given))</div><div class="chips"><label class="chip"><input \
        type="checkbox" name="open" value="1"\(attribute: "checked", if: filter.isOpen)>Open now</label>\
        \(if: filter.kind, { "<input type=\"hidden\" name=\"kind\" value=\"\($0.rawValue)\">" })\
        <label class="chip" data-near\(attribute: "hidden", if: filter.near == nil)><input type="checkbox" name="near" \
        value="\(filter.near ?? "")"\(attribute: "checked", if: filter.near != nil)>Near me</label>\
        <select name="category" aria-label="Category"><option value="">All categories</option>\
        \(each: view.call.version.listedCategories, { option($0.category, $0.count, filter) })</select></div></form>
        """
    }

    private static func option(_ category: Category, _ count: Int, _ filter: Filter) -> HTML {
        """
        <option value="\(category.slug.text)"\(attribute: "selected", if: category.id == filter.category?.id)>\
        \(category.name) (\(count))</option>
        """
    }

    private static func found(
        _ page: Page<BusinessRecord>, _ filter: Filter, _ results: SearchResults, _ view: View
    ) -> HTML {
        """
        <p class="soft" role="status">\(summary(page, filter, view))</p>\
        \(page.records.isEmpty
            ? empty(page, filter, results)
            : view.list(page.records, from: filter.center, by: filter.search, on: filter.date))\
        \(page.links(filter.link))
        """
    }

    private static func summary(_ page: Page<BusinessRecord>, _ filter: Filter, _ view: View) -> String {
        let words = filter.terms.map { " for “\($0)”" } ?? ""
        let day = page.total == 0 ? nil : filter.date.map { ", with the hours of \(view.words.day($0))" }
        let part = page.pageCount > 1 ? ", page \(page.request.number) of \(page.pageCount)" : ""
        var (number, open) = (page.total, filter.isOpen ? " open now" : "")
        if let now = filter.now, !now.unconfirmed.isEmpty {
            let usual = view.town.page(PageRequest(size: 1), of: filter.query(among: now.unconfirmedIDs)).total
            let doubt = ", \(Words.unconfirmed(for: now.holidays))"
            switch usual {
            case 0: break
            case number: open = " usually open now\(doubt)"
            default: (number, open) = (number - usual, open + ", \(usual) usually open\(doubt)")
            }
        }
        let none = filter.words == nil ? "No places" : "Nothing found"
        let isOne = number == 1 || number == 0 && filter.words != nil
        let count = number == 0 ? none : "\(Count(number, "place"))"
        return "\(count)\(words)\(open.isEmpty ? "" : isOne ? " is" : " are")\(open)\(day ?? "")\(part)."
    }

    private static func empty(_ page: Page<BusinessRecord>, _ filter: Filter, _ results: SearchResults) -> HTML {
        if page.total > 0 {
            return """
                <div class="empty"><strong>There are fewer pages now.</strong><p class="small soft">Some places \
                may have been removed.</p><a class="button quiet" href="\(link: filter.link(toPage: 1))">First \
                page</a></div>
                """
        }
        let isNarrowed = filter.isOpen || filter.slug != nil || filter.near != nil
        let title = filter.isOpen ? "Nothing like this is open now." : "Nothing here yet."
        guard isNarrowed || filter.words != nil else { return emptyDirectory }
        if results.hasEvents, !isNarrowed { return "" }
        return """
            <div class="empty"><strong>\(title)</strong><p class="small soft">Try other words, or fewer filters.</p>\
            \(if: filter.words != nil, results.advice)\
            <a class="button quiet" href="\(link: Link("/businesses", [("q", isNarrowed ? filter.words : nil)]))">\
            \(isNarrowed ? "Search without filters" : "See all places")</a></div>
            """
    }

    static let emptyDirectory: HTML = """
        <div class="empty"><strong>The directory is empty.</strong>\
        <p class="small soft">Places will be listed here.</p></div>
        """

    /// What is found without a location, below what is near.
    private static func unlocated(_ page: Page<BusinessRecord>, _ filter: Filter, _ view: View) -> HTML {
        guard filter.near != nil, page.isLast else { return "" }
        var query = filter.query(among: filter.now?.ids)
        (query.near, query.order) = (nil, filter.search == nil ? .name : .relevance)
        query.conditions.append { $0.coordinates == nil }
        let found = view.town.page(PageRequest(size: mostUnlocated), of: query)
        if found.records.isEmpty { return "" }
        return """
            <section class="section" data-key="unlocated"><h2>Not on the map</h2><p class="soft">We do not know where \
            these are, so we cannot say how near they are.</p>\(view.list(found.records, by: filter.search))</section>
            """
    }

    /// What else is found by the words, but closed: somebody who looks for a place wants to know when it opens.
    private static func closed(_ page: Page<BusinessRecord>, _ filter: Filter, _ view: View) throws -> HTML {
        guard filter.isOpen, filter.words != nil, page.isLast else { return "" }
        let all = view.town.page(PageRequest(size: 50), of: filter.query(among: nil)).records
        let closed = all.filter { !$0.isOpen(at: view.hours) }.prefix(mostClosed)
        guard !closed.isEmpty else { return "" }
        return """
            <section class="section" data-key="closed"><header><h2>Closed now</h2></header>\
            \(view.list(closed, from: filter.center, by: filter.search))</section>
            """
    }
}

private struct Filter {
    let words: String?
    /// The words without a date, and what to search for.
    let terms: String?
    let text: SearchQuery?
    /// The date that was chosen, and the one that was chosen or written.
    let given: CivilDate?
    let date: CivilDate?
    /// The category as in the address, and if there is one.
    let slug: Slug?
    let category: Category?
    /// What is open, if they look for that only.
    let now: OpenNow?
    var isOpen: Bool { now != nil }
    let kind: PlaceKind?
    let near: String?
    let center: Coordinates?
    let search: BusinessSearch?
    private let circle: GeoCircle?
    private let ofKind: Set<Int>?

    init(_ view: View) throws {
        let call = view.call
        words = try call.parameter("q")
        slug = try call.parameter("category").map(Slug.init(_:))
        category = slug.flatMap { view.town.categories[$0]?.value }
        near = try call.parameter("near")
        circle = try call.near()
        center = circle?.center
        now = try call.parameter("open").map { _ in call.service.openNow(in: call.version) }
        kind = try now.flatMap { _ in try call.parameter("kind").flatMap(PlaceKind.init(rawValue:)) }
        view.changes(at: now?.time.upperBound)
        let town = view.town
        let now = now
        ofKind = kind.map { Set(now?.byKind[$0]?.map(\.id) ?? []) }
        func find(_ query: SearchQuery?) -> BusinessSearch? { query.map { BusinessSearch($0, in: town) } }
        let today = view.words.today
        given = try call.date("date").map { min(max($0, today), today.advanced(by: Self.daysAhead)) }
        let query = try call.search()
        let found = find(query)
        // What names a place is not a date.
        if given == nil, let words, found?.ranked.isEmpty == true, let day = view.words.day(in: words) {
            (terms, date) = (day.rest.shown, min(max(day.date, today), today.advanced(by: Self.daysAhead)))
            text = terms.flatMap { try? SearchQuery($0) }
            search = find(text)
        } else {
            (terms, date, text, search) = (words, given, query, found)
        }
    }

    private static let daysAhead = 730

    func query(among ids: Set<Int>?) -> BusinessQuery {
        var query = BusinessQuery(category: slug)
        query.matches = search?.ranked
        query.near = circle
        query.ids = ids.map { ids in ofKind.map { ids.intersection($0) } ?? ids }
        query.order = circle != nil ? .distance : search != nil ? .relevance : .name
        return query
    }

    var isOfUnknownCategory: Bool { slug != nil && category == nil }

    var title: String { category?.name ?? kind?.name ?? "Directory" }

    func searchTitle(_ words: Words) -> String {
        let parts = [terms.map { "“\($0)”" }, category?.name, date.map(words.day)].compactMap(\.self)
        return terms == nil && date == nil ? title : "Search: " + parts.joined(separator: ", ")
    }

    func link(toPage number: Int) -> Link {
        Link(
            "/businesses",
            [
                ("q", words), ("date", given?.text), ("category", slug?.text), ("open", isOpen ? "1" : nil),
                ("kind", kind?.rawValue), ("near", near),
                ("page", number > 1 ? "\(number)" : nil),
            ])
    }
}
