import Bytes
import Dispatcher
import HTTP
import SookeModel
import Store

/// `/events.atom`: the coming events for programs that read news (RFC 4287), after the current notices.
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
        let notices =
            query.eventTypes == nil && query.business == nil ? view.town.currentNotices(at: view.call.now) : []
        let updated = events.compactMap(\.value.times.updated) + notices.compactMap(\.times.updated)
        let host = view.frame.url.split(at: "/", ":").dropFirst().first ?? "localhost"
        let feed: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom"><id>tag:\(host),2026:events</id><title>\(view.frame.town)</title>\
            <updated>\((updated.max() ?? .epoch).rfc3339)</updated>\
            <author><name>\(view.frame.town)</name></author><link href="\(link: Link(on: view.frame.url, "/events"))"/>
            \(each: notices, { notice in
                entry(
                    "notice-\(notice.id)", NoticesPage.severity(notice) + notice.title, "/notices#n\(notice.id)",
                    notice.times.updated, notice.text ?? "", host, view)
            })\(each: events, { entry($0, host, view) })</feed>

            """
        // Without what no XML can have (XML 1.0, 2.2).
        let scalars = String(decoding: feed.bytes, as: UTF8.self).unicodeScalars.filter {
            $0.value >= 0x20 && $0.value & 0xFFFE != 0xFFFE || $0 == "\n" || $0 == "\t"
        }
        let body = Array(String(String.UnicodeScalarView(scalars)).utf8)
        let last = Timestamp(microseconds: view.until.microseconds - 1)
        return .moved(CacheableResponse(response: .revalidated("application/atom+xml", body), until: last))
    }

    /// Its ID stays when the event is renamed.
    private static func entry(_ event: EventRecord, _ host: String, _ view: View) -> HTML {
        let next = event.representative(at: view.events, view.town.business(of: event))
        view.changes(at: Timestamp(microseconds: next.overAt.microseconds + 1))
        let place = view.place(of: event)?.name ?? event.value.location
        return entry(
            "event-\(event.id)", event.value.name, Link.path(event: event.value.slug), event.value.times.updated,
            [view.words.sentence(of: next), place].compactMap(\.shown).joined(separator: ", "), host, view)
    }

    private static func entry(
        _ id: String, _ title: String, _ path: String, _ updated: Timestamp?, _ summary: String, _ host: String,
        _ view: View
    ) -> HTML {
        """
        <entry><id>tag:\(host),2026:\(id)</id><title>\(title)</title>\
        <link href="\(link: Link(on: view.frame.url, path))"/>\
        <updated>\((updated ?? .epoch).rfc3339)</updated><summary>\(summary)</summary></entry>

        """
    }
}
