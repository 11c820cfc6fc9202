import HTTP
import SookeModel
import Store

/// `/categories` and `/event-types`: the two vocabularies.
enum TermRoutes {
    static func add(to routes: inout RouterBuilder<Route>) {
        add(CategoryVocabulary.self, at: "/api/v1/categories", .category, "a category", to: &routes)
        add(EventTypeVocabulary.self, at: "/api/v1/event-types", .eventType, "an event type", to: &routes)
    }

    private static func add<Vocabulary: EditableVocabulary>(
        _ vocabulary: Vocabulary.Type, at path: String, _ noun: Shape.Noun, _ name: String,
        to routes: inout RouterBuilder<Route>
    ) {
        routes.get(
            path,
            .show("Lists all there are, by name", gives: .items(noun)) { call in
                let terms = Vocabulary.table(of: call.community)
                return .json(
                    .items(terms.inOrderOfName()) { $0.append(contentsOf: $1.json) } + [UInt8(ascii: "}")],
                    until: .endOfTime)
            })
        routes.get(
            path + "/{slug}",
            .show("Shows \(name)", gives: .one(noun)) { call throws(HTTPError) in
                let record = try known(call.slug(), vocabulary, in: call.community, name)
                return .json(record.json, record: ShownRecord(record), until: .endOfTime)
            })
        routes.post(
            path,
            .change("Adds \(name)", .superAdmin, takes: .one(noun), gives: .one(noun), status: .created) {
                call throws(HTTPError) in
                let patch = try call.patch(of: Term<Vocabulary>.self, allowing: FieldSet { $0.isGiven })
                return PlannedChange { edit in
                    let term = try edit.create(patch)
                    return try answer(term.slug, vocabulary, in: edit.community, at: path, status: .created)
                }
            })
        routes.patch(
            path + "/{slug}",
            .change("Changes \(name)", .superAdmin, takes: .patch(noun), gives: .one(noun)) { call throws(HTTPError) in
                let patch = try call.patch(of: Term<Vocabulary>.self, allowing: FieldSet { $0.isGiven })
                let slug = try call.slug()
                return PlannedChange { edit in
                    let record = try known(slug, vocabulary, in: edit.community, name)
                    try call.requireMatch(record.digest)
                    let term = try edit.update(record.value.id, patch)
                    return try answer(term.slug, vocabulary, in: edit.community, at: path)
                }
            })
        routes.delete(
            path + "/{slug}",
            .change("Removes \(name) that nothing uses", .superAdmin, gives: .nothing, status: .noContent) {
                call throws(HTTPError) in
                let slug = try call.slug()
                return PlannedChange { edit in
                    let record = try known(slug, vocabulary, in: edit.community, name)
                    try call.requireMatch(record.digest)
                    try edit.delete(record.value)
                    return Response(.noContent)
                }
            })
    }

    private static func known<Vocabulary: EditableVocabulary>(
        _ slug: Slug, _ vocabulary: Vocabulary.Type, in community: Community, _ name: String
    ) throws(HTTPError) -> TermRecord<Vocabulary> {
        guard let record = vocabulary.table(of: community)[slug] else {
            throw .notFound("there is no such \(name.drop { $0 != " " }.dropFirst())")
        }
        return record
    }

    private static func answer<Vocabulary: EditableVocabulary>(
        _ slug: Slug, _ vocabulary: Vocabulary.Type, in community: Community, at path: String, status: Status = .ok
    ) throws(HTTPError) -> Response {
        guard let record = vocabulary.table(of: community)[slug] else { throw .notFound() }
        return .changed(record.json, record: ShownRecord(record), at: path + "/", slug, status: status)
    }
}
