import Bytes
import Dispatcher
import Exchange
import HTTP
import JSON
import Service
import SookeModel
import Store

struct BusinessItems: Sendable {
    private let town: Town
    private(set) var time: ListTime
    /// Distances are measured from here.
    private let center: Coordinates?
    /// Nil when matches are not shown.
    private let search: BusinessSearch?
    let filter: MemberFilter?

    init(of query: BusinessQuery, _ search: BusinessSearch?, in call: Call) throws(HTTPError) {
        town = call.town
        time = call.service.listTime(of: call.town, at: call.now, in: try call.zone())
        center = query.near?.center
        let fields = try call.fields(of: Schema.businessItemFields)
        filter = fields.map(MemberFilter.only)
        self.search = fields?.contains("matches") == false ? nil : search
    }

    /// Of a whole list. Finding what matched reads all texts of a business.
    var atATime: Int { search == nil ? 128 : 8 }

    mutating func write(_ business: BusinessRecord, to writer: inout JSONWriter) {
        if let filter { writer.raw(filter.apply(to: whole(business))) } else { writeWhole(business, to: &writer) }
    }

    mutating func whole(_ business: BusinessRecord) -> [UInt8] {
        var writer = JSONWriter()
        writeWhole(business, to: &writer)
        return writer.bytes
    }

    private mutating func writeWhole(_ business: BusinessRecord, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.write(business, category: town.category(of: business), at: &time)
            if let search { writer.write(search.matches(in: business), .business) }
            if let center, let place = business.coordinates {
                // To a tenth: more digits would pretend that addresses are that exact.
                writer.member("distance_m", (center.distance(to: place) * 10).rounded() / 10)
            }
        }
    }
}

extension JSONWriter {
    /// Only what depends on the clock is encoded again.
    mutating func write(
        _ business: BusinessRecord, category: TermRecord<CategoryVocabulary>?, at time: inout ListTime
    ) {
        business.writeListed(to: &self, category: category?.reference ?? BusinessRecord.noCategory, at: &time)
    }

    /// A feature (RFC 7946, section 3.2). A location that is not on Earth is left out.
    ///
    /// - Parameter filter: nil for all members but the location, which is the geometry.
    mutating func write(feature business: BusinessRecord, properties: [UInt8], _ filter: MemberFilter? = nil) {
        object { writer in
            writer.member("type", "Feature")
            writer.member("id", business.id)
            writer.key("geometry")
            if let place = business.coordinates, place.isValid {
                writer.object { writer in
                    writer.member("type", "Point")
                    writer.array("coordinates", [place.longitude, place.latitude]) { $1.double($0) }
                }
            } else {
                writer.null()
            }
            writer.member(
                "properties", raw: (filter ?? .without(["latitude", "longitude"])).apply(to: properties))
        }
    }
}

/// `{"items":[…],"pagination":{…}}` with all items on one page, or a `FeatureCollection` (RFC 7946): each business is a
/// feature with its members as properties.
struct BusinessesText: ListText {
    private var items: BusinessItems
    private let isGeoJSON: Bool
    private var writer = JSONWriter()
    private var count = 0

    init(_ items: BusinessItems, isGeoJSON: Bool) {
        (self.items, self.isGeoJSON) = (items, isGeoJSON)
    }

    var recordsAtATime: Int { items.atATime }

    mutating func begin() {
        writer.beginObject()
        if isGeoJSON { writer.member("type", "FeatureCollection") }
        writer.key(isGeoJSON ? "features" : "items")
        writer.beginArray()
    }

    mutating func append(_ business: BusinessRecord) {
        count += 1
        if isGeoJSON {
            writer.write(feature: business, properties: items.whole(business), items.filter)
        } else {
            items.write(business, to: &writer)
        }
    }

    mutating func end() {
        writer.endArray()
        if !isGeoJSON { writer.pagination(1, size: count, total: count, pages: min(count, 1)) }
        writer.endObject()
    }

    mutating func take() -> [UInt8] { writer.take() }
}
