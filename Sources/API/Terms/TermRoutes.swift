import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/categories` and `/event-types`: the two vocabularies.
enum TermRoutes {
    static func add(to routes: inout RouteList) {
        add(CategoryVocabulary.self, at: "/api/v1/categories", .category, "a category", to: &routes)
        add(EventTypeVocabulary.self, at: "/api/v1/event-types", .eventType, "an event type", to: &routes)
    }

    private static func add<Vocabulary: WritableVocabulary>(
        _ vocabulary: Vocabulary.Type, at path: String, _ schema: Schema, _ name: String,
        to routes: inout RouteList
    ) {
        routes.get(
            path,
            .cachedRead("Lists all, by name", gives: .items(schema)) { call in
                let terms = Vocabulary.table(of: call.town)
                return .json(
                    .items(terms.inOrderOfName()) { $0.append(contentsOf: $1.json) } + [UInt8(ascii: "}")],
                    until: .endOfTime)
            })
        routes.get(
            path + "/{slug}",
            .cachedRead("Shows \(name)", gives: .one(schema)) { call throws(HTTPError) in
                let slug = try call.slug()
                if let composed = slug.composed, Vocabulary.table(of: call.town)[slug] == nil,
                    Vocabulary.table(of: call.town)[composed] != nil
                {
                    return .uncached(.moved(to: path + "/", composed, call.request.query))
                }
                let record = try call.translatingErrors { () throws(ServiceError) in
                    try call.service.term(slug, of: vocabulary, in: call.town)
                }
                return .json(record.json, record: RecordValidators(record), until: .endOfTime)
            })
        routes.post(
            path,
            .transaction("Adds \(name)", .superAdmin, takes: .one(schema), gives: .one(schema), status: .created) {
                call throws(HTTPError) in
                try call.service.createTerm(call.patch(of: Term<Vocabulary>.self), for: call.context())
            })
        routes.patch(
            path + "/{slug}",
            .transaction("Changes \(name)", .superAdmin, takes: .patch(schema), gives: .one(schema)) {
                call throws(HTTPError) in
                try call.service.updateTerm(call.slug(), call.patch(of: Term<Vocabulary>.self), for: call.context())
            })
        routes.delete(
            path + "/{slug}",
            .transaction("Removes \(name) that nothing uses", .superAdmin, gives: .nothing, status: .noContent) {
                call throws(HTTPError) in
                try call.service.deleteTerm(call.slug(), of: vocabulary, for: call.context())
            })
    }
}
