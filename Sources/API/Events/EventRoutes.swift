import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/events`: reading the calendar. The routes that change it are in `EventWritingRoutes`.
enum EventRoutes {
    static func add(to routes: inout RouteList) {
        routes.add(
            .get, "/api/v1/events", "Lists events that have not ended, or those of a range", gives: .page(.event),
            query: [
                .q, .search, .eventType, .type, .business, .near, .radius, .boundingBox, .from, .to, .when, .status,
                .page, .perPage,
            ],
            types: [.calendar, .csv], .cachedRead(list))
        routes.add(
            .get, "/api/v1/events.csv", "Lists all events of a query as a table, as imports read it", gives: .file,
            query: [.search, .eventType, .type, .business, .near, .radius, .boundingBox, .from, .to, .when],
            .cachedRead(table))
        routes.add(
            .get, "/api/v1/events/{slug}", "Shows an event", gives: .one(.event), query: [.from, .to, .when],
            types: [.calendar], .cachedRead(detail))
        routes.add(
            .get, "/api/v1/events/{slug}/{date}",
            "Shows an event as it is on one of its dates: with its times, name, description, location and status there",
            gives: .one(.event), .cachedRead(date))
    }

    /// The approved events that have not ended, or that have an occurrence in a range, by the start of the only or next
    /// occurrence; or, with `status`, the events of that status that are visible to the caller.
    private static func list(_ call: Call) throws -> CacheableResponse {
        switch MediaType.preferred(by: call.request, of: [.json, .calendar, .csv]) {
        case .calendar: return .uncached(try CalendarRoutes.calendar(call).response)
        case .csv: return try table(call)
        default: break
        }
        if let status = try call.parameter("status") { return try list(call, status) }
        let range = try call.eventRange()
        let query = try call.eventQuery(in: range?.range)
        let town = call.town
        let request = try call.page()
        var text = EventText(town: town, clock: query.clock, range: range?.range)
        text.limit = min(EventRange.mostOccurrences, EventRange.mostOccurrencesOfPage / request.size)
        let until = query.until(range, in: town)
        guard let search = try call.search() else {
            let page = town.page(request, of: query)
            return query.response(page, until: until) { text.write($0, to: &$1) }
        }
        let result = town.page(request, of: search, in: query)
        var matches = result.matches[...]
        return query.response(result.page, isBounded: result.isBounded, until: until) {
            text.write($0, matches: matches.removeFirst(), to: &$1)
        }
    }

    /// With the times of their series.
    private static func table(_ call: Call) throws(HTTPError) -> CacheableResponse {
        let (range, town) = (try call.eventRange(), call.town)
        let query = try call.eventQuery(in: range?.range)
        let table = StreamedList(town.list(of: query), as: TableText<EventRecord>())
        return .streamed(table, as: .csv, to: call, until: query.until(range, in: town))
    }

    /// Of a status that is not public.
    private static func list(_ call: Call, _ name: String) throws -> CacheableResponse {
        guard let status = Event.Status(named: name) else {
            let names = Event.Status.allCases.map(\.rawValue).joined(separator: ", ")
            throw HTTPError.invalidParameter("status is one of \(names), not \"\(name.excerpt())\"")
        }
        let (town, request) = (call.town, try call.page())
        let page = try call.service.events(of: status, page: request, for: call.caller, in: town)
        let clock = call.eventClock
        let text = EventText(town: town, clock: clock, hasReason: !status.isPublic)
        let until = town.nextEventEnd(at: clock, call.version.upcomingSeries(at: clock)) ?? .endOfTime
        return .json(.list(page) { text.write($0, to: &$1) }, until: until)
    }

    private static func detail(_ call: Call) throws -> CacheableResponse {
        let slug = try call.slug()
        if let calendar = try CalendarRoutes.event(slug, call) { return calendar }
        if call.request.prefersCalendar { return .uncached(try CalendarRoutes.event(slug, call).response) }
        let town = call.town
        switch try call.service.event(slug, for: call.caller, in: town) {
        case .found(let event):
            let goneAt = event.value.withdrawnAt?.advanced(bySeconds: 7 * 86_400) ?? .endOfTime
            guard goneAt > call.now || event.value.isKnown(to: call.caller, in: town) else {
                throw HTTPError.notFound()
            }
            let range = try call.eventRange()
            let joined = JoinedEvent(event, in: town)
            let body =
                if let range {
                    joined.body(for: call, range: range.range, limit: EventRange.mostOccurrences)
                } else {
                    joined.body(for: call)
                }
            return .json(body, record: RecordValidators(event), until: min(goneAt, joined.until(at: call, range)))
        case .moved(let slug): return call.moved(to: "/api/v1/events/", slug)
        }
    }
}

extension EventRoutes {
    private static func date(_ call: Call) throws -> CacheableResponse {
        switch try call.eventDate(under: "/api/v1/events/", for: call.caller) {
        case .moved(let response): return response
        case .found(let date, let event):
            let body = JoinedEvent(date.event, in: call.town).body(for: call, on: date.occurrence)
            return .json(body, record: RecordValidators(event), until: .endOfTime)
        }
    }
}

extension JoinedEvent {
    fileprivate func until(at call: Call, _ range: EventRange?) -> Timestamp {
        let shown = record.representative(at: call.eventClock, business)
        let isRepeated = record.value.hasSeries && shown.effectiveEnd >= call.now
        return min(isRepeated ? shown.effectiveEnd : .endOfTime, range?.until ?? .endOfTime)
    }
}

extension EventQuery {
    /// When an event of it ends, or its range moves.
    fileprivate func until(_ range: EventRange?, in town: Town) -> Timestamp {
        min(town.nextEventEnd(at: clock, series) ?? .endOfTime, range?.until ?? .endOfTime)
    }

    /// One from which something was left out says so, and is not cached: the next one has more. `isBounded` is that of
    /// a search.
    fileprivate func response(
        _ page: Page<EventRecord>, isBounded: Bool? = nil, until: Timestamp,
        _ write: (EventRecord, inout JSONWriter) -> Void
    ) -> CacheableResponse {
        let body = [UInt8].list(page, write) { writer in
            guard clock.work.isBounded || isBounded != nil else { return }
            writer.member("is_bounded", clock.work.isBounded || isBounded == true)
        }
        return clock.work.isBounded ? .uncached(.json(body)) : .json(body, until: until)
    }
}
