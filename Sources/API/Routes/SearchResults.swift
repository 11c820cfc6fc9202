import Bytes
import Dispatcher
import HTTP
import JSON
import SookeModel
import Store

/// Searches with `q`, of businesses and of events.
extension Call {
    /// The search in `q`; nil without one.
    ///
    /// - Throws: 400 when it cannot be searched for.
    func search() throws(HTTPError) -> SearchQuery? {
        guard let text = try parameter("q") else { return nil }
        do throws(SearchQueryError) {
            return try SearchQuery(text)
        } catch {
            throw .invalidParameter("q \(error)")
        }
    }

    /// The result of a search.
    ///
    /// - Throws: 503 while the index is being built.
    func found<Result>(_ search: () throws(SearchUnavailable) -> Result) throws(HTTPError) -> Result {
        do throws(SearchUnavailable) {
            return try search()
        } catch {
            throw .searchUnavailable
        }
    }
}

extension HTTPError {
    /// 503 `search_unavailable`, with `Retry-After`.
    fileprivate static let searchUnavailable = HTTPError(
        .serviceUnavailable, code: "search_unavailable",
        message: "the words of the town are still being indexed; try again in a few seconds",
        headers: ["Retry-After": "2"])
}

extension [UInt8] {
    /// The records of a search, each with what matched: `{"items":[{…,"matches":[…]}],"pagination":{…}}`.
    ///
    /// - Parameters:
    ///   - names: the members in which a client finds the fields.
    ///   - append: appends a record as an object.
    static func list<Record>(
        _ result: SearchPage<Record>, fields names: SearchFieldNames, _ append: (inout [UInt8], Record) -> Void
    ) -> [UInt8] {
        var rest = result.matches[...]
        return list(result.page) { body, record in
            append(&body, record)
            body.append(rest.removeFirst(), names)
        }
    }

    /// Appends the member `matches` to the object at the end.
    mutating func append(_ matches: [SearchMatch], _ names: SearchFieldNames) {
        self[count - 1] = UInt8(ascii: ",")
        append { writer in
            writer.key("matches")
            writer.beginArray()
            for match in matches {
                writer.beginObject()
                writer.member("field", names[match.field])
                writer.member("text", match.text)
                if let item = match.item { writer.member("item", item) }
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
    }
}

/// The members of a record in which a client finds the fields that a search matches.
struct SearchFieldNames: Sendable {
    private let term: String

    static let business = SearchFieldNames(term: "category_name")
    static let event = SearchFieldNames(term: "event_type_name")

    /// The name of the member.
    subscript(field: SearchField) -> String {
        switch field {
        case .name: "name"
        case .term: term
        case .menu: "menus"
        case .place: "business_name"
        case .description: "description"
        case .address: "address"
        }
    }
}
