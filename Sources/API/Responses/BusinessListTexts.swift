import Bytes
import Exchange
import JSON
import SookeModel
import Store

/// `{"items":[…],"pagination":{…}}` with all items on one page.
struct ItemsText: ListText {
    private var items: BusinessItems
    private var count = 0

    init(_ items: BusinessItems) {
        self.items = items
    }

    var recordsAtATime: Int { items.atATime }

    mutating func begin(_ text: inout [UInt8]) { text.append("{\"items\":[") }

    mutating func append(_ business: BusinessRecord, to text: inout [UInt8]) {
        if count > 0 { text.append(",") }
        count += 1
        items.append(business, to: &text)
    }

    mutating func end(_ text: inout [UInt8]) {
        text.append(
            utf8: "],\"pagination\":{\"page\":1,\"per_page\":\(count),\"total_items\":\(count),"
                + "\"total_pages\":\(min(count, 1)),\"next_cursor\":null}}")
    }
}

/// A `FeatureCollection` (RFC 7946): each business is a feature with its members as properties.
struct FeatureCollectionText: ListText {
    private var items: BusinessItems
    private var isFirst = true

    init(_ items: BusinessItems) {
        self.items = items
    }

    var recordsAtATime: Int { items.atATime }

    mutating func begin(_ text: inout [UInt8]) { text.append("{\"type\":\"FeatureCollection\",\"features\":[") }

    mutating func append(_ business: BusinessRecord, to text: inout [UInt8]) {
        if !isFirst { text.append(",") }
        isFirst = false
        text.append(feature: business, properties: items.whole(business), items.filter)
    }

    mutating func end(_ text: inout [UInt8]) { text.append("]}") }
}

extension [UInt8] {
    /// Appends a business as a feature (RFC 7946, section 3.2). A location that is not on Earth is left out.
    ///
    /// - Parameters:
    ///   - properties: the business as an object.
    ///   - filter: the members that become properties; nil for all but the location, which is the geometry.
    mutating func append(feature business: BusinessRecord, properties: [UInt8], _ filter: MemberFilter? = nil) {
        append("{\"type\":\"Feature\",\"id\":")
        append(decimal: business.id)
        append(",\"geometry\":")
        if let place = business.coordinates, place.isValid {
            append("{\"type\":\"Point\",\"coordinates\":[")
            append(json: place.longitude)
            append(",")
            append(json: place.latitude)
            append("]}")
        } else {
            append("null")
        }
        append(",\"properties\":")
        append(contentsOf: (filter ?? .without(["latitude", "longitude"])).apply(to: properties))
        append("}")
    }
}
