import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum PeoplePage: FormPage {
    static let path = "/admin/people"
    static let access = Access.superAdmin
    static let audit: AuditEntry.Action? = .invitation
    static let parameters = ["page", "done"]

    private static let pageSize = 50

    private static let fields = [
        FormField(name: "email", label: "E-mail", control: .line(type: "email")),
        FormField(name: "display_name", label: "Name", hint: "As others see it. You may leave it empty."),
        role(shown: Person.Role.businessOwner.rawValue),
    ]

    static func role(shown: String = "") -> FormField {
        FormField(
            name: "role", label: "What they may do", shown: shown,
            control: .choice(Person.Role.allCases.map { ($0.rawValue, words(for: $0)) }))
    }

    static func words(for role: Person.Role) -> String {
        switch role {
        case .generalUser: "Send events"
        case .businessOwner: "Edit their own places"
        case .editor: "Edit all places and events"
        case .superAdmin: "Administrator: everything"
        }
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let people = view.town.page(
            PageRequest(number: try view.call.count("page") ?? 1, size: pageSize), of: PersonQuery())
        // After an invitation the form is empty for the next one.
        let shown = state.made == nil ? state : FormState()
        return WebPage(
            "People", .form, tab: .account,
            main: """
                \(AdminParts.head("People", view))\(state.made ?? "")\
                <section class="section"><h2>Accounts</h2><p \
                class="soft">\(Count(people.total, "account").description).\
                \(if: isAlone(view), " You are the only administrator. Invite another one who can take over.")</p>\
                <ul class="rows">\(each: people.records, { row($0, view) })</ul>\
                \(people.links { Link("/admin/people", [("page", "\($0)")]) })</section>\
                <section class="section"><h2>Invite a person</h2><form class="form" method="post" novalidate>\
                \(shown.summary(fields))\(each: fields, { $0.markup(shown) })\
                <div class="actions"><button>Make an invitation</button></div></form></section>
                """)
    }

    /// Whether nobody else, besides the one who looks, may do everything.
    private static func isAlone(_ view: View) -> Bool {
        view.town.people.inOrderOfID.lazy.filter { $0.role == .superAdmin }.prefix(2).count == 1
    }

    private static func row(_ person: Person, _ view: View) -> HTML {
        let name = person.displayName.shown
        let places = view.town.businesses.owned(by: person.id).count
        let facts = [
            name == nil ? nil : person.email, words(for: person.role), places == 0 ? nil : "\(Count(places, "place"))",
        ]
        let page = Link("/admin/people/", "\(person.id)", "")
        return AdminParts.row("p\(person.id)", page, name ?? person.email, view.line(of: facts), isOfPeople: true)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        var patch = Patch<Person>()
        (patch.values.email, patch.values.displayName) = (sent["email"] ?? "", sent["display_name"].shown)
        patch.values.role = sent["role"].flatMap(Person.Role.init(named:)) ?? .generalUser
        patch.fields = ["email", "display_name", "role"]
        let issued = try await call.service.invite(PatchInput(patch), for: call.context(hasKey: false))
        throw FormRefusal(showing: invitation(issued, call))
    }

    static func invitation(_ issued: IssuedCredential, _ call: Call) -> HTML {
        let email = issued.credential.email ?? ""
        let advice =
            !call.service.sendsMail
            ? "This server sends no e-mail. Send them the link yourself; it opens once, within a week."
            : "An e-mail with the link is on its way. You may also send it yourself; it opens once, within a week."
        return AdminParts.link(call.service.link(for: issued.token), "An invitation for \(email)", advice)
    }
}

enum PersonPage: FormPage {
    static let path = "/admin/people/{id}"
    static let access = Access.superAdmin
    static let audit: AuditEntry.Action? = .accountChanged
    static let parameters = ["done"]

    private static let mostPlaces = 50

    private static let fields: [RecordField<Person>] = [
        RecordField("display_name", "Name", \.displayName, hint: "As others see it."),
        RecordField("email", "E-mail", \.email, hint: "They log in with it.", .line(type: "email")),
        RecordField(PeoplePage.role(), \.role),
    ]

    static func find(_ call: Call, in town: Town) throws -> Person {
        try call.service.person(call.id(), in: town)
    }

    static func path(_ call: Call, _ done: String) throws -> String {
        "/admin/people/\(try call.id())?done=\(done)"
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let person = try find(view.call, in: view.town)
        // After a link was made, the form is that of the account.
        let shown = state.made == nil ? state : FormState()
        let name = person.displayName.shown ?? person.email
        return WebPage(
            "Account of \(name)", .task, tab: .account,
            main: """
                \(AdminParts.head(name, in: #"<a href="/admin/people">People</a>"#, view))\
                \(state.made ?? "")\(places(of: person, view))\
                <form class="form" method="post" novalidate action="/admin/people/\(path: "\(person.id)")">\
                \(shown.summary(fields.map(\.field)))\(each: fields, { $0.markup(shown, of: person) })\
                <div class="actions"><button>Save</button></div></form>\(parts(of: person))
                """)
    }

    static func data(_ call: Call) throws -> Response {
        try AccountPage.data(of: find(call, in: call.town), call)
    }

    private static func places(of person: Person, _ view: View) -> HTML {
        let places = view.town.businesses.owned(by: person.id)
        if places.isEmpty { return "" }
        let shown = places.prefix(mostPlaces).compactMap { view.town.businesses[$0] }
        return """
            <section class="section"><h2>Their places</h2>\(AdminBusinessesPage.list(shown, view))\
            \(if: places.count > mostPlaces, "<p class=\"soft\">And \(places.count - mostPlaces) more.</p>")</section>
            """
    }

    private static func parts(of person: Person) -> HTML {
        """
        <section class="section"><h2>If they cannot get in</h2><p>Make a link with which they set a new password, and \
        send it to them. If another person may have their phone, end all their sessions too.</p><div class="actions">\
        <form method="post" action="/admin/people/\(path: "\(person.id)")/password">\
        <button class="quiet">Make a link for a new password</button></form>\
        <form method="post" action="/admin/people/\(path: "\(person.id)")/sessions">\
        <button class="quiet">End all sessions</button></form></div></section>\
        <section class="section"><h2>If they leave</h2><p>Their places and events stay, without an owner.</p>\
        <div class="actions"><a class="button quiet" download href="/admin/people/\(path: "\(person.id)")/data">\
        Download their data</a><a class="button quiet danger" href="/admin/people/\(path: "\(person.id)")/delete">\
        Remove the account</a></div></section>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.merge(
            sent, into: { try find(call, in: $0) }, \.digest, { fields.texts(of: $0) }
        ) { person, changes, context in
            _ = try await call.service.updatePerson(person.id, PatchInput(try fields.patch(changes)), for: context)
        }
        return .seeOther(try path(call, "kept"))
    }
}

/// What a button on the page of an account does: afterwards that page is shown again.
protocol PersonAction: FormPage {}

extension PersonAction {
    static var access: Access { Access.superAdmin }

    static func page(_ view: View, _ state: FormState) throws -> WebPage { try PersonPage.page(view, state) }
}

/// `/admin/people/{id}/password`: a link with which a person sets a new password.
enum PersonLinkPage: PersonAction {
    static let path = PersonPage.path + "/password"
    static let audit: AuditEntry.Action? = .passwordLink

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let issued = try await call.service.issuePasswordReset(of: call.id(), for: call.context(hasKey: false))
        throw FormRefusal(
            showing: AdminParts.link(
                call.service.link(for: issued.token), "A link for a new password",
                "Send it to them yourself. It opens once, within a day; earlier ones no longer do."))
    }
}

/// `/admin/people/{id}/sessions`: logs somebody out everywhere.
enum PersonSessionsPage: PersonAction {
    static let path = PersonPage.path + "/sessions"
    static let audit: AuditEntry.Action? = .accountChanged

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        _ = try await call.service.endSessions(of: call.id(), for: call.context(hasKey: false))
        return .seeOther(try PersonPage.path(call, "ended"))
    }
}

enum PersonRemovalPage: PersonAction {
    static let path = PersonPage.path + "/delete"
    static let audit: AuditEntry.Action? = .accountRemoved

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let person = try PersonPage.find(view.call, in: view.town)
        let places = view.town.businesses.owned(by: person.id).count
        return .asking(
            "Remove \(person.displayName.shown ?? person.email)?",
            """
            \(person.email) can no longer log in. \
            \(places == 0 ? "" : "\(Count(places, "place")) will have no owner. ")Events that they sent stay. \
            The account can be restored under What changed, but not its password, sessions and tokens.
            """, button: "Remove the account", orKeep: Link("/admin/people/", "\(person.id)", ""), state)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        _ = try await call.service.deletePerson(call.id(), for: call.context(hasKey: false))
        return .seeOther(PeoplePage.path + "?done=removed")
    }
}
