import Bytes
import Dispatcher
import Exchange
import HTTP
import JSON
import Service
import SookeModel
import Store

/// How the businesses of a list are written.
struct BusinessItems: Sendable {
    private let categories: Table<TermRecord<CategoryVocabulary>>
    private(set) var time: ListTime
    /// The place from which distances are measured.
    private let center: Coordinates?
    /// Tells what matched; nil when that is not shown.
    private let search: BusinessSearch?
    /// The members that the request selects; nil for all.
    let filter: MemberFilter?

    /// The items of a list for a query.
    ///
    /// - Throws: 400 for a time zone or a field that does not exist.
    init(of query: BusinessQuery, _ search: BusinessSearch?, in call: Call) throws(HTTPError) {
        categories = call.town.categories
        time = call.service.listTime(of: call.town, at: call.now, in: try call.zone())
        center = query.near?.center
        let fields = try call.fields(of: Schema.businessItemFields)
        filter = fields.map(MemberFilter.only)
        self.search = fields?.contains("matches") == false ? nil : search
    }

    /// How many businesses of a whole list are written at a time. Finding what matched reads all texts of a business.
    var atATime: Int { search == nil ? 128 : 8 }

    mutating func append(_ business: BusinessRecord, to text: inout [UInt8]) {
        if let filter { text.append(contentsOf: filter.apply(to: whole(business))) } else { write(business, to: &text) }
    }

    mutating func whole(_ business: BusinessRecord) -> [UInt8] {
        var text: [UInt8] = []
        write(business, to: &text)
        return text
    }

    private mutating func write(_ business: BusinessRecord, to text: inout [UInt8]) {
        text.append(business, category: business.categoryID.flatMap { categories[$0] }, at: &time)
        if let search { text.append(search.matches(in: business), .business) }
        guard let center, let place = business.coordinates else { return }
        text.removeLast()
        text.append(",\"distance_m\":")
        // To a tenth: more digits would pretend that addresses are that exact.
        text.append(json: (center.distance(to: place) * 10).rounded() / 10)
        text.append("}")
    }
}

extension [UInt8] {
    /// Appends a business as in lists; only what depends on the clock is encoded anew.
    mutating func append(
        _ business: BusinessRecord, category: TermRecord<CategoryVocabulary>?, at time: inout ListTime
    ) {
        let category = category?.reference ?? BusinessRecord.noCategory
        business.append(to: &self, category: category.span, at: &time)
    }
}

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
                + "\"total_pages\":\(min(count, 1))}}")
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
