import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum BusinessFactsPage: FormPage {
    static let path = "/account/businesses/{slug}"
    static let parameters = ["done"]

    static let fields: [RecordField<Business>] = [
        RecordField("name", "Name", \.name),
        RecordField(
            "address", "Street and number", \.address, hint: "Leave it empty if it has none, such as a mobile trade."),
        RecordField("area", "Area, if it has no address", \.area, hint: "Such as: in Sooke and around"),
        phone,
        RecordField("email", "E-mail", \.email, hint: "For customers. It is shown on the page.", .line(type: "email")),
        RecordField("website", "Website", \.website, hint: "Starting with https://", .line(type: "url")),
        RecordField("description", "Description", \.description, hint: "Two or three sentences.", .lines(4)),
        location,
    ]

    private static let phone = RecordField<Business>(
        FormField(name: "phone", label: "Phone", control: .line(type: "tel")), text: { $0.phone ?? "" },
        set: { text, business, problems in
            if !text.isEmpty, Link(phone: text) == nil {
                problems.add("phone", "Enter a phone number, such as 250-555-0101")
            }
            business.phone = text.shown
        })

    private static let location = RecordField<Business>(
        FormField(
            name: "location", label: "Location on the map",
            hint: "Paste a link from a map, or two numbers such as 48.3743, -123.7254.", control: .line(help: .location)
        ),
        sets: ["latitude", "longitude"], text: { $0.coordinates?.shapedText ?? "" },
        set: { text, business, problems in
            let place = PlaceText.coordinates(text, "location", &problems)
            (business.latitude, business.longitude) = (place?.latitude, place?.longitude)
        })

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let value = business.value
        return WebPage(
            "Details of \(value.name)", .task, tab: .account, topics: ["business"],
            main: """
                \(OwnBusiness.head(business, value.name, view, isFirst: true))\(another(view))\
                \(HoursPage.holidayCard(of: business, view))\
                \(OwnBusiness.confirmation(of: business, view))\(NoticesPage.today(of: business, view))\
                \(parts(of: business, view))\
                <form class="form" method="post" novalidate data-draft="\(view.drafts)"><h2>Details</h2>\
                \(state.summary(fields.map(\.field)))\(each: fields, { $0.markup(state, of: value) })\
                \(FormState.saving("Save"))</form>
                """)
    }

    private static func another(_ view: View) -> HTML {
        guard (try? view.call.parameter("done")) == "added" else { return "" }
        return "<div class=\"actions\"><a class=\"button quiet\" href=\"/admin/businesses/new\">Add another</a></div>"
    }

    private static func parts(of business: BusinessRecord, _ view: View) -> HTML {
        let state = view.state(of: business)
        let items = business.value.menus.reduce(0) { $0 + $1.items.count }
        let slug = business.slug
        let menus = items == 0 ? "Nothing yet" : "\(Count(items, "item"))"
        func link(_ page: String) -> Link { Link(under: "/account/businesses", slug, page) }
        return """
            <ul class="rows"><li data-key="hours"><a class="row" href="\(link: link("hours"))">\
            <span class="name">Hours</span><span class="state \(state.style.rawValue)">\(state.short)</span>\
            <span class="sub">The week, holidays, closed for a while</span></a></li>\
            \(AdminParts.row("menus", link("menus"), "Menus", "\(menus)"))\
            \(AdminParts.row("event", Link("/account/new-event?at=", slug.text, ""), "New event", "Published at once"))\
            \(AdminParts.row("changes", link("changes"), "What changed", "By whom, and how to undo it"))\
            \(if: view.call.caller.isEditor(in: view.town), AdminParts.rows(for: business, view))</ul>
            """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await OwnBusiness.save(call, sent, { fields.texts(of: $0.value) }) { try fields.patch($1) }
        return .seeOther(try OwnBusiness.path(call, "?done=saved"))
    }

    /// A location is one field, and a slug is made from the name.
    static func field(showing name: String) -> String? {
        ["latitude": "location", "longitude": "location", "slug": "name"][name] ?? name
    }
}

enum OwnBusiness {
    /// The business of the address, also by a slug that it had before: somebody may have renamed it meanwhile.
    /// - Throws: 404, 403.
    static func find(_ call: Call, in town: Town) throws -> BusinessRecord {
        let slug = try call.slug()
        guard let business = town.businesses[slug] ?? town.businesses[formerly: slug] else {
            throw ServiceError.notFound(.record(.business))
        }
        try Access.businessEditor.check(call.caller, slug: business.slug, in: town)
        return business
    }

    static func path(of business: BusinessRecord) -> String { "/account" + Link.path(business: business.slug) }

    /// The address after a form was sent: the business may have another slug by now.
    static func path(_ call: Call, _ rest: String = "") throws -> String {
        path(of: try find(call, in: call.service.store.current.town)) + rest
    }

    /// The head of its pages: where they belong, and the name, which is said at once when somebody changes it.
    static func head(_ business: BusinessRecord, _ title: String, _ view: View, isFirst: Bool = false) -> HTML {
        """
        <section class="head"><p class="small crumbs"><a href="/account">You</a> › \
        \(if: isFirst, "<a href=\"/businesses/\(path: business.slug.text)\">Public page</a>")\
        \(if: !isFirst, "<a href=\"/account/businesses/\(path: business.slug.text)\">\(business.name)</a>")</p>\
        <h1 dir="auto">\(title)</h1>\(view.done)</section>
        """
    }

    static func confirmation(of business: BusinessRecord, _ view: View) -> HTML {
        """
        <form class="card" method="post" action="/account/businesses/\(path: business.slug.text)/confirm" \
        data-key="confirm"><p>Are these details still correct? \(lastConfirmed(business, view))</p><div \
        class="actions"><button>Yes, all correct</button></div></form>
        """
    }

    static func lastConfirmed(_ business: BusinessRecord, _ view: View) -> String {
        business.confirmedAt.map { "Last confirmed \(view.words.ago($0))." } ?? "Not confirmed yet."
    }

    static func confirm(_ call: Call, _ sent: Submission) async throws -> Response {
        let business = try find(call, in: call.town)
        try await call.run { $0.confirmBusiness(business.slug, for: $1) }
        return .seeOther(try path(call, "?done=confirmed"))
    }

    static func save(
        _ call: Call, _ sent: Submission, hasMore: Bool = false, confirms: Bool = false,
        _ texts: (BusinessRecord) -> [(name: String, text: String)],
        _ patch: (BusinessRecord, [String: String]) throws -> Patch<Business>
    ) async throws {
        try await call.merge(sent, hasMore: hasMore, into: { try find(call, in: $0) }, \.digest, texts) {
            business, changes, context in
            let patch = PatchInput(try patch(business, changes))
            _ = try await call.service.run(
                call.service.updateBusiness(business.slug, patch, confirms: confirms, for: context), for: context)
        }
    }
}

extension View {
    var done: HTML {
        let words: String? =
            switch try? call.parameter("done") {
            case "saved", "move", "name": "Saved. It is published now."
            case "kept": "Saved."
            case "published": "Published."
            case "done": "Done."
            case "cancel": "Cancelled. It stays in the calendar, marked as cancelled."
            case "restore": "Put back."
            case "confirmed": "Thank you. The page now says that its details are confirmed."
            case "sent": "Thank you. We will look into it."
            case "removed": "Removed."
            case "added": "Added."
            case "deleted": "Deleted. What takes place there stays in the calendar."
            case "rejected": "Rejected."
            case "withdrawn": "Withdrawn."
            case "undone": "Undone."
            case "account": "Restored, without a password. Make a link below with which they set one."
            case "nothing": "There is nothing left to undo."
            case "joined": "Merged."
            case "ended": "They are logged out everywhere."
            default: nil
            }
        return """
            \(if: words, { "<p class=\"echo\" role=\"status\" tabindex=\"-1\" autofocus>\($0)</p>\(undo)" })
            """
    }

    func undoEnd(ofCommitAt time: Timestamp) -> String? {
        call.service.undoEnd(ofCommitAt: time).map { words.date(words.local($0).date) }
    }

    private var undo: HTML {
        guard let person = frame.person, let recent = call.version.newestCommit(by: .person(person.id)),
            !recent.isLarge, let commit = recent.changeSet, call.now.seconds - commit.at.seconds < 900,
            call.service.mayUndo(commit, for: call.caller, in: town)
        else { return "" }
        let end = undoEnd(ofCommitAt: call.now)
        return """
            <div class="actions">\(UndoPage.button(commit.position))\
            \(if: end, { "<span class=\"small soft\">possible until about \($0)</span>" })</div>
            """
    }
}
