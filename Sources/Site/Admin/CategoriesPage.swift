import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum CategoriesPage: FormPage {
    static let path = "/admin/categories"
    static let access = Access.editor
    static let parameters = ["done"]

    private static let (category, type, starter) = ("category", "event_type", "starter")
    private static let most = 300

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let counts = Dictionary(uniqueKeysWithValues: view.town.listedCategories.map { ($0.category.id, $0.count) })
        let categories = view.town.categories.inOrderOfName().map { term in
            (slug: term.value.slug, name: term.value.name, count: Int?.some(counts[term.id] ?? 0))
        }
        let types = view.town.eventTypes.inOrderOfName().map { term in
            (slug: term.value.slug, name: term.value.name, count: Int?.none)
        }
        return WebPage(
            "Categories", .form, tab: .account, topics: ["category", "event_type", "business"],
            main: """
                \(AdminParts.head("Categories", view))\(state.summary([category: "Name", type: "Name"]))\
                \(if: categories.isEmpty, starterForm)\
                <section class="section"><h2>Of places</h2>\(rows(categories, under: CategoryVocabulary.base))\
                \(form(FormField(name: category, label: "A new category"), state))</section>\
                <section class="section"><h2>Of events</h2>\(rows(types, under: EventTypeVocabulary.base))\
                \(form(FormField(name: type, label: "A new type of events"), state))</section>
                """)
    }

    private static let starterForm: HTML = """
        <form class="card" method="post"><p>Begin with the usual ones: \(AdminParts.starter)</p><div \
        class="actions"><button name="starter" value="yes">Add the usual ones</button></div></form>
        """

    private static func rows(_ terms: [(slug: Slug, name: String, count: Int?)], under base: StaticString) -> HTML {
        if terms.isEmpty { return "<p class=\"soft\">None yet.</p>" }
        return """
            <ul class="rows">\(each: terms.prefix(most), { term in
                """
                <li><a class="row" href="\(link: Link(under: base, term.slug))">\
                <span class="name" dir="auto">\(term.name)\
                </span>\(if: term.count, { count in
                    """
                    <span class="soft n">\(count == 0 ? "empty" : "\(Count(count, "place"))")</span>
                    """
                })</a></li>
                """
            })</ul>\(if: terms.count > most, "<p class=\"soft\">And \(terms.count - most) more.</p>")
            """
    }

    private static func form(_ field: FormField, _ state: FormState) -> HTML {
        let problem = state.problem(of: field.name, "Name")
        return """
            <form method="post" class="field">\(state.keyField)<label for="\(field.name)">\(field.label)</label>\
            <div class="search"><input id="\(field.name)" name="\(field.name)" value="\(state.text(field.name))" \
            autocomplete="off" maxlength="500"\(attribute: "aria-invalid=\"true\"", if: problem != nil)>\
            <button class="quiet">Add</button></div>\(if: problem, { "<span class=\"problem\">\($0)</span>" })</form>
            """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        if sent.isSet(starter) {
            try await call.run { $0.addStarterTerms(for: $1) }
        } else if let name = sent[category] {
            try await add(Category.self, name, category, call, sent)
        } else if let name = sent[type] {
            try await add(EventType.self, name, type, call, sent)
        }
        return .seeOther(path + "?done=added")
    }

    private static func add<Value: SluggedRecord>(
        _ kind: Value.Type, _ name: String, _ field: String, _ call: Call, _ sent: Submission
    ) async throws {
        guard var patch = Value.term(named: name) else { return }
        patch.values.slug = Slug("")
        patch.fields = ["name"]
        do {
            _ = try await call.run(once: sent) { $0.createRecord(PatchInput(patch), for: $1) }
        } catch ServiceError.invalid(let problems) {
            throw FormRefusal(field, problems.all.first?.message ?? "is invalid")
        } catch ServiceError.nameTaken {
            throw FormRefusal(field, "This name is in the list already")
        }
    }
}

/// `/admin/categories/{slug}`, `/admin/event-types/{slug}`: renames a term, gives it synonyms, deletes an unused one.
enum TermPage<Vocabulary: AdminVocabulary>: FormPage {
    static var path: String { "\(Vocabulary.base)/{slug}" }
    static var access: Access { Access.editor }
    static var parameters: [String] { ["done"] }

    private static var fields: [RecordField<Term<Vocabulary>>] {
        let synonyms = FormField(
            name: "synonyms", label: "Other words for it",
            hint: "With commas between them: chemist, drugstore. A search for them finds it, too.", control: .lines(2))
        return [
            RecordField("name", "Name", \.name),
            RecordField(synonyms, text: { $0.synonymText }, set: { text, term, _ in term.setSynonyms(text) }),
        ]
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let term = try view.call.service.record(view.call.slug(), of: Term<Vocabulary>.self, in: view.town).value
        let action = Link(under: Vocabulary.base, term.slug)
        return WebPage(
            term.name, .task, tab: .account,
            main: """
                \(AdminParts.head(term.name, in: #"<a href="/admin/categories">Categories</a>"#, view))\
                <form class="form" method="post" \
                novalidate action="\(link: action)">\(state.summary(fields.map(\.field)))\
                \(each: fields, { $0.markup(state, of: term) })<div class="actions"><button>Save</button></div></form>\
                <section class="section"><h2>No longer needed?</h2><p>\(Vocabulary.removal)</p>\
                <form class="actions" method="post" action="\(link: action)"><input type="hidden" name="delete" \
                value="yes"><button class="quiet danger">Delete \(term.name)</button></form></section>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.change(sent, fields, backTo: CategoriesPage.path)
    }
}

protocol AdminVocabulary: WritableVocabulary {
    static var base: StaticString { get }
    static var removal: String { get }
}

extension CategoryVocabulary: AdminVocabulary {
    static var base: StaticString { "/admin/categories" }
    static var removal: String { "You can delete a category when no place has it, listed or not." }
}

extension EventTypeVocabulary: AdminVocabulary {
    static var base: StaticString { "/admin/event-types" }
    static var removal: String { "You can delete a type when no event has it, not even a past one." }
}
