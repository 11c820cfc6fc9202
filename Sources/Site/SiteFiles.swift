import Bytes
import Dispatcher
import HTTP
import JSON
import SookeModel
import Store

/// What programs read of a site: its map and rules for search engines, its icon, and what makes it an app on a phone.
struct SiteFiles: Sendable {
    let frame: @Sendable (Town) -> Frame

    /// The most businesses, and events, in one part of a sitemap: a request must not take long, and the cache takes 128
    /// KiB.
    private static let (mostAddresses, mostEvents) = (500, 300)

    var endpoints: [(method: Method, pattern: String, endpoint: Endpoint)] {
        [
            file("/robots.txt", "text/plain; charset=utf-8", robots),
            file("/sitemap.xml", "application/xml", sitemap, reading: ["part"], until: endOfDay),
            file("/site.webmanifest", "application/manifest+json", manifest),
            file("/icon.svg", "image/svg+xml", icon), file("/favicon.ico", "image/svg+xml", icon),
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
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("name", call.town.settings.name)
        writer.member("short_name", call.town.settings.name)
        let rest = """
            ,"start_url":"/","display":"standalone","background_color":"#fcfaf6","theme_color":"#fcfaf6",\
            "icons":[{"src":"/icon.svg","sizes":"any","type":"image/svg+xml"}]}
            """
        return writer.bytes + Array(rest.utf8)
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
            return Self.document("sitemapindex", places.joined().utf8)
        }
        var text: [UInt8] = []
        if part ?? 1 == 1 {
            for page in ["/", "/businesses", "/events", "/week"] { Self.append(url + page, nil, to: &text) }
            var query = EventQuery(clock: call.eventClock)
            query.series = call.version.upcomingSeries(at: query.clock)
            var events = town.list(of: query)
            for event in events.next(visiting: Self.mostEvents) ?? [] {
                Self.append(url + Link.path(event: event.value.slug), event.value.times.updated, to: &text)
            }
        }
        let start = ((part ?? 1) - 1) * Self.mostAddresses
        for business in town.listedBusinesses(in: start..<(start + Self.mostAddresses)) {
            Self.append(url + Link.path(business: business.slug), business.value.times.updated, to: &text)
        }
        return Self.document("urlset", text)
    }

    /// Appends an address, escaped: its path is, and the site's own is no text of strangers.
    private static func append(_ address: String, _ updated: Timestamp?, to bytes: inout [UInt8]) {
        bytes.append("<url><loc>")
        for byte in address.utf8 {
            if byte == UInt8(ascii: "&") { bytes.append("&amp;") } else { bytes.append(byte) }
        }
        bytes.append("</loc>")
        if let updated {
            bytes.append(utf8: "<lastmod>\(CivilDate(daysSinceEpoch: updated.seconds / 86_400).text)</lastmod>")
        }
        bytes.append("</url>\n")
    }

    private static func document(_ root: String, _ entries: some Sequence<UInt8>) -> [UInt8] {
        let start = """
            <?xml version="1.0" encoding="UTF-8"?>
            <\(root) xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">

            """
        return Array(start.utf8) + entries + Array("</\(root)>\n".utf8)
    }
}
