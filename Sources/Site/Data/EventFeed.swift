import Bytes
import Dispatcher
import HTTP
import SookeModel
import Store

/// `/events.atom`: the coming events for programs that read news (RFC 4287).
enum EventFeed {
    static let parameters = ["type", "business"]
    private static let most = 100

    static func answer(_ view: View) throws -> Answer {
        var query = EventQuery(clock: view.events)
        query.eventTypes = try view.call.parameter("type").map { [Slug($0)] }
        query.business = try view.call.parameter("business").map { Slug($0) }
        query.series = view.series
        var list = view.town.list(of: query)
        let events = list.next(visiting: most) ?? []
        let host = view.frame.url.split(at: "/", ":").dropFirst().first ?? "localhost"
        let feed: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom"><id>tag:\(host),2026:events</id><title>\(view.frame.town)</title>\
            <updated>\((events.compactMap(\.value.times.updated).max() ?? .epoch).rfc3339)</updated>\
            <author><name>\(view.frame.town)</name></author><link href="\(link: Link(on: view.frame.url, "/events"))"/>
            \(each: events, { entry($0, host, view) })</feed>

            """
        // Without what no XML can have (XML 1.0, 2.2).
        let scalars = String(decoding: feed.bytes, as: UTF8.self).unicodeScalars.filter {
            $0.value >= 0x20 && $0.value & 0xFFFE != 0xFFFE || $0 == "\n" || $0 == "\t"
        }
        let body = Array(String(String.UnicodeScalarView(scalars)).utf8)
        var headers: ResponseHeaders = ["Content-Type": "application/atom+xml", "Cache-Control": "no-cache"]
        headers.add("ETag", bytes: EntityTag(of: body).bytes)
        let last = Timestamp(microseconds: view.until.microseconds - 1)
        return .moved(CacheableResponse(response: Response(headers: headers, body: body), until: last))
    }

    /// Its ID stays when the event is renamed.
    private static func entry(_ event: EventRecord, _ host: String, _ view: View) -> HTML {
        let next = event.representative(at: view.events, view.town.business(of: event))
        view.changes(at: Timestamp(microseconds: next.overAt.microseconds + 1))
        let place = view.place(of: event)?.name ?? event.value.location
        return """
            <entry><id>tag:\(host),2026:event-\(event.id)</id><title>\(event.value.name)</title>\
            <link href="\(link: Link(on: view.frame.url, Link.path(event: event.value.slug)))"/>\
            <updated>\((event.value.times.updated ?? .epoch).rfc3339)</updated><summary>\
            \([view.words.sentence(of: next), place].compactMap(\.shown).joined(separator: ", "))</summary></entry>

            """
    }
}
