import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/businesses/{slug}`: whether it is open and until when, how to reach it, what it serves, what is on there.
enum BusinessPage {
    static func page(_ view: View) throws -> Answer {
        let call = view.call
        switch try call.service.business(call.slug(), for: .anonymous, in: view.town) {
        case .found(let business): return .page(page(of: business, view))
        case .moved(let slug): return .moved(call.moved(to: "/businesses/", slug))
        }
    }

    private static func page(of business: BusinessRecord, _ view: View) -> WebPage {
        let value = business.value
        let state = view.state(of: business)
        var query = EventQuery(business: business.slug, range: view.days(60), clock: view.events)
        query.series = view.call.version.upcomingSeries(at: view.events)
        let agenda = view.agenda(of: query, limit: 10, each: 5)
        var page = WebPage(
            value.name, tab: .businesses, topics: ["business", "event", "category"],
            main: """
                <section class="head">\(crumbs(business, view))<h1 dir="auto">\(value.name)</h1>
                <p><span class="state \(state.style.rawValue)">\(state.sentence)</span></p>
                \(if: value.description, paragraphs)\(actions(value, business.coordinates, view))</section>
                <div class="two">\(facts(business, view))
                <div class="stack">\(menus(value.menus))\(events(agenda, business, view))</div></div>
                """)
        page.path = Link.path(business: business.slug)
        page.description =
            value.description.shown.map { String($0.prefix(200)) }
            ?? "\(value.name) in \(view.frame.town): hours, phone, address."
        page.data = BusinessData.of(business, view)
        return page
    }

    private static func crumbs(_ business: BusinessRecord, _ view: View) -> HTML {
        """
        <p class="small crumbs"><a href="/businesses">Businesses</a>\(if: view.category(of: business), { category in
            #" › <a href="/businesses?category=\#(path: category.slug.text)">\#(category.name)</a>"#
        })</p>
        """
    }

    static func paragraphs(_ text: String) -> HTML {
        let parts = text.split(whereSeparator: \.isNewline)
        return "\(each: parts, { "<p dir=\"auto\">\(String($0))</p>" })"
    }

    private static func actions(_ value: Business, _ place: Coordinates?, _ view: View) -> HTML {
        let phone = value.phone.flatMap { text in Link(phone: text).map { (text: text, link: $0) } }
        let website = value.website.flatMap(Link.init(website:))
        let way = place.map { Link.directions(to: $0, by: view.frame.settings.mapLink) }
        if phone == nil, website == nil, way == nil { return "" }
        return """
            <div class="actions">\(if: phone, { phone in
                #"<a class="button" href="\#(link: phone.link)">\#(Icon.phone)\#(phone.text)</a>"#
            })\(if: way, { way in
                #"<a class="button quiet" href="\#(link: way)">\#(Icon.way)Directions</a>"#
            })\(if: website, { website in
                #"<a class="button quiet" href="\#(link: website)" rel="nofollow">\#(Icon.globe)Website</a>"#
            })</div>
            """
    }

    private static func menus(_ menus: [Menu]) -> HTML {
        let shown = menus.filter { !$0.items.isEmpty }
        guard !shown.isEmpty else { return "" }
        return #"<section class="section"><h2>Menu</h2>\#(each: shown, menu)</section>"#
    }

    private static func menu(_ menu: Menu) -> HTML {
        """
        <h3 \
        dir="auto">\(menu.name)</h3>\
        \(if: menu.description.shown, { "<p class=\"soft small\" dir=\"auto\">\($0)</p>" })<ul \
        class="menu">\(each: menu.items, item)</ul>
        """
    }

    private static func item(_ item: MenuItem) -> HTML {
        """
        <li data-key="m\(item.id)"><span dir="auto">\(item.name)</span>\
        \(if: item.price, { "<span class=\"n\">$\($0.text)</span>" })\
        \(if: item.description.shown, { "<span class=\"soft small\" dir=\"auto\">\($0)</span>" })</li>
        """
    }

    private static func events(_ agenda: Agenda, _ business: BusinessRecord, _ view: View) -> HTML {
        if agenda.isEmpty { return "" }
        return """
            <section class="section"><header><h2>Events here</h2>\
            <a href="/events?business=\(path: business.slug.text)">All</a></header>\
            \(view.list(agenda.days, isAtPlace: true))</section>
            """
    }

    private static func facts(_ business: BusinessRecord, _ view: View) -> HTML {
        let value = business.value
        let email = value.email.flatMap { text in Link(email: text).map { (text: text, link: $0) } }
        // On a screen these are buttons.
        let paper = [("Phone", value.phone.shown), ("Website", value.website.shown)]
        return """
            <aside class="facts beside" aria-label="Hours and address"><h2>Hours</h2>\
            \(HoursTable.of(business, view))<dl class="pair"><dt>Address</dt><dd dir="auto">\(value.address)</dd>\
            \(if: email, { email in
                #"<dt>E-mail</dt><dd><a href="\#(link: email.link)">\#(email.text)</a></dd>"#
            })\(each: paper, { name, text in
                "\(if: text, { "<dt class=\"paper\">\(name)</dt><dd class=\"paper\" dir=\"auto\">\($0)</dd>" })"
            })</dl>\(footer(business, view))</aside>
            """
    }

    private static func footer(_ business: BusinessRecord, _ view: View) -> HTML {
        """
        <footer class="small soft">\(if: business.confirmedAt, { moment in
            #"<span>Confirmed \#(view.words.ago(moment)).</span>"#
        }) <a href="/businesses/\(path: business.slug.text)/report" rel="nofollow">Something is wrong</a>\
        \(edit(business, view))</footer>
        """
    }

    private static func edit(_ business: BusinessRecord, _ view: View) -> HTML {
        guard view.frame.person != nil, view.may(.businessEditor, at: business.slug) else { return "" }
        return " <a href=\"/account/businesses/\(path: business.slug.text)\">Change it</a>"
    }
}
