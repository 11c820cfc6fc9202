import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/account/businesses/{slug}`: the form of a business, with links to its hours and menus, and its confirmation.
enum BusinessFactsPage: FormPage {
    static let path = "/account/businesses/{slug}"
    static let access = Access.member
    static let parameters = ["done"]

    static let fields: [RecordField<Business>] = [
        RecordField("name", "Name", \.name),
        RecordField("address", "Street and number", \.address),
        RecordField("phone", "Phone", \.phone, .line(type: "tel")),
        RecordField("email", "E-mail", \.email, hint: "For guests. Everybody sees it.", .line(type: "email")),
        RecordField("website", "Website", \.website, hint: "It begins with https://", .line(type: "url")),
        RecordField("description", "What is it?", \.description, hint: "Two or three sentences.", .lines(4)),
        location,
    ]

    /// The location as two numbers, or as people paste it from a map.
    private static let location = RecordField<Business>(
        FormField(
            name: "location", label: "Where on the map?",
            hint: "Paste a link from a map, or two numbers such as 48.3743, -123.7254."),
        text: { $0.coordinates?.shapedText ?? "" },
        set: { text, patch, problems in
            let place = PlaceText.coordinates(in: text, "location", &problems)
            (patch.values.latitude, patch.values.longitude) = (place?.latitude, place?.longitude)
            patch.fields.formUnion(["latitude", "longitude"])
        })

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let value = business.value
        var page = WebPage(
            value.name, tab: .account,
            main: """
                \(OwnBusiness.head(business, value.name, view, isFirst: true))\
                \(OwnBusiness.confirmation(of: business, view))\(parts(of: business, view))\
                <form class="form" method="post" data-draft="\(view.drafts)"><h2>Facts</h2>\
                \(state.summary(fields.map(\.field).labels))\(each: fields, { $0.markup(state, of: value) })\
                \(FormState.saving("Save"))</form>
                """)
        page.hasForm = true
        page.isTask = true
        page.topics = ["business"]
        return page
    }

    private static func parts(of business: BusinessRecord, _ view: View) -> HTML {
        let state = view.state(of: business)
        let items = business.value.menus.reduce(0) { $0 + $1.items.count }
        let slug = business.slug.text
        return """
            <ul class="rows"><li data-key="hours"><a class="row" href="/account/businesses/\(path: slug)/hours">\
            <span class="name">Hours</span><span class="state \(state.style.rawValue)">\(state.short)</span>\
            <span class="sub">The week, holidays, closed for a while</span></a></li>\
            <li data-key="menus"><a class="row" href="/account/businesses/\(path: slug)/menus">\
            <span class="name">Menus</span><span class="sub">\(items == 0 ? "Nothing yet" : "\(Count(items, "item"))")</span>\
            </a></li><li data-key="event"><a class="row" href="/account/new-event?at=\(path: slug)">\
            <span class="name">New event</span><span class="sub">Everybody sees it at once</span></a></li>\
            \(if: view.call.caller.isEditor(in: view.town), AdminParts.row(for: business))</ul>
            """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        do {
            try await OwnBusiness.save(call, sent, { fields.texts(of: $0.value) }) { _, changes in
                try fields.patch(changes)
            }
        } catch ServiceError.invalid(let problems) {
            throw FormRefusal(problems.ofFacts)
        }
        return .seeOther(try OwnBusiness.path(call, "?done=saved"))
    }
}

extension FieldProblems {
    /// The same problems for a form with one field for a location, and none for a slug, which is made from the name.
    var ofFacts: FieldProblems {
        let fields = ["latitude": "location", "longitude": "location", "slug": "name"]
        return renamed { fields[$0] ?? $0 }
    }
}
