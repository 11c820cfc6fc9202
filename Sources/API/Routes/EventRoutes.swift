import Bytes
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/events`: reading the calendar. The routes that change it are in `EventWritingRoutes`.
enum EventRoutes {
    static func add(to routes: inout RouterBuilder<Route>) {
        routes.get(
            "/api/v1/events",
            .cachedRead("Lists events that have not ended", gives: .page(.event), list).with(
                .search, .eventType, .type, .status, .page, .perPage))
        routes.get("/api/v1/events/{slug}", .cachedRead("Shows an event", gives: .one(.event), detail))
    }

    /// The approved events that have not ended, by start, narrowed by `search` and `event_type` or `type`, a page at a
    /// time; or, with `status`, the events of that status that are visible to the caller.
    private static func list(_ call: Call) throws(HTTPError) -> CacheableResponse {
        if let status = try call.parameter("status") { return try list(call, status) }
        let types = try call.eventTypes()
        let query = EventQuery(
            search: try call.parameter("search"),
            eventTypes: types.isEmpty ? nil : types,
            now: call.now)
        let community = call.community
        let page = community.page(try call.page(), of: query)
        return .json(
            .list(page) { $0.append($1, in: community) }, until: community.events.nextEnd(at: call.now) ?? .endOfTime)
    }

    /// The events of a status that is not public.
    private static func list(_ call: Call, _ name: String) throws(HTTPError) -> CacheableResponse {
        guard let status = Event.Status(named: name) else {
            let names = Event.Status.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter("status is one of \(names), not \"\(name.excerpt())\"")
        }
        let (community, request) = (call.community, try call.page())
        let page = try call.service { () throws(ServiceError) in
            try call.town.events(
                of: status, page: request, for: call.caller, isSuperAdmin: call.isSuperAdmin, in: community)
        }
        return .json(.list(page) { $0.append($1, in: community, reason: !status.isPublic) }, until: .endOfTime)
    }

    /// One event; one that is not public is visible to its submitter and those who decide on it only.
    private static func detail(_ call: Call) throws(HTTPError) -> CacheableResponse {
        let slug = try call.slug()
        let community = call.community
        let located = try call.service { () throws(ServiceError) in
            try call.town.event(slug, for: call.caller, in: community)
        }
        switch located {
        case .found(let event):
            let body = JoinedEvent(event, in: community).body(for: call)
            return .json(body, record: RecordValidators(event), until: .endOfTime)
        case .moved(let slug): return .uncached(.moved(to: "/api/v1/events/", slug, call.request.query))
        }
    }
}

extension Call {
    /// The requested event types, from `event_type` or the app's newer name for it, `type`. An empty `event_type` is a
    /// type that no event has; an empty `type` counts as absent, like other parameters.
    fileprivate func eventTypes() throws(HTTPError) -> [Slug] {
        let query = request.query
        let names = try query.all("event_type") + query.all("type").filter { !$0.isEmpty }
        return names.map(Slug.init(_:))
    }
}

extension [UInt8] {
    /// Appends an event as in responses; without coordinates of its own it has those of its business.
    ///
    /// - Parameter reason: whether to include the reason of a rejection, which is not public.
    mutating func append(_ event: EventRecord, in community: Community, reason: Bool = false) {
        append(
            event, type: community.eventTypes[event.eventTypeID],
            at: event.businessID.flatMap { community.businesses[$0] }, reason: reason)
    }

    fileprivate mutating func append(
        _ event: EventRecord, type: TermRecord<EventTypeVocabulary>?, at business: BusinessRecord?, reason: Bool
    ) {
        append(contentsOf: event.head)
        if let type { append(contentsOf: type.reference) }
        append(event.coordinates ?? business?.coordinates)
        append(contentsOf: event.middle)
        append(contentsOf: business?.reference ?? EventRecord.noBusiness)
        if reason, let text = event.value.reason {
            append(",\"reason\":")
            append(json: text)
        }
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

extension JoinedEvent: RepresentedRecord {
    /// The event, as in the response to a read by the caller at this time.
    func body(for call: Call) -> [UInt8] {
        var body: [UInt8] = []
        body.append(record, type: type, at: business, reason: !record.isPublic)
        return body
    }
}
