import Bytes
import HTTP
import JSON
import SookeModel
import Store

/// `/businesses`: the directory.
enum BusinessRoutes {
    static func add(to routes: inout RouterBuilder<Handler>) {
        routes.get("/api/v1/businesses", list)
        routes.get("/api/v1/businesses/{slug}", detail)
    }

    /// The listed businesses by name, narrowed by `search` and `category`, a page at a time.
    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let query = BusinessQuery(
            search: try call.parameter("search"),
            category: try call.parameter("category").map(Slug.init(_:)))
        let dayOfWeek = try call.zone().localDate(at: call.now).0.dayOfWeek
        let page = call.community.businesses(query, page: try call.page())
        return .json(call, .list(page) { $0.append($1, on: dayOfWeek, in: call.community) })
    }

    /// One business with its hours and menus.
    private static func detail(_ call: Call) throws(HTTPError) -> Response {
        guard let business = call.community.listedBusiness(try call.slug()) else {
            throw .notFound("there is no such business")
        }
        let dayOfWeek = call.town.zone.localDate(at: call.now).0.dayOfWeek
        var body: [UInt8] = []
        body.append(business, on: dayOfWeek, in: call.community, isDetail: true)
        return .json(call, body)
    }
}

extension [UInt8] {
    /// Appends a business as the API shows it; only the hours of today are written anew.
    fileprivate mutating func append(
        _ business: BusinessRecord, on dayOfWeek: Int, in community: Community, isDetail: Bool = false
    ) {
        append(contentsOf: business.head)
        if let category = community.category(of: business) { append(contentsOf: category.reference) }
        append(contentsOf: business.middle)
        if let today = business.hours(on: dayOfWeek) { append(today) } else { append("null") }
        if isDetail { append(contentsOf: business.tail) } else { append("}") }
    }

    /// Appends a day's hours as the API shows them.
    private mutating func append(_ day: DayHours) {
        append("{\"day_of_week\":")
        append(decimal: day.dayOfWeek)
        append(",\"open_time\":\"")
        append(clock: day.opens.seconds)
        append("\",\"close_time\":\"")
        append(clock: day.closes.seconds)
        append(day.isClosed ? "\",\"is_closed\":true}" : "\",\"is_closed\":false}")
    }
}
