import HTTP
import SookeModel
import Store

/// `/categories` and `/event-types`: the two vocabularies.
enum TermRoutes {
    static func add(to routes: inout RouterBuilder<Handler>) {
        routes.get("/api/v1/categories") { call in .json(call, list(call.community.categories)) }
        routes.get("/api/v1/event-types") { call in .json(call, list(call.community.eventTypes)) }
    }

    private static func list<Vocabulary>(_ terms: TermTable<Vocabulary>) -> [UInt8] {
        .items(terms.inOrderOfName) { $0.append(contentsOf: $1.json) } + [UInt8(ascii: "}")]
    }
}
