import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/categories/{slug}` and `/admin/event-types/{slug}`: renames a term, or deletes one that nothing has.
enum TermPage<Vocabulary: AdminVocabulary>: FormPage {
    static var path: String { "\(Vocabulary.base)/{slug}" }
    static var access: Access { AdminParts.editing }
    static var parameters: [String] { ["done"] }

    private static var fields: [RecordField<Term<Vocabulary>>] { [RecordField("name", "Name", \.name)] }

    private static func find(_ call: Call, in town: Town) throws(HTTPError) -> TermRecord<Vocabulary> {
        let slug = try call.slug()
        return try call.translatingErrors { () throws(ServiceError) in
            try call.service.record(slug, of: Term<Vocabulary>.self, in: town)
        }
    }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let term = try find(view.call, in: view.town).value
        let action = Link(under: Vocabulary.base, term.slug)
        var page = WebPage(
            term.name, tab: .account,
            main: """
                \(AdminParts.head(term.name, in: AdminParts.categories, view))\
                <form class="form" method="post" action="\(link: action)">\(state.summary(fields.map(\.field).labels))\
                \(each: fields, { $0.markup(state, of: term) })<div class="actions"><button>Save</button></div></form>\
                <section class="section"><h2>Is it not needed?</h2><p>\(Vocabulary.removal)</p>\
                <form class="actions" method="post" action="\(link: action)"><input type="hidden" name="delete" value="yes">\
                <button class="quiet danger">Delete it</button></form></section>
                """)
        (page.hasForm, page.isTask) = (true, true)
        return page
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let slug = try call.slug()
        if sent.isSet("delete") {
            let context = try call.context(hasKey: false)
            _ = try await call.service.run(
                call.service.deleteRecord(slug, of: Term<Vocabulary>.self, for: context), for: context)
            return .seeOther(CategoriesPage.path + "?done=removed")
        }
        try await call.merge(
            sent,
            into: { version in
                let term = try find(call, in: version.town)
                return (term.value, term.digest)
            }, { fields.texts(of: $0) }
        ) { _, changes, context in
            call.service.updateRecord(slug, PatchInput(try fields.patch(changes)), for: context)
        }
        return .seeOther(CategoriesPage.path + "?done=saved")
    }
}

/// A vocabulary whose terms have pages.
protocol AdminVocabulary: WritableVocabulary {
    /// The address above those of its terms.
    static var base: StaticString { get }
    /// When a term can be deleted.
    static var removal: String { get }
}

extension CategoryVocabulary: AdminVocabulary {
    static var base: StaticString { "/admin/categories" }
    static var removal: String { "A category can be deleted when no place has it, also none that is not listed." }
}

extension EventTypeVocabulary: AdminVocabulary {
    static var base: StaticString { "/admin/event-types" }
    static var removal: String { "A type can be deleted when no event has it, also none of the past." }
}
