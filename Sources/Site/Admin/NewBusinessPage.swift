import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/businesses/new`: adds a place with what is known of it at once; its own pages ask for the rest.
enum NewBusinessPage: FormPage {
    static let path = "/admin/businesses/new"
    static let access = AdminParts.editing

    private static let names = ["name", "address", "phone", "location"]
    /// The same as an owner has, without the texts before: nothing was there.
    private static let facts = names.compactMap { name in
        BusinessFactsPage.fields.first { $0.field.name == name }
    }

    private static func fields(in town: Town) -> [FormField] {
        var fields = facts.map { fact in
            var field = fact.field
            field.isMerged = false
            return field
        }
        fields.insert(
            FormField(
                name: "category", label: "Category", hint: "Without one, only editors see it.",
                control: .choice(AdminParts.categories(of: town))), at: 1)
        return fields
    }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let fields = fields(in: view.town)
        let isFirst = view.town.count(of: .business) == 0
        var page = WebPage(
            "New place", tab: .account,
            main: """
                \(AdminParts.head(isFirst ? "Add your first place" : "New place", in: AdminParts.places, view))\
                <form class="form" method="post">\(state.summary(fields.labels))\(state.keyField)\
                \(each: fields, { $0.markup(state) })<div class="actions"><button>Add it</button></div></form>
                """)
        (page.hasForm, page.isTask) = (true, true)
        return page
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        var (patch, problems) = (Patch<Business>(), FieldProblems())
        for fact in facts {
            if let text = sent[fact.field.name], !text.isEmpty { fact.set(text, &patch, &problems) }
        }
        if let category = sent["category"], !category.isEmpty {
            patch.values.category = Slug(category)
            patch.fields.insert("category")
        }
        let context = call.context(once: sent.key)
        do {
            let outcome = try await call.service.run(
                call.service.createBusiness(PatchInput(patch, problems), for: context), for: context)
            guard let business = outcome.business else { return .seeOther(AdminBusinessesPage.path) }
            return .seeOther(OwnBusiness.path(of: business) + "?done=added")
        } catch ServiceError.invalid(let problems) {
            throw FormRefusal(problems.ofFacts)
        }
    }
}
