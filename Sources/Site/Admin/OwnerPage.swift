import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/businesses/{slug}/owner`: gives a place to its owner, and makes the account that they need for that.
enum OwnerPage: FormPage {
    static let path = AdminBusinessPage.path + "/owner"
    static let access = Access.superAdmin
    static let audit: AuditEntry.Action? = .invitation
    static let parameters = ["done"]

    private static let name = FormField(
        name: "display_name", label: "Name, for a new account", hint: "As others read it; you may leave it empty.")

    private static func owner(in town: Town) -> RecordField<Business> {
        RecordField(
            FormField(
                name: "owner", label: "E-mail of the owner", hint: "They may change all of it; empty means nobody.",
                control: .line(type: "email")),
            sets: ["owner_id"], text: { $0.ownerID.flatMap { town.people[$0] }?.email ?? "" },
            set: { text, business, _ in business.ownerID = town.people[email: text]?.id })
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let (title, field) = ("Owner of \(business.name)", owner(in: view.town))
        let shown = state.made == nil ? state : FormState()
        return WebPage(
            title, .task, tab: .account,
            main: """
                \(AdminParts.head(title, in: AdminBusinessPage.link(to: business), view))\(state.made ?? "")\
                <form class="form" method="post" novalidate>\(shown.summary([field.field, name]))<p>They keep the \
                hours and the page of this place up to date. Who has no account yet gets an invitation.</p>\
                \(field.markup(shown, of: business.value))\(name.markup(shown))\
                <div class="actions"><button>Save</button></div></form>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let town = call.service.store.current.town
        let (business, email, field) = (try OwnBusiness.find(call, in: town), sent["owner"] ?? "", owner(in: town))
        let person = town.people[email: email]
        if person == nil, !email.isEmpty { return try await invite(email, toOwn: business, sent, call) }
        try await OwnBusiness.save(call, sent, { [field].texts(of: $0.value) }) { try [field].patch($1) }
        guard let person else { return .seeOther(AdminBusinessPage.path(of: business) + "/owner?done=saved") }
        // Somebody who only sent events so far could not change their place.
        if person.role == .generalUser {
            _ = try await call.service.promote(person.id, to: .businessOwner, for: call.context(hasKey: false))
        }
        throw FormRefusal(
            showing: AdminParts.link(
                call.service.url + OwnBusiness.path(of: business) + "/hours", "It belongs to \(person.email) now",
                "They have an account. Send them this link to the hours of their place."))
    }

    private static func invite(
        _ email: String, toOwn business: BusinessRecord, _ sent: Submission, _ call: Call
    ) async throws -> Response {
        if business.ownerID != nil {
            throw FormRefusal("owner", "This place has an owner. Save this empty first, then invite the new one")
        }
        var patch = Patch<Person>()
        (patch.values.email, patch.values.displayName) = (email, sent["display_name"].shown)
        (patch.values.role, patch.fields) = (.businessOwner, ["email", "display_name", "role"])
        let issued = try await call.service.invite(
            PatchInput(patch), toOwn: business.id, for: call.context(hasKey: false))
        throw FormRefusal(showing: PeoplePage.invitation(issued, call))
    }

    static func field(showing name: String) -> String? { name == "email" ? "owner" : name }
}
