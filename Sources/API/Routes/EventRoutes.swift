import Bytes
import HTTP
import JSON
import SookeModel
import Store

/// `/events`: the calendar.
enum EventRoutes {
    static func add(to routes: inout RouterBuilder<Handler>) {
        routes.get("/api/v1/events", list)
        routes.get("/api/v1/events/{slug}", detail)
    }

    /// The approved events that are not over, by start, narrowed by `search` and `event_type`, a page at a time.
    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let types = try call.request.query.all("event_type")
        let query = EventQuery(
            search: try call.parameter("search"),
            eventTypes: types.isEmpty ? nil : types.map(Slug.init(_:)),
            now: call.now)
        let page = call.community.events(query, page: try call.page())
        return .json(call, .list(page) { $0.append($1, in: call.community) })
    }

    /// One event that a stranger may see, past and cancelled ones included.
    private static func detail(_ call: Call) throws(HTTPError) -> Response {
        guard let event = call.community.publicEvent(try call.slug()) else {
            throw .notFound("there is no such event")
        }
        var body: [UInt8] = []
        body.append(event, in: call.community)
        return .json(call, body)
    }
}

extension [UInt8] {
    /// Appends an event as the API shows it; its place is that of its business when it has none of its own.
    fileprivate mutating func append(_ event: EventRecord, in community: Community) {
        let business = event.businessID.flatMap { community.businesses[$0] }
        append(contentsOf: event.head)
        if let type = community.eventTypes[event.eventTypeID] { append(contentsOf: type.reference) }
        append(event.coordinates ?? business?.coordinates)
        append(contentsOf: event.middle)
        append(contentsOf: business?.reference ?? EventRecord.noBusiness)
        append("}")
    }

    private mutating func append(_ coordinates: Coordinates?) {
        append(",\"latitude\":")
        append(degrees: coordinates?.latitude)
        append(",\"longitude\":")
        append(degrees: coordinates?.longitude)
    }

    private mutating func append(degrees: Double?) {
        if let degrees { append(json: degrees) } else { append("null") }
    }
}
