import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/businesses`: lists of businesses, by page or as a whole, in JSON, GeoJSON (RFC 7946) or CSV.
enum BusinessListRoute {
    static func add(to routes: inout RouteList) {
        let filters: [QueryParameter] = [
            .q, .search, .category, .openNow, .openAt, .near, .radius, .boundingBox, .hasLocation, .updatedSince, .sort,
            .timeZone,
        ]
        routes.add(
            .get, "/api/v1/businesses", "Lists businesses by name or by distance", gives: .page(.business),
            query: filters + [.fields, .all, .page, .perPage, .cursor], types: [.geoJSON, .csv], .cachedRead(list))
        routes.add(
            .get, "/api/v1/businesses.geojson", "Lists all businesses of a query as GeoJSON", gives: .file,
            query: filters + [.fields],
            .cachedRead { try streamed($0, .geoJSON) })
        routes.add(
            .get, "/api/v1/businesses.csv", "Lists all businesses of a query as a table, as imports read it",
            gives: .file, query: filters,
            .cachedRead { try streamed($0, .csv) })
    }

    private static func list(_ call: Call) throws(HTTPError) -> CacheableResponse {
        switch MediaType.preferred(by: call.request, of: [.json, .geoJSON, .csv]) {
        case .geoJSON: return try streamed(call, .geoJSON)
        case .csv: return try streamed(call, .csv)
        default: return try call.flag("all") ? streamed(call, .json) : page(call)
        }
    }

    private static func page(_ call: Call) throws(HTTPError) -> CacheableResponse {
        var query = try call.businessQuery()
        let cursor = try BusinessCursor(in: call, query.order)
        let search = try call.businessSearch()
        query.matches = search?.ranked
        query.after = cursor?.key
        var items = try BusinessItems(of: query, search, in: call)
        let town = call.town
        let page = town.page(try call.page(), of: query)
        var (next, link): (String?, [UInt8]?)
        if cursor != nil {
            let last = page.hasNext ? page.records.last : nil
            next = last.map { BusinessCursor.text(after: $0, town.key(of: $0, in: query)) }
            link = next.flatMap { call.linkToNext("cursor", $0, without: "page") }
        } else if page.hasNext {
            link = call.linkToNext("page", "\(page.request.number + 1)", without: "cursor")
        }
        let body = [UInt8].items(page.records) {
            items.write($0, to: &$1)
        } and: { writer in
            writer.pagination(of: page, number: cursor == nil ? page.request.number : nil, next: next)
            if let search { writer.member("is_bounded", search.isBounded) }
        }
        var shown = CacheableResponse.json(body, until: items.time.validUntil)
        if let link { shown.response.headers.add("Link", bytes: link) }
        return shown
    }

    private static func streamed(_ call: Call, _ type: MediaType) throws(HTTPError) -> CacheableResponse {
        var query = try call.businessQuery()
        let search = try call.businessSearch()
        query.matches = search?.ranked
        let items = try BusinessItems(of: query, search?.inParts, in: call)
        let businesses = call.town.list(of: query)
        if type == .csv {
            let table = StreamedList(businesses, as: TableText<BusinessRecord>())
            return .streamed(table, as: type, to: call, until: call.now.endOfMinute)
        }
        let text = BusinessesText(items, isGeoJSON: type == .geoJSON)
        return .streamed(StreamedList(businesses, as: text), as: type, to: call, until: call.now.endOfMinute)
    }
}

extension Call {
    func businessQuery() throws(HTTPError) -> BusinessQuery {
        var query = BusinessQuery(
            search: try parameter("search"), category: try parameter("category").map(Slug.init(_:)))
        query.near = try near()
        query.box = try boundingBox()
        query.updatedSince = try moment("updated_since")
        query.order = try order(near: query.near)
        switch try parameter("open_now") {
        case "true": query.ids = service.openNow(in: version).ids
        case "confirmed": query.ids = service.openNow(in: version).confirmedIDs
        case nil, "false": break
        case let text?:
            throw .invalidParameter("open_now must be true, confirmed or false, not \"\(text.excerpt())\"")
        }
        if let moment = try moment("open_at") {
            let clock = service.openHoursClock(of: town, at: moment)
            query.conditions.append { $0.isOpen(at: clock) }
        }
        if try !flag("has_location", orElse: true) { query.conditions.append { $0.coordinates == nil } }
        return query
    }

    func businessSearch() throws(HTTPError) -> BusinessSearch? {
        try search().map { BusinessSearch($0, in: town) }
    }

    /// Without `sort` by relevance for `q`, else by distance from `near`, else by name.
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
}

/// The parameter `cursor`: the page begins after it. `start` begins a walk.
///
/// It contains the key of the last business of the page before. So a business that is added or removed between two
/// pages moves no other across the border, unlike with `page`. One that changes its own place meanwhile may be missed
/// or be there twice. To clients it is an opaque text: a JSON object with the members of the key, in base64url.
struct BusinessCursor {
    let key: BusinessKey?

    /// - Throws: 400 for a text that no response with this order contains.
    init?(in call: Call, _ order: BusinessOrder) throws(HTTPError) {
        guard let text = try call.parameter("cursor") else { return nil }
        if text.utf8.elementsEqual("start".utf8) {
            key = nil
            return
        }
        guard let bytes = Base64URL.decode(text.utf8), let key = Self.key(bytes) else {
            throw .invalidParameter("cursor is start or the next_cursor of a response, not \"\(text.excerpt())\"")
        }
        guard key.order == order else {
            throw .invalidParameter(
                "cursor belongs to a list with another order; "
                    + "send it with the parameters of the request that returned it")
        }
        self.key = key
    }

    static func text(after record: BusinessRecord, _ key: BusinessKey) -> String {
        let json = JSONWriter.object { writer in
            switch key {
            case .name: break
            case .distance(let squaredChord, _): writer.member("distance", squaredChord)
            case .updated(let moment, _): writer.member("updated", moment)
            case .relevance(let rank, _): writer.member("rank", rank)
            }
            writer.member("name", record.name)
            writer.member("id", record.id)
        }
        return Base64URL.encode(json)
    }

    private static func key(_ bytes: [UInt8]) -> BusinessKey? {
        var (name, id, rank) = ("", nil as Int?, nil as Int?)
        var (distance, updated) = (nil as Double?, nil as Timestamp?)
        var reader = JSONReader(bytes)
        do throws(JSONError) {
            try reader.beginObject()
            while let member = try reader.nextKey() {
                switch member {
                case "name": name = try reader.readString()
                case "id": id = try reader.readInt()
                case "rank": rank = try reader.readInt()
                case "distance": distance = try reader.readDouble()
                case "updated": updated = Timestamp(rfc3339: try reader.readString())
                default: return nil
                }
            }
        } catch {
            return nil
        }
        guard let id else { return nil }
        if let distance { return .distance(squaredChord: distance, id: id) }
        if let updated { return .updated(updated, id: id) }
        let nameKey = NameKey(name: name, id: id)
        return rank.map { .relevance(rank: $0, nameKey) } ?? .name(nameKey)
    }
}
