import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// What administrators decide about a place: category, address, owner, and whether it stays.
enum AdminBusinessPage: FormPage {
    static let path = "/admin/businesses/{slug}"
    static let access = Access.editor
    static let parameters = ["done"]

    static func path(of business: BusinessRecord) -> String { "/admin" + Link.path(business: business.slug) }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let fields = fields(in: view.town)
        return WebPage(
            "Manage \(business.name)", .task, tab: .account, topics: ["business", "category"],
            main: """
                \(AdminParts.head("Manage \(business.name)", in: link(to: business), view))\
                <form class="form" method="post" novalidate \
                data-draft="\(view.drafts)">\(state.summary(fields.map(\.field)))\
                \(each: fields, { $0.markup(state, of: business.value) })<div \
                class="actions"><button>Save</button></div></form>\(parts(of: business))
                """)
    }

    static func link(to business: BusinessRecord) -> HTML {
        """
        <a href="/admin/businesses">Places</a> › \
        <a href="/account/businesses/\(path: business.slug.text)"><bdi>\(business.name)</bdi></a>
        """
    }

    private static func parts(of business: BusinessRecord) -> HTML {
        """
        <section class="section"><h2>Duplicate?</h2><p>Merge it into the other entry. That one gets its events, \
        and what it lacks of hours, menus and facts.</p><div class="actions">\
        <a class="button quiet" href="/admin/businesses/\(path: business.slug.text)/merge">Merge duplicates</a>\
        </div></section><section class="section"><h2>Has it closed for good?</h2><p>To hide it for a while, choose no \
        category instead.</p><form class="actions" method="post" \
        action="/admin/businesses/\(path: business.slug.text)/delete"><input type="hidden" name="id" \
        value="\(business.id)"><button class="quiet danger">Delete this place</button></form></section>
        """
    }

    private static func fields(in town: Town) -> [RecordField<Business>] {
        let slug = RecordField<Business>(
            FormField(
                name: "slug", label: "Address of its page", hint: "Its last part. The old address leads here too.",
                control: .line(type: "text")),
            text: { $0.slug.text },
            set: { text, business, problems in
                if text == "new" { problems.add("slug", "This address is taken by a page of the site. Choose another") }
                business.slug = Slug(text)
            })
        return [category(in: town), slug]
    }

    private static func category(in town: Town) -> RecordField<Business> {
        RecordField(
            FormField(
                name: "category", label: "Category",
                hint: "Without one it is not listed: only its owner and editors see it.",
                control: .choice(AdminParts.categories(of: town))),
            text: { $0.category?.text ?? "" },
            set: { text, business, _ in business.category = text.shown.map { Slug($0) } })
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let fields = fields(in: call.service.store.current.town)
        try await OwnBusiness.save(call, sent, { fields.texts(of: $0.value) }) { try fields.patch($1) }
        return .seeOther(path(of: try OwnBusiness.find(call, in: call.service.store.current.town)) + "?done=saved")
    }

    /// Deletes the place that the form showed, which may have another address by now.
    static func delete(_ call: Call, _ sent: Submission) async throws -> Response {
        let id = sent["id"].flatMap { Int($0) } ?? 0
        if let business = call.town.businesses[id] {
            try await call.run { $0.deleteBusiness(business.slug, for: $1) }
        }
        return .seeOther(AdminBusinessesPage.path + "?done=deleted")
    }
}

/// `/admin/businesses/new`: adds a place with what is known of it at once; its own pages ask for the rest.
enum NewBusinessPage: FormPage {
    static let path = "/admin/businesses/new"
    static let access = Access.editor

    private static let names = ["name", "address", "area", "phone", "location"]
    /// The same as an owner has, without the texts before: nothing was there.
    private static let facts = BusinessFactsPage.fields.filter { names.contains($0.field.name) }

    private static func fields(in town: Town) -> [FormField] {
        var fields = facts.map { fact in
            var field = fact.field
            field.isMerged = false
            if field.name == "name" { field.control = .line(help: .twins) }
            return field
        }
        fields.insert(
            FormField(
                name: "category", label: "Category", hint: "Without one it is not listed: only editors see it.",
                control: .choice(AdminParts.categories(of: town))), at: 1)
        return fields
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let fields = fields(in: view.town)
        let title = view.town.count(of: .business) == 0 ? "Add your first place" : "New place"
        return WebPage(
            "New place", .task, tab: .account,
            main: """
                \(AdminParts.head(title, in: #"<a href="/admin/businesses">Places</a>"#, view))\
                <form class="form" method="post" novalidate>\(state.summary(fields))\(state.keyField)\
                \(each: fields, { $0.markup(state) })<div class="actions"><button>Add place</button></div></form>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        var (patch, problems) = (Patch<Business>(), FieldProblems())
        for fact in facts {
            if let text = sent[fact.field.name], !text.isEmpty { fact.set(text, in: &patch, &problems) }
        }
        if let category = sent["category"], !category.isEmpty {
            patch.values.category = Slug(category)
            patch.fields.insert("category")
        }
        let outcome = try await call.run(once: sent) { $0.createBusiness(PatchInput(patch, problems), for: $1) }
        guard let business = outcome.business else { return .seeOther(AdminBusinessesPage.path) }
        return .seeOther(OwnBusiness.path(of: business) + "?done=added")
    }

    static func field(showing name: String) -> String? { BusinessFactsPage.field(showing: name) }
}

/// `/admin/businesses/{slug}/merge`: joins a place with another one, which stays.
enum MergePage: FormPage {
    static let path = "/admin/businesses/{slug}/merge"
    static let access = Access.editor

    private static let (into, other) = ("into", "slug")
    private static let mostProposed = 5

    private static func field(isAlone: Bool) -> FormField {
        FormField(
            name: other, label: isAlone ? "The other place" : "Another one",
            hint: "Its name, or the address of its page.", control: .line(help: .names))
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let similar = similar(to: business, view)
        return WebPage(
            "Merge \(business.name)", .task, tab: .account,
            main: """
                \(AdminParts.head("Merge duplicates", in: AdminBusinessPage.link(to: business), view))\
                <form class="form" method="post" novalidate>\(state.summary([other: "The other place"]))\
                <p><bdi>\(business.name)</bdi> becomes a part of the other place, and its address leads there. The \
                other one gets its events, and keeps what it has: only what it lacks is filled in.</p>\
                \(if: !similar.isEmpty, choices(similar, state, view))\(field(isAlone: similar.isEmpty).markup(state))\
                <div class="actions"><button>Merge</button></div></form>
                """)
    }

    private static func choices(_ similar: [BusinessRecord], _ state: FormState, _ view: View) -> HTML {
        """
        <fieldset><legend>Which one stays?</legend>\(each: similar, { business in
            """
            <label class="option"><input type="radio" name="into" value="\(business.slug.text)"\
            \(attribute: "checked", if: state.isTicked(into, business.slug.text))><span><bdi>\(business.name)</bdi><br>\
            <span class="soft small">\(view.line(of: [view.category(of: business)?.name, business.addressOrArea]))\
            </span></span>\
            </label>
            """
        })</fieldset>
        """
    }

    private static func similar(to business: BusinessRecord, _ view: View) -> [BusinessRecord] {
        guard let query = try? SearchQuery(business.name) else { return [] }
        let found = BusinessSearch(query, in: view.town).ranked.lazy.compactMap { view.town.businesses[$0.id] }.filter {
            $0.id != business.id
        }
        return Array(found.prefix(mostProposed))
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let written = sent[other].map(pasted) ?? ""
        var target = Slug(written.isEmpty ? sent[into] ?? "" : written)
        switch PlaceNames(call.town).find(written) {
        case .found(let named): target = named.slug
        case .unclear(let advice): throw FormRefusal(other, advice)
        case .words: break
        }
        if target.isEmpty { throw FormRefusal(other, "Choose a place, or write its name") }
        let slug = try call.slug()
        // It was sent twice, and is done.
        if call.town.businesses[slug] == nil, let joined = call.town.businesses[formerly: slug], joined.slug == target {
            return .seeOther(OwnBusiness.path(of: joined) + "?done=joined")
        }
        let business = try OwnBusiness.find(call, in: call.town)
        guard (call.town.businesses[target] ?? call.town.businesses[formerly: target]) != nil else {
            throw FormRefusal(other, "We could not find that place. Copy the address of its page")
        }
        let outcome = try await call.run { $0.mergeBusinesses(business.slug, into: target, for: $1) }
        guard let stays = outcome.business else { return .seeOther(AdminBusinessesPage.path) }
        return .seeOther(OwnBusiness.path(of: stays) + "?done=joined")
    }

    private static func pasted(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = String(Substring(path)).split(at: "/").last ?? ""
        return (try? PercentCoding.decode(last.utf8)).flatMap { String(validUTF8: $0) } ?? last
    }
}
