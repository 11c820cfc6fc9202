import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/people/{id}`: an account: who it is of, and what they may do.
enum PersonPage: FormPage {
    static let path = "/admin/people/{id}"
    static let access = AdminParts.everything
    static let audit: AuditEntry.Action? = .accountChanged
    static let parameters = ["done"]

    private static let mostPlaces = 50

    private static let fields: [RecordField<Person>] = [
        RecordField("display_name", "Name", \.displayName, hint: "As others read it."),
        RecordField("email", "E-mail", \.email, hint: "They log in with it.", .line(type: "email")),
        RecordField(
            PeoplePage.role(), text: { $0.role.rawValue },
            set: { text, patch, problems in
                guard let role = Person.Role(named: text) else { return problems.add("role", "is not one of these") }
                patch.values.role = role
                patch.fields.insert("role")
            }),
    ]

    /// The account of the address.
    ///
    /// - Throws: 404.
    static func find(_ call: Call, in town: Town) throws(HTTPError) -> Person {
        let id = try call.id()
        return try call.translatingErrors { () throws(ServiceError) in try call.service.person(id, in: town) }
    }

    static func path(_ call: Call, _ done: String) throws(HTTPError) -> String {
        "/admin/people/\(try call.id())?done=\(done)"
    }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let person = try find(view.call, in: view.town)
        // After a link was made, the form is that of the account.
        let shown = state.made == nil ? state : FormState()
        let name = person.displayName.shown ?? person.email
        var page = WebPage(
            name, tab: .account,
            main: """
                \(AdminParts.head(name, in: AdminParts.people, view))\(state.made ?? "")\(places(of: person, view))\
                <form class="form" method="post" action="/admin/people/\(path: "\(person.id)")">\
                \(shown.summary(fields.map(\.field).labels))\(each: fields, { $0.markup(shown, of: person) })\
                <div class="actions"><button>Save</button></div></form>\(parts(of: person))
                """)
        (page.hasForm, page.isTask) = (true, true)
        return page
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
        <section class="section"><h2>If they cannot get in</h2><p>Make a link with which they set a new password, and send it \
        to them. If somebody else may have their phone, end all their sessions too.</p><div class="actions">\
        <form method="post" action="/admin/people/\(path: "\(person.id)")/password">\
        <button class="quiet">Make a link for a new password</button></form>\
        <form method="post" action="/admin/people/\(path: "\(person.id)")/sessions">\
        <button class="quiet">End all sessions</button></form></div></section>\
        <section class="section"><h2>If they leave</h2><p>Their places and events stay, without an owner.</p>\
        <div class="actions"><a class="button quiet danger" href="/admin/people/\(path: "\(person.id)")/delete">\
        Remove the account</a></div></section>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.merge(
            sent,
            into: { version in
                let person = try find(call, in: version.town)
                return (person, person.digest)
            }, { fields.texts(of: $0) },
            running: { person, changes, context in
                _ = try await call.service.updatePerson(
                    person.id, PatchInput(try fields.patch(changes)), for: context)
            })
        return .seeOther(try path(call, "saved"))
    }
}

/// What a button on the page of an account does: afterwards that page is shown again.
protocol PersonAction: FormPage {}

extension PersonAction {
    static var access: Access { AdminParts.everything }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage { try PersonPage.page(view, state) }
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

/// `/admin/people/{id}/delete`: says what it means that an account is removed, and removes it.
enum PersonRemovalPage: PersonAction {
    static let path = PersonPage.path + "/delete"
    static let audit: AuditEntry.Action? = .accountRemoved

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let person = try PersonPage.find(view.call, in: view.town)
        let places = view.town.businesses.owned(by: person.id).count
        return .asking(
            "Remove \(person.displayName.shown ?? person.email)?",
            """
            \(person.email) can no longer log in. \(places == 0 ? "" : "\(Count(places, "place")) will have no owner. ")\
            Events that they sent stay. This cannot be undone.
            """, button: "Remove the account", orKeep: Link("/admin/people/", "\(person.id)", ""), state)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        _ = try await call.service.deletePerson(call.id(), for: call.context(hasKey: false))
        return .seeOther(PeoplePage.path + "?done=removed")
    }
}
