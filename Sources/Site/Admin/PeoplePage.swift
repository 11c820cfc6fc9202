import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/people`: everybody with an account, and a form that invites somebody.
enum PeoplePage: FormPage {
    static let path = "/admin/people"
    static let access = AdminParts.everything
    static let audit: AuditEntry.Action? = .invitation
    static let parameters = ["page", "done"]

    private static let pageSize = 50

    private static let fields = [
        FormField(name: "email", label: "E-mail", control: .line(type: "email")),
        FormField(name: "display_name", label: "Name", hint: "As others read it; you may leave it empty."),
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
        case .businessOwner: "Look after their own places"
        case .editor: "Look after all places and events"
        case .superAdmin: "Everything"
        }
    }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let people = view.town.page(
            PageRequest(number: try view.call.count("page") ?? 1, size: pageSize), of: PersonQuery())
        // After an invitation the form is empty for the next one.
        let shown = state.made == nil ? state : FormState()
        var page = WebPage(
            "People", tab: .account,
            main: """
                \(AdminParts.head("People", view))\(state.made ?? "")\
                <section class="section"><h2>Accounts</h2><p class="soft">\(Count(people.total, "account").description).\
                \(if: isAlone(view), " You are the only administrator: invite somebody who can take over.")</p>\
                <ul class="rows">\(each: people.records, { row($0, view) })</ul>\
                \(people.links { Link("/admin/people", [("page", "\($0)")]) })</section>\
                <section class="section"><h2>Invite somebody</h2><form class="form" method="post">\
                \(shown.summary(fields.labels))\(each: fields, { $0.markup(shown) })\
                <div class="actions"><button>Make an invitation</button></div></form></section>
                """)
        page.hasForm = true
        return page
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
        return """
            <li data-key="p\(person.id)"><a class="row" href="/admin/people/\(path: "\(person.id)")">\
            <span class="name" dir="auto">\(name ?? person.email)</span><span class="sub">\(view.line(of: facts))</span></a></li>
            """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        var patch = Patch<Person>()
        (patch.values.email, patch.values.displayName) = (sent["email"] ?? "", sent["display_name"].shown)
        patch.values.role = sent["role"].flatMap(Person.Role.init(named:)) ?? .generalUser
        patch.fields = ["email", "display_name", "role"]
        let issued = try await call.service.invite(PatchInput(patch), for: call.context(hasKey: false))
        let email = issued.credential.email ?? ""
        let advice =
            call.service.send == nil
            ? "This server sends no e-mail. Send them the link yourself; it opens once, within a week."
            : "An e-mail with the link is on its way. You may also send it yourself; it opens once, within a week."
        throw FormRefusal(
            showing: AdminParts.link(call.service.link(for: issued.token), "An invitation for \(email)", advice))
    }
}
