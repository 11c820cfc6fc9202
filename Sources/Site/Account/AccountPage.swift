import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum AccountPage {
    static let path = "/account"

    static let actions: [(path: String, action: @Sendable (Call, Submission) async throws -> Response)] = [
        ("/logout", logOut), ("/account/sessions", endSession),
    ]

    static func page(_ view: View) throws -> WebPage {
        let call = view.call
        let person = try call.service.account(of: call.caller, in: view.town)
        let sessions = try call.service.ownSessions(of: call.caller, in: view.town)
        let name = person.displayName.shown ?? person.email
        return WebPage(
            "Your account", .form, tab: .account, topics: ["business", "event"],
            main: """
                <section class="head"><h1 dir="auto">\(name)</h1><p \
                class="soft">\(words(for: person.role))</p>\(view.done)</section>\(AdminParts.rows(for: view))\
                \(places(of: person, view))\(events(of: person, view))\(list(of: sessions, view))\
                <form class="actions" method="post" action="/logout" data-ends="drafts"><a class="button quiet" \
                href="/account/password">Change the password</a>\(if: view.call.service.sendsMail, """
                <a class="button quiet" href="/account/mail">E-mail</a>
                """)<a class="button quiet" download \
                href="/account/data">Download my data</a><button class="quiet">Log out</button></form>
                """)
    }

    static func words(for role: Person.Role) -> String {
        switch role {
        case .generalUser: "You can send events."
        case .businessOwner: "You edit your places and their events."
        case .editor: "Editor of all places and events."
        case .superAdmin: "Administrator."
        }
    }

    private static func places(of person: Person, _ view: View) -> HTML {
        let places = view.town.businesses.owned(by: person.id).compactMap { view.town.businesses[$0] }
        if places.isEmpty { return person.role == .businessOwner ? missing(view) : "" }
        return #"<section class="section"><h2>Your places</h2>\#(view.list(places))</section>"#
    }

    private static func missing(_ view: View) -> HTML {
        let contact = view.frame.settings.contactEmail.flatMap { Link(email: $0, subject: "My place") }
        return """
            <section class="section"><h2>Your places</h2><p>No place is yours yet. Tell us which one is.</p>\
            \(if: contact, { #"<p><a class="button" href="\#(link: $0)">Write to us</a></p>"# })</section>
            """
    }

    private static func events(of person: Person, _ view: View) -> HTML {
        let events = view.town.openEvents(submittedBy: person.id, at: view.call.now)
        return """
            <section class="section"><header><h2>Your events</h2><a href="/account/new-event">New event</a></header>\
            \(if: events.isEmpty, "<p class=\"soft\">No upcoming events.</p>")\
            \(if: !events.isEmpty, "<ul class=\"rows\">\(each: events, { row($0, view) })</ul>")</section>
            """
    }

    static func row(_ event: EventRecord, _ view: View) -> HTML {
        let business = view.town.business(of: event)
        let when = event.representative(at: view.events, business)
        let hasDates = event.hasDates(at: view.events, business)
        let place = view.place(of: event)?.name ?? event.value.location
        // What was accepted is not everybody's to change.
        let page = Link(
            under: view.may(.eventEditor, at: event.value.slug) ? "/account/events" : "/events", event.value.slug)
        return """
            <li data-key="e\(event.id)"><a class="row" href="\(link: page)">\
            <span class="name" dir="auto">\(event.value.name)</span><span \
            class="state">\(words(for: event.value.status))</span><span \
            class="sub">\(view.line(of: [hasDates ? view.words.sentence(of: when) : "no dates left", place]))</span>\
            </a></li>
            """
    }

    static func words(for status: Event.Status) -> String {
        switch status {
        case .draft: "a draft"
        case .pendingReview: "waiting for review"
        case .approved: "published"
        case .rejected: "not accepted"
        case .cancelled: "cancelled"
        }
    }

    private static func list(of sessions: [OpenSession], _ view: View) -> HTML {
        """
        <section class="section"><h2>Where you are logged in</h2><ul class="rows">\(each: sessions, { session in
            """
            <li class="date" data-key="s\(session.credential.id)"><span>\(name(of: session)), \
            used \(view.words.ago(session.lastUsedAt))</span>\(if: !session.isCurrent, end(session))</li>
            """
        })</ul></section>
        """
    }

    private static func name(of session: OpenSession) -> String {
        let device = session.credential.name ?? (session.isCurrent ? "This device" : "Another device")
        return session.isCurrent && session.credential.name != nil ? "\(device) (here)" : device
    }

    private static func end(_ session: OpenSession) -> HTML {
        """
        <form method="post" action="/account/sessions"><input type="hidden" name="id" value="\(session.credential.id)">\
        <button class="plain danger">Log out there</button></form>
        """
    }

    static func data(_ call: Call) throws -> Response {
        try data(of: call.service.account(of: call.caller, in: call.town), call)
    }

    static func data(of person: Person, _ call: Call) throws -> Response {
        let data = try call.service.personalData(of: person.id, for: call.caller, in: call.town)
        return Response(
            .ok,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "no-store",
                "Content-Disposition": "attachment; filename=\"data-of-person-\(person.id).json\"",
            ], body: data)
    }

    private static func logOut(_ call: Call, _ sent: Submission) async throws -> Response {
        _ = try await call.service.logOut(for: call.context(hasKey: false))
        var response = Response.seeOther("/")
        response.headers.add("Set-Cookie", call.dispatcher.sessionCookie.clearing)
        return response
    }

    private static func endSession(_ call: Call, _ sent: Submission) async throws -> Response {
        _ = try await call.service.endSession(sent["id"].flatMap { Int($0) } ?? 0, for: call.context(hasKey: false))
        return .seeOther(path)
    }
}

enum MailChoicePage: FormPage {
    static let path = "/account/mail"
    static let parameters = ["done"]

    private static func choices(_ person: Person, _ town: Town) -> [Mail.Topic] {
        let isOwner = !town.businesses.owned(by: person.id).isEmpty
        let decides = isOwner || person.role == .editor || person.role == .superAdmin
        return (decides ? [.waiting] : []) + [.published] + (isOwner ? [.holiday, .confirmation] : []) + [.password]
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let person = try view.call.service.account(of: view.call.caller, in: view.town)
        return WebPage(
            "Your e-mail", .task, tab: .account,
            main: """
                \(AdminParts.head("Your e-mail", view))<form class="form" method="post">\(state.summary([:]))<fieldset>\
                <legend>We write to \(person.email) about</legend>\(each: choices(person, view.town), { topic in
                    """
                    <label class="option"><input type="checkbox" name="topic" value="\(topic.rawValue)"\
                    \(attribute: "checked", if: !person.refuses(topic))>\
                    <span>\(topic.title)</span></label>
                    """
                })</fieldset><div class="bar"><button>Save</button></div></form>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let person = try call.service.account(of: call.caller, in: call.town)
        let wanted = sent.all("topic").compactMap(Mail.Topic.init(named:))
        try await call.run { $0.setMail(wanted, of: choices(person, call.town), for: $1) }
        return .seeOther(path + "?done=kept")
    }
}

enum AdminParts {
    static func rows(for view: View) -> HTML {
        guard view.call.caller.isEditor(in: view.town) else { return "" }
        return """
            <section class="section"><h2>The town</h2><ul class="rows">\
            \(row("/admin/businesses", "Places", "Find, add, merge"))\
            \(row("/admin/events", "Events", "Coming, waiting, cancelled and past"))\
            \(row("/notices", "Notices", "Snow, water, power, closures"))\
            \(row("/admin/categories", "Categories", "Of places and events"))\
            \(row("/admin/calendars", "Calendars", "Those of others that we fetch"))\
            \(row("/admin/import", "Import", "Sheets and calendars; downloads"))\
            \(row("/admin/changes", "What changed", "By whom, how to undo it, and what was deleted"))\
            \(if: view.call.isSuperAdmin, row("/admin/people", "People", "Invite them and set what they can do"))\
            \(if: view.call.isSuperAdmin, row("/admin/town", "Settings", "Name, clocks, holidays, colours"))\
            \(if: view.call.isSuperAdmin, row("/admin", "Look after it", HealthPage.summary(view)))</ul></section>
            """
    }

    private static func row(_ path: StaticString, _ name: String, _ sub: String) -> HTML {
        """
        <li><a class="row" href="\(link: Link(path))"><span class="name">\(name)</span><span \
        class="sub">\(sub)</span></a></li>
        """
    }

    static func rows(for business: BusinessRecord, _ view: View) -> HTML {
        let page = Link(under: "/admin/businesses", business.slug)
        let owner = Link(under: "/admin/businesses", business.slug, "owner")
        let words: HTML = business.ownerID == nil ? "Invite them" : "Who keeps it up to date"
        return row("manage", page, "Manage", "Hide, rename, merge, delete")
            + (view.call.isSuperAdmin ? row("owner", owner, "Owner", words) : "")
    }

    /// A row that leads to a page, with what tells it from the others when the page is merged.
    static func row(_ key: String, _ link: Link, _ name: String, _ sub: HTML, isOfPeople: Bool = false) -> HTML {
        """
        <li data-key="\(key)"><a class="row" href="\(link: link)"><span \
        class="name"\(attribute: "dir=\"auto\"", if: isOfPeople)>\(name)</span>\
        <span class="sub">\(sub)</span></a></li>
        """
    }

    static func search(_ label: String, _ words: String?, _ placeholder: String, in list: String = "") -> HTML {
        """
        <form class="search" role="search"><label class="hidden" for="q">\(label)</label>\
        <input id="q" name="q" type="search" value="\(words ?? "")" placeholder="\(placeholder)" \
        enterkeyhint="search" autocomplete="off" maxlength="100">\
        \(if: list.shown, { "<input type=\"hidden\" name=\"list\" value=\"\($0)\">" })<button>Search</button></form>
        """
    }

    static func head(_ title: String, in parent: HTML = "", _ view: View) -> HTML {
        """
        <section class="head"><p class="small crumbs"><a \
        href="/account">You</a>\(if: !parent.isEmpty, " › ")\(parent)</p><h1 \
        dir="auto">\(title)</h1>\(view.done)</section>
        """
    }

    static func categories(of town: Town) -> [(value: String, label: String)] {
        [("", "None: not listed")] + town.categories.inOrderOfName().map { ($0.value.slug.text, $0.value.name) }
    }

    static let starter: HTML = "Restaurants, Shops and fourteen others, and ten types of events. You can rename them."

    /// A link that is shown once, to be copied and sent.
    static func link(_ link: String, _ title: String, _ advice: String) -> HTML {
        """
        <section class="card" role="status" tabindex="-1" autofocus><h2>\(title)</h2><p>\(advice)</p>\
        \(sharing(link, label: "Link, shown only now"))\(if: QRCode(link), { $0.markup("A code with this link") })\
        </section>
        """
    }

    /// A link to keep or to pass on. What needs the script is hidden without it.
    static func sharing(_ link: String, label: String = "Link") -> HTML {
        """
        <div class="field"><label for="made">\(label)</label><input id="made" readonly value="\(link)"></div>\
        <div class="actions"><button type="button" class="quiet" data-copy="\(link)" hidden>Copy</button>\
        <button type="button" class="quiet" data-share="\(link)" hidden>Share</button></div>
        """
    }
}
