import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/businesses/{slug}`: what administrators decide about a place: category, address, owner, and whether it stays.
enum AdminBusinessPage: FormPage {
    static let path = "/admin/businesses/{slug}"
    static let access = AdminParts.editing
    static let parameters = ["done"]

    static func path(of business: BusinessRecord) -> String { "/admin" + Link.path(business: business.slug) }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let fields = fields(in: view.town, for: view.call)
        var page = WebPage(
            "Manage \(business.name)", tab: .account,
            main: """
                \(AdminParts.head("Manage \(business.name)", in: link(to: business), view))\
                <form class="form" method="post" data-draft="\(view.drafts)">\(state.summary(fields.map(\.field).labels))\
                \(each: fields, { $0.markup(state, of: business.value) })<div class="actions"><button>Save</button></div></form>\
                \(parts(of: business))
                """)
        (page.hasForm, page.isTask) = (true, true)
        page.topics = ["business", "category"]
        return page
    }

    static func link(to business: BusinessRecord) -> HTML {
        """
        <a href="/admin/businesses">Places</a> › \
        <a href="/account/businesses/\(path: business.slug.text)"><bdi>\(business.name)</bdi></a>
        """
    }

    private static func parts(of business: BusinessRecord) -> HTML {
        """
        <section class="section"><h2>Is it here twice?</h2><p>Join it with the other one. That one gets its events, and what \
        it lacks of hours, menus and facts.</p><div class="actions">\
        <a class="button quiet" href="/admin/businesses/\(path: business.slug.text)/merge">Join with another place</a></div>\
        </section><section class="section"><h2>Is it gone?</h2><p>To hide it for a while, choose no category instead.</p>\
        <form class="actions" method="post" action="/admin/businesses/\(path: business.slug.text)/delete">\
        <input type="hidden" name="id" value="\(business.id)"><button class="quiet danger">Delete it</button></form></section>
        """
    }

    // MARK: - Fields

    private static func fields(in town: Town, for call: Call) -> [RecordField<Business>] {
        let slug = RecordField<Business>(
            FormField(
                name: "slug", label: "Address of its page", hint: "The end of it. The one before leads here too.",
                control: .line(type: "text")),
            text: { $0.slug.text },
            set: { text, patch, problems in
                if text == "new" { problems.add("slug", "leads to the page for new places; choose another one") }
                patch.values.slug = Slug(text)
                patch.fields.insert("slug")
            })
        return [category(in: town), slug] + (call.isSuperAdmin ? [owner(in: town)] : [])
    }

    private static func category(in town: Town) -> RecordField<Business> {
        RecordField(
            FormField(
                name: "category", label: "Category",
                hint: "Without one, only its owner and editors see it.",
                control: .choice(AdminParts.categories(of: town))),
            text: { $0.category?.text ?? "" },
            set: { text, patch, _ in
                patch.values.category = text.isEmpty ? nil : Slug(text)
                patch.fields.insert("category")
            })
    }

    private static func owner(in town: Town) -> RecordField<Business> {
        RecordField(
            FormField(
                name: "owner", label: "Owner", hint: "Their e-mail. They may change all of it; empty means nobody.",
                control: .line(type: "email")),
            text: { $0.ownerID.flatMap { town.people[$0] }?.email ?? "" },
            set: { text, patch, problems in
                let person = town.people[email: text]
                if person == nil, !text.isEmpty {
                    problems.add("owner", "has no account yet: invite them at People first")
                }
                patch.values.ownerID = person?.id
                patch.fields.insert("owner_id")
            })
    }

    // MARK: - Sending

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let fields = fields(in: call.service.store.current.town, for: call)
        try await OwnBusiness.save(call, sent, { fields.texts(of: $0.value) }) { _, changes in try fields.patch(changes)
        }
        let town = call.service.store.current.town
        let business = try OwnBusiness.find(call, in: town)
        // Somebody who only sent events so far could not change the place.
        if call.isSuperAdmin, let owner = business.ownerID.flatMap({ town.people[$0] }), owner.role == .generalUser,
            sent["owner"] == owner.email
        {
            _ = try await call.service.promote(owner.id, to: .businessOwner, for: call.context(hasKey: false))
        }
        return .seeOther(path(of: business) + "?done=saved")
    }

    /// Deletes the place that the form showed, whatever its address is by now.
    static func delete(_ call: Call, _ sent: Submission) async throws -> Response {
        let id = sent["id"].flatMap { Int($0) } ?? 0
        if let business = call.town.businesses[id] {
            let context = try call.context(hasKey: false)
            _ = try await call.service.run(call.service.deleteBusiness(business.slug, for: context), for: context)
        }
        return .seeOther(AdminBusinessesPage.path + "?deleted=\(id)")
    }
}
