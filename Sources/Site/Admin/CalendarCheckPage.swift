import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/calendars/new`: the address of a calendar and what to make of its events. It is looked at first.
enum NewCalendarPage: FormPage {
    static let path = CalendarsPage.path + "/new"
    static let access = Access.editor

    private static let hint = "Of the calendar (often it ends with .ics), or of the page that shows it."

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        WebPage(
            "Add a calendar", .task, tab: .account,
            main: """
                \(AdminParts.head("Add a calendar", in: CalendarPage.crumb, view))\
                \(CalendarPage.form(
                    of: PulledCalendar(), CalendarPage.fields(view.town, hint), state, button: "Look at it"))
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let fields = CalendarPage.fields(call.town)
        let texts = fields.map { ($0.field.name, sent[$0.field.name] ?? "") }
        let calendar = try fields.patch(Dictionary(uniqueKeysWithValues: texts)).values
        if calendar.name.isEmpty { throw FormRefusal("name", "Enter a name, for example Library") }
        return try CalendarCheckPage.look(at: calendar, call)
    }

    static func field(showing name: String) -> String? { CalendarPage.field(showing: name) }
}

/// `/admin/calendars/checks/{token}`: what a calendar would bring, as soon as it is fetched, and a button to add it.
enum CalendarCheckPage: FormPage {
    static let path = CalendarsPage.path + "/checks/{token}"
    static let access = Access.editor
    static let parameters = ["look"]

    /// How often the page reloads itself.
    private static let looks = 5
    private static let mostLeftOut = 20

    static func look(at calendar: PulledCalendar, _ call: Call) throws -> Response {
        let check = try call.service.checkCalendar(calendar, for: call.context(hasKey: false))
        return .seeOther("\(CalendarsPage.path)/checks/\(check.token)")
    }

    private static func find(_ call: Call) throws -> CalendarFetches.Check {
        let token = try call.captures.text("token")
        guard let check = call.service.fetches.check(token, of: call.caller.personID) else {
            throw ServiceError.notFound(.address)
        }
        return check
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let check = try find(view.call)
        let look = try view.call.count("look") ?? 1
        let content = check.result.map { found($0, view) } ?? waiting(look < looks, view)
        var page = WebPage(
            check.calendar.name, .task, tab: .account,
            main: """
                \(AdminParts.head(check.calendar.name, in: CalendarPage.crumb, view))\
                \(state.summary(CalendarPage.fields(view.town).map(\.field), isLinked: false))\(content)
                """)
        if check.result == nil, look < looks {
            page.next = Link("/admin/calendars/checks/", check.token, "").with([("look", "\(look + 1)")])
        }
        return page
    }

    private static func waiting(_ goesOn: Bool, _ view: View) -> HTML {
        let slow: HTML = "<p>It takes longer than usual. Reload the page in a minute.</p>"
        let nobody = CalendarsPage.nobodyFetches(view)
        return """
            <section class="section" role="status">\
            \(goesOn ? "<p>We are looking at it. This page reloads itself.</p>" : nobody.isEmpty ? slow : nobody)\
            </section>
            """
    }

    private static func found(_ found: CalendarPreview, _ view: View) -> HTML {
        if let problem = found.problem.map({ Words.problem($0, of: nil) }) {
            return """
                <section class="section"><p class="problem">\(problem)</p><form class="actions" method="post">\
                \(each: found.links.enumerated(), { number, link in
                    """
                    <button class="quiet" name="link" value="\(number)"><span>Look at “<bdi>\(link.name)</bdi>”\
                    </span></button>
                    """
                })<a class="button quiet" href="/admin/calendars/new">Try another address</a></form></section>
                """
        }
        let until = found.until.map { ", until \(view.words.date(view.words.local($0).date))" } ?? ""
        return """
            <section class="section"><p><strong>\(Count(found.coming, "coming event").description)\(until).</strong> \
            The first ones wait until you publish them all at once.</p><form class="actions" method="post">\
            <button>Add</button>\
            <a class="button quiet" href="/admin/calendars/new">Try another address</a></form>\
            \(if: !found.leftOut.isEmpty, leftOut(found.leftOut))\
            \(if: !found.twins.isEmpty, twins(found.twins))</section>\
            \(if: !found.first.isEmpty, """
                <section class="section"><h2>The first ones</h2>\(each: found.first, { event in
                    "<article class=\"card\">\(WaitingPage.event(event, view))</article>"
                })</section>
                """)
            """
    }

    static func leftOut(_ texts: [String]) -> HTML {
        """
        <details class="small"><summary>\(Count(texts.count, "entry").description) left out</summary><ul>\
        \(each: texts.prefix(mostLeftOut), { "<li dir=\"auto\">\($0)</li>" })</ul>\
        \(if: texts.count > mostLeftOut, "<p class=\"soft\">And \(texts.count - mostLeftOut) more.</p>")</details>
        """
    }

    private static func twins(_ twins: [EventRecord]) -> HTML {
        """
        <details class="small"><summary>\(Count(twins.count, "event").description) here already</summary><ul>\
        \(each: twins.prefix(mostLeftOut), { twin in
            """
            <li><a href="/events/\(path: twin.value.slug.text)"><bdi>\(twin.value.name)</bdi></a></li>
            """
        })</ul></details>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let check = try find(call)
        var calendar = check.calendar
        if let number = sent["link"].flatMap({ Int($0) }) {
            guard let link = check.result?.links.dropFirst(max(0, number)).first else { throw ServiceError.gone }
            calendar.address = link.address
            return try look(at: calendar, call)
        }
        var patch = Patch<PulledCalendar>()
        patch.values = calendar
        patch.fields = ["address", "name", "event_type", "host", "organizer", "place", "trust"]
        let input = PatchInput(patch)
        try await call.run { $0.createCalendar(input, for: $1) }
        return .seeOther(CalendarsPage.path + "?done=added")
    }

    static func field(showing name: String) -> String? { CalendarPage.field(showing: name) }
}
