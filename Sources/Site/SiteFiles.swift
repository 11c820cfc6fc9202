import Bytes
import Dispatcher
import HTTP
import JSON
import SookeModel
import Store

/// What programs read of a site: its map and rules for search engines, its icon, and what makes it an app on a phone.
struct SiteFiles: Sendable {
    let frame: @Sendable (Town) -> Frame

    /// The most businesses, and events, in one part of a sitemap: an address takes two microseconds, and a request must not
    /// take long.
    private static let (mostAddresses, mostEvents) = (1_500, 500)

    var endpoints: [(method: Method, pattern: String, endpoint: Endpoint)] {
        [
            file("/robots.txt", "text/plain; charset=utf-8", robots),
            file("/sitemap.xml", "application/xml", sitemap, reading: ["part"], until: endOfDay),
            file("/site.webmanifest", "application/manifest+json", manifest),
            file("/icon.svg", "image/svg+xml", icon),
        ]
    }

    private func file(
        _ path: String, _ type: String, _ content: @escaping @Sendable (Call) throws(HTTPError) -> [UInt8],
        reading parameters: [String] = [], until end: @escaping @Sendable (Call) -> Timestamp = { _ in .endOfTime }
    ) -> (method: Method, pattern: String, endpoint: Endpoint) {
        let endpoint = Endpoint(
            .anyone, types: [.html], parameters: parameters.map { Endpoint.Parameter($0, isRepeated: false) },
            handler: .cachedRead { call throws(HTTPError) in
                let body = try content(call)
                var headers: ResponseHeaders = ["Content-Type": type, "Cache-Control": "no-cache"]
                headers.add("ETag", bytes: EntityTag(of: body).bytes)
                return CacheableResponse(response: Response(headers: headers, body: body), until: end(call))
            })
        return (.get, path, endpoint)
    }

    /// Events that are over leave the sitemap, at the latest on the next day.
    @Sendable private func endOfDay(_ call: Call) -> Timestamp {
        let today = call.townZone.localDate(at: call.now).date
        return Timestamp(microseconds: call.townZone.start(of: today.advanced(by: 1)).microseconds - 1)
    }

    @Sendable private func robots(_ call: Call) -> [UInt8] {
        Array("User-agent: *\nDisallow: /api/\nSitemap: \(frame(call.town).url)/sitemap.xml\n".utf8)
    }

    @Sendable private func manifest(_ call: Call) -> [UInt8] {
        let frame = frame(call.town)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("name", frame.town)
        writer.member("short_name", frame.town)
        writer.member("start_url", "/")
        writer.member("display", "standalone")
        writer.member("background_color", "#fcfaf6")
        writer.member("theme_color", "#fcfaf6")
        writer.key("icons")
        writer.beginArray()
        writer.beginObject()
        writer.member("src", "/icon.svg")
        writer.member("sizes", "any")
        writer.member("type", "image/svg+xml")
        writer.endObject()
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    @Sendable private func icon(_ call: Call) -> [UInt8] { Icon.site }

    /// All pages that search engines may list, by the sitemap protocol; an index of parts for a large town.
    @Sendable private func sitemap(_ call: Call) throws(HTTPError) -> [UInt8] {
        let (town, url) = (call.town, frame(call.town).url)
        let businesses = town.listedCount
        let parts = businesses / Self.mostAddresses + 1
        let part = try call.count("part")
        guard part ?? 1 <= parts else { throw .notFound() }
        if parts > 1, part == nil {
            let places = (1...parts).map { "<sitemap><loc>\(url)/sitemap.xml?part=\($0)</loc></sitemap>\n" }
            return Self.document("sitemapindex", places.joined())
        }
        let start = ((part ?? 1) - 1) * Self.mostAddresses
        var text = ""
        for business in town.listedBusinesses(in: start..<(start + Self.mostAddresses)) {
            text += Self.entry(url + Link.path(business: business.slug), business.value.times.updated)
        }
        guard part ?? 1 == 1 else { return Self.document("urlset", text) }
        let pages = ["/", "/businesses", "/events", "/week"].map { Self.entry(url + $0, nil) }
        var events = town.list(of: EventQuery(clock: call.eventClock))
        let shown = (events.next(visiting: Self.mostEvents) ?? []).map {
            Self.entry(url + Link.path(event: $0.value.slug), $0.value.times.updated)
        }
        return Self.document("urlset", pages.joined() + shown.joined() + text)
    }

    /// An address, escaped: its path is, and the site's own is no text of strangers.
    private static func entry(_ address: String, _ updated: Timestamp?) -> String {
        let escaped = address.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
        let date = updated.map { "<lastmod>\(CivilDate(daysSinceEpoch: $0.seconds / 86_400).text)</lastmod>" } ?? ""
        return "<url><loc>\(escaped)</loc>\(date)</url>\n"
    }

    private static func document(_ root: String, _ entries: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <\(root) xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
            \(entries)</\(root)>

            """.utf8)
    }
}
