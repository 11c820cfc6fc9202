import Bytes
import Dispatcher
import Exchange
import HTTP
import Service
import SookeModel
import Store
import Synchronization

/// The calendar for other programs: `/events.ics`, `/events/{slug}.ics`, and the same by `Accept: text/calendar`.
enum CalendarRoutes {
    /// Days after their end.
    static let daysBack = 90
    /// A larger calendar is sent in parts.
    private static let mostAtOnce = 200
    private static let fileExtension = ".ics"

    static func add(to routes: inout RouteList) {
        routes.add(
            .get, "/api/v1/events.ics",
            "Shows the calendar as an iCalendar: the public events, also cancelled ones and those of the last 90 days",
            gives: .file, query: [.eventType, .type, .business], .cachedRead(calendar))
    }

    static func calendar(_ call: Call) throws(HTTPError) -> CacheableResponse {
        let town = call.town
        let (clock, types) = (call.eventClock, try call.eventTypes())
        let business = try call.parameter("business").map(Slug.init(_:))
        let visible = call.visibleBusinesses
        // Whole days, so that the calendar stays the same for one.
        let today = clock.zone.localDate(at: call.now).date.daysSinceEpoch
        let since = clock.zone.start(of: CivilDate(daysSinceEpoch: today - daysBack))
        let events = town.calendarEvents(
            since: since, withdrawnSince: clock.zone.start(of: CivilDate(daysSinceEpoch: today - 7)),
            eventTypes: types.isEmpty ? nil : types, business: business, among: visible)
        let names =
            types.compactMap { town.eventTypes[$0]?.value.name }
            + [business.flatMap { town.business($0, among: visible)?.name }].compactMap(\.self)
        let name = town.settings.title + (names.isEmpty ? "" : ": " + names.joined(separator: ", "))
        let feed = CalendarFeed(
            events, since: since, in: town, among: visible, at: clock, name: name, url: call.service.url)
        let tomorrow = clock.zone.start(of: CivilDate(daysSinceEpoch: today + 1))
        let end = Timestamp(microseconds: tomorrow.microseconds - 1)
        guard events.count > mostAtOnce else { return feed.response(until: end) }
        return .streamed(CalendarBody(feed), as: .calendar, to: call, until: end)
    }

    /// If its address ends in `.ics` and no event has that slug.
    static func event(_ slug: Slug, _ call: Call) throws -> CacheableResponse? {
        guard slug.text.hasSuffix(fileExtension), call.town.events[slug] == nil else { return nil }
        return try event(Slug(String(slug.text.dropLast(fileExtension.count))), call, redirectingTo: fileExtension)
    }

    static func event(
        _ slug: Slug, _ call: Call, redirectingTo suffix: String = ""
    ) throws -> CacheableResponse {
        let town = call.town
        switch try call.service.event(slug, for: call.caller, in: town) {
        case .moved(let slug):
            return call.moved(to: "/api/v1/events/", Slug(slug.text + suffix))
        case .found(let event):
            let feed = CalendarFeed(
                [event], in: town, among: call.visibleBusinesses, at: call.eventClock,
                name: event.value.name, url: call.service.url)
            return feed.response(until: .endOfTime)
        }
    }
}

extension Request {
    var prefersCalendar: Bool { MediaType.preferred(by: self, of: [.json, .calendar]) == .calendar }
}

extension CalendarFeed {
    fileprivate func response(until: Timestamp) -> CacheableResponse {
        var (feed, bytes) = (self, [UInt8]())
        while let part = feed.next() { bytes += part }
        return CacheableResponse(response: .revalidated(MediaType.calendar.field, bytes), until: until)
    }
}

private final class CalendarBody: BodySource {
    private let feed: Mutex<CalendarFeed>

    init(_ feed: CalendarFeed) {
        self.feed = Mutex(feed)
    }

    func end() {}

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        feed.withLock { $0.next().map(BodyPart.bytes) ?? .end }
    }
}
