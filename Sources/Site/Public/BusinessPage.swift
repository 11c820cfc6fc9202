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
        (query.business, query.host) = (nil, business.slug)
        let elsewhere = view.agenda(of: query, limit: 10, each: 5)
        var page = WebPage(
            value.name, tab: .businesses, topics: ["business", "event", "category"],
            main: """
                <section class="head">\(crumbs(business, view))<h1 dir="auto">\(value.name)</h1>
                <p><span class="state \(state.style.rawValue)">\(state.sentence)</span></p>
                \(if: value.description, paragraphs)</section>
                <div class="two"><div class="section">\(ways(to: business, view))</div>\(facts(business, view))
                <div class="stack">\(menus(value.menus, view))\(events(agenda, business, view))\
                \(if: !elsewhere.isEmpty, """
                    <section class="section"><h2>Their events elsewhere</h2>\(view.list(elsewhere.days))</section>
                    """)</div></div>
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
        <p class="small crumbs"><a href="/businesses">Directory</a>\(if: view.category(of: business), { category in
            #" › <a href="/businesses?category=\#(path: category.slug.text)">\#(category.name)</a>"#
        })</p>
        """
    }

    static func paragraphs(_ text: String) -> HTML {
        let parts = text.split(whereSeparator: \.isNewline)
        return "\(each: parts, { "<p dir=\"auto\">\(String($0))</p>" })"
    }

    /// How to reach it: what one does is beside each, and all of it fits on paper.
    static func ways(to business: BusinessRecord, _ view: View) -> HTML {
        let value = business.value
        let place = value.isMobile ? nil : business.coordinates
        let map = place.map { Link.directions(to: $0, by: view.frame.settings.mapLink) }
        let ways: [(icon: HTML, text: String?, verb: String, link: Link?)] = [
            (Icon.phone, value.phone.shown, "Call", value.phone.flatMap(Link.init(phone:))),
            (Icon.globe, value.website.shown.map(plain), "Visit", value.website.flatMap(Link.init(website:))),
            (Icon.mail, value.email.shown, "Write", value.email.flatMap { Link(email: $0) }),
            (Icon.way, value.addressOrArea.shown, "Directions", map),
        ]
        return """
            <ul class="rows ways">\(each: ways, { way in
                "\(if: way.text, { row(way.icon, $0, way.verb, way.link) })"
            })</ul>\
            <div class="actions"><a class="button quiet" \
            href="/businesses/\(path: business.slug.text)/contact.vcf">Save contact</a>\
            <button class="quiet" data-share hidden>Share</button></div>
            """
    }

    private static func plain(_ website: String) -> String {
        let start = ["https://", "http://"].first { website.lowercased().hasPrefix($0) } ?? ""
        let text = website.dropFirst(start.count)
        return String(text.hasSuffix("/") ? text.dropLast() : text)
    }

    private static func row(_ icon: HTML, _ text: String, _ verb: String, _ link: Link?) -> HTML {
        let content: HTML = "\(icon)<span dir=\"auto\">\(text)</span>"
        guard let link else { return "<li><span class=\"row\">\(content)</span></li>" }
        return """
            <li><a class="row" href="\(link: link)" rel="nofollow">\(content)<b>\(verb)</b></a></li>
            """
    }

    private static func menus(_ menus: [Menu], _ view: View) -> HTML {
        let shown = menus.filter { !$0.items.isEmpty }
        guard !shown.isEmpty else { return "" }
        return #"<section class="section"><h2>Menu</h2>\#(each: shown, { menu($0, view) })</section>"#
    }

    private static func menu(_ menu: Menu, _ view: View) -> HTML {
        """
        <h3 \
        dir="auto">\(menu.name)</h3>\
        \(if: menu.description.shown, { "<p class=\"soft small\" dir=\"auto\">\($0)</p>" })<ul \
        class="menu">\(each: menu.items, { item($0, view) })</ul>
        """
    }

    private static func item(_ item: MenuItem, _ view: View) -> HTML {
        """
        <li data-key="m\(item.id)"><span dir="auto">\(item.name)</span>\
        \(if: item.price.text(in: view.frame.settings.currency).shown, { "<span class=\"n\">\($0)</span>" })\
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
        """
        <aside class="facts beside" aria-label="Hours"><h2>Hours</h2>\
        \(HoursTable.of(business, view))\(footer(business, view))</aside>
        """
    }

    private static func footer(_ business: BusinessRecord, _ view: View) -> HTML {
        """
        <footer class="small soft">\(if: business.confirmedAt, { moment in
            #"<span>Confirmed \#(view.words.ago(moment)).</span>"#
        }) <a href="/businesses/\(path: business.slug.text)/report" rel="nofollow">Report a problem</a>\
        \(edit(business, view))</footer>
        """
    }

    private static func edit(_ business: BusinessRecord, _ view: View) -> HTML {
        guard view.frame.person != nil, view.may(.businessEditor, at: business.slug) else { return "" }
        return """
             <a href="/account/businesses/\(path: business.slug.text)">Edit this place</a> \
            <a href="/embed?host=\(path: business.slug.text)">Put its events on your site</a>
            """
    }
}

/// The hours of a business: today first, then the next six days, then special days with their reasons.
enum HoursTable {
    /// How far ahead special days are shown, in days, and how many.
    private static let (ahead, mostSpecial) = (90, 8)

    static func of(_ business: BusinessRecord, _ view: View) -> HTML {
        let today = view.words.today
        let days = (0..<7).map { today.advanced(by: $0) }
        let hours = days.map { (date: $0, day: business.openDay(on: $0, at: view.hours)) }
        guard hours.contains(where: { $0.day.isKnown }) else {
            let hasPhone = business.value.phone.flatMap(Link.init(phone:)) != nil
            return #"<p class="soft">No hours listed yet.\#(hasPhone ? " Call before you go." : "")</p>"#
        }
        let rows = hours.map { Row(from: $0.date, to: $0.date, day: $0.day) }
        return """
            <table class="week"><tbody>\(each: rows + special(business, after: days[6], view), { row($0, view.words) })\
            </tbody></table>
            """
    }

    private struct Row {
        let from: CivilDate
        /// The last one; nil when they go on after the days that are looked at.
        var to: CivilDate?
        let day: OpenDay
    }

    private static func row(_ row: Row, _ words: Words) -> HTML {
        let ahead = row.from.daysSinceEpoch - words.today.daysSinceEpoch
        let doubt = row.day.unconfirmed.map { Words.unconfirmed(for: [$0]) }
        let remark = [row.day.comment, doubt ?? ""].compactMap(\.shown).joined(separator: " · ")
        let isSpecial = doubt != nil || ahead > 0 && row.day.isSpecial
        let style = ahead == 0 ? isSpecial ? "today special" : "today" : isSpecial ? "special" : "usual"
        return """
            <tr class="\(style)"><th scope="row"><b\(attribute: "class=\"screen\"", if: ahead == 0)>\
            \(name(of: row, ahead: ahead, words))</b>\
            \(if: ahead == 0, "<span class=\"paper\">\(Words.weekdays[row.from.dayOfWeek])</span>")</th>\
            <td class="n">\(if: doubt, { _ in "usually " })\(times(of: row.day, words))\(if: remark.shown, { reason in
                #"<br><span class="small reason" dir="auto">\#(reason)</span>"#
            })</td></tr>
            """
    }

    private static func name(of row: Row, ahead: Int, _ words: Words) -> String {
        switch ahead {
        case 0: "Today"
        case 1..<7: Words.weekdays[row.from.dayOfWeek]
        case _ where row.from == row.to: words.shortDate(row.from)
        default:
            row.to.map { words.shortDates(row.from, $0) } ?? "From \(words.shortDate(row.from))"
        }
    }

    private static func times(of day: OpenDay, _ words: Words) -> HTML {
        if !day.isKnown { return "unknown" }
        if day.spans.isEmpty { return "closed" }
        let spans = day.spans.map { $0.isOpenEnded ? "from \(words.time($0.start))" : words.span($0.start, $0.end) }
        return "\(each: spans.dropLast(), { "\($0)<br>" })\(spans[spans.count - 1])"
    }

    private static func special(_ business: BusinessRecord, after week: CivilDate, _ view: View) -> [Row] {
        if business.value.specialHours.isEmpty { return [] }
        var rows: [Row] = []
        for days in 1...(ahead + 1) {
            let date = week.advanced(by: days)
            let day = business.openDay(on: date, at: view.hours)
            guard day.isSpecial else { continue }
            if let last = rows.last, last.day == day, last.to?.advanced(by: 1) == date {
                // The day after the last one says whether it is the end.
                rows[rows.count - 1].to = days > ahead ? nil : date
            } else if rows.count < mostSpecial, days <= ahead {
                rows.append(Row(from: date, to: date, day: day))
            } else {
                break
            }
        }
        return rows
    }
}
