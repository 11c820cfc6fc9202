import Bytes
import Dispatcher
import HTTP
import JSON
import SookeModel
import Store

extension JSONWriter {
    /// - Parameter names: the members in which a client finds the fields.
    mutating func write(_ matches: [SearchMatch], _ names: SearchFieldNames) {
        key("matches")
        beginArray()
        for match in matches {
            beginObject()
            member("field", names[match.field])
            member("text", match.text)
            if let item = match.item { member("item", item) }
            endObject()
        }
        endArray()
    }
}

/// The members in which a client finds the fields that a search matches.
struct SearchFieldNames: Sendable {
    private let term: String

    static let business = SearchFieldNames(term: "category_name")
    static let event = SearchFieldNames(term: "event_type_name")

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
