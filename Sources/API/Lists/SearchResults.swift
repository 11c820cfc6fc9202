import Bytes
import Dispatcher
import HTTP
import JSON
import SookeModel
import Store

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
