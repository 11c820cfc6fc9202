import Bytes
import Dispatcher
import HTTP
import SookeModel
import Store

/// The parameters of lists of businesses.
extension Call {
    /// The requested filters and order.
    ///
    /// - Throws: 400 for a value that is none, which names the parameter and the values that are.
    func businessQuery() throws(HTTPError) -> BusinessQuery {
        var query = BusinessQuery(
            search: try parameter("search"), category: try parameter("category").map(Slug.init(_:)))
        query.near = try near()
        query.box = try boundingBox()
        query.updatedSince = try moment("updated_since")
        query.order = try order(near: query.near)
        if try flag("open_now") { query.filters.append(.among(town.openBusinesses(in: version, at: nil))) }
        if let moment = try moment("open_at") {
            query.filters.append(.among(town.openBusinesses(in: version, at: moment)))
        }
        return query
    }

    /// The businesses that match `q`; nil without it.
    ///
    /// - Throws: 400 when it cannot be searched for; 503 while the index is being built.
    func businessSearch() throws(HTTPError) -> BusinessSearch? {
        guard let query = try search() else { return nil }
        let community = community
        return try found { () throws(SearchUnavailable) in try BusinessSearch(query, in: community) }
    }

    /// The order of `sort`: without it by relevance for `q`, else by distance from `near`, else by name.
    private func order(near: GeoCircle?) throws(HTTPError) -> BusinessOrder {
        guard let name = try parameter("sort") else {
            if try parameter("q") != nil { return .relevance }
            return near == nil ? .name : .distance
        }
        switch name {
        case "name": return .name
        case "updated": return .updated
        case "relevance":
            if try parameter("q") != nil { return .relevance }
            throw .invalidParameter("sort=relevance needs q, the words that are searched for")
        case "distance":
            if near != nil { return .distance }
            throw .invalidParameter("sort=distance needs near, the place from which it is measured")
        default: throw .invalidParameter("sort is name, distance, updated or relevance, not \"\(name.excerpt())\"")
        }
    }

    /// A parameter that is a moment; nil when it is absent.
    ///
    /// - Throws: 400 for another value.
    func moment(_ name: String) throws(HTTPError) -> Timestamp? {
        guard let text = try parameter(name) else { return nil }
        if let moment = Timestamp(query: text) { return moment }
        throw .invalidParameter(
            "\(name) is a date and time as in RFC 3339, such as 2026-11-21T09:30:00Z, not \"\(text.excerpt())\"")
    }

    /// The members that `fields` selects; nil for all.
    ///
    /// - Parameter known: the members of an item.
    /// - Throws: 400 for another name.
    func fields(of known: [String]) throws(HTTPError) -> Set<String>? {
        guard let text = try parameter("fields") else { return nil }
        var names: Set<String> = []
        for name in text.split(separator: ",") {
            guard let field = known.first(where: { $0.hasSameBytes(as: String(name)) }) else {
                throw .invalidParameter(
                    "fields has no \"\(String(name).excerpt())\"; it is some of \(known.joined(separator: ","))")
            }
            names.insert(field)
        }
        return names
    }
}
