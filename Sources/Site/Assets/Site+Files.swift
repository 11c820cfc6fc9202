import Bytes
import CFiles
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// What programs read of a site: its map and rules for search engines, its icon, and what makes it an app on a phone.
extension Site {
    /// The most businesses, and events, in one part of a sitemap: a request must not take long, and the cache takes 128
    /// KiB.
    private static let (mostAddresses, mostEvents) = (500, 300)

    var siteFiles: [(method: Method, pattern: String, endpoint: Endpoint)] {
        [
            file("/robots.txt", "text/plain; charset=utf-8", robots),
            file("/sitemap.xml", "application/xml", sitemap, reading: ["part"], until: endOfDay),
            file("/site.webmanifest", "application/manifest+json", manifest),
            file("/icon.svg", "image/svg+xml", { _ in Icon.site }),
            file("/apple-touch-icon.png", "image/png", { _ in Icon.picture }),
            file("/businesses/{slug}/contact.vcf", "text/vcard; charset=utf-8", contact),
            file("/favicon.ico", "image/vnd.microsoft.icon", { _ in Icon.inFile }),
        ] + calendars.map { path, text in file(path, MediaType.calendar.field, { _ in Array(text.utf8) }) }
    }

    private func file(
        _ path: String, _ type: String, _ content: @escaping @Sendable (Call) throws -> [UInt8],
        reading parameters: [String] = [], until end: @escaping @Sendable (Call) -> Timestamp = { _ in .endOfTime }
    ) -> (method: Method, pattern: String, endpoint: Endpoint) {
        get(
            path, reading: parameters,
            .cachedRead { call in
                CacheableResponse(response: .revalidated(type, try content(call)), until: end(call))
            })
    }

    /// Events that are over leave the sitemap, at the latest on the next day.
    @Sendable private func endOfDay(_ call: Call) -> Timestamp {
        let today = call.townZone.localDate(at: call.now).date
        return Timestamp(microseconds: call.townZone.start(of: today.advanced(by: 1)).microseconds - 1)
    }

    /// Services that subscribe to the calendar obey it. What is allowed comes first: some programs take the first line
    /// that matches.
    @Sendable private func robots(_ call: Call) -> [UInt8] {
        Array("User-agent: *\nAllow: /api/v1/events\nDisallow: /api/\nSitemap: \(service.url)/sitemap.xml\n".utf8)
    }

    @Sendable private func manifest(_ call: Call) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("name", call.town.settings.title)
        writer.member("short_name", call.town.settings.title)
        let rest = """
            ,"start_url":"/","display":"standalone","background_color":"#fcfaf6","theme_color":"#fcfaf6",\
            "icons":[{"src":"/icon.svg","sizes":"any","type":"image/svg+xml"}]}
            """
        return writer.bytes + Array(rest.utf8)
    }

    @Sendable private func contact(_ call: Call) throws(HTTPError) -> [UInt8] {
        guard let business = call.town.business(try call.slug(), among: .listed) else { throw .notFound() }
        return Array(ContactCard.text(of: business.value, at: service.url, in: call.town.settings.name).utf8)
    }

    /// All pages that search engines may list, by the sitemap protocol; an index of parts for a large town.
    @Sendable private func sitemap(_ call: Call) throws(HTTPError) -> [UInt8] {
        let (town, url) = (call.town, service.url)
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
            for page in ["/", "/businesses", "/events", "/week", "/about"] { Self.append(url + page, nil, to: &text) }
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

/// A file that pages load. Its name has a digest of its content, so that browsers may keep it for ever.
struct Asset: Sendable {
    let name: String
    private let type: String
    private let content: [UInt8]

    static let stylesheet = Asset("site", "css", "text/css; charset=utf-8", String(cString: sooke_site_css()))
    static let script = Asset("page", "js", "text/javascript; charset=utf-8", String(cString: sooke_page_js()))
    static let forms = Asset("forms", "js", "text/javascript; charset=utf-8", String(cString: sooke_forms_js()))
    static let all = [stylesheet, script, forms]

    private init(_ name: String, _ ending: String, _ type: String, _ text: String) {
        // Without indentation, and without comments, which have lines of their own.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        let content = lines.filter { !$0.starts(with: "//".utf8) && !$0.starts(with: "/*".utf8) }
            .flatMap { Array($0) + [UInt8(ascii: "\n")] }
        var digest: [UInt8] = []
        digest.append(hex: XXH64.digest(content.span))
        self.name = "\(name).\(String(decoding: digest.prefix(8), as: UTF8.self)).\(ending)"
        (self.type, self.content) = (type, content)
    }

    var path: String { "/assets/\(name)" }

    var response: Response {
        Response(
            headers: ["Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable"], body: content)
    }
}

/// The drawings beside words. They say nothing of their own, so screen readers skip them.
enum Icon {
    static let waves = drawing(
        "M2 9c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1M2 14c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1"
            + "M2 19c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1")
    static let home = drawing("M3 11 12 4l9 7v9h-6v-6H9v6H3z")
    static let shop = drawing("M4 10v10h16V10M3 10l2-6h14l2 6zM9 20v-6h6v6")
    static let calendar = drawing("M4 6h16v14H4zM4 10h16M8 3v4M16 3v4")
    static let person = drawing("M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 20c1-4 4-6 8-6s7 2 8 6")
    static let tray = drawing("M4 13 7 4h10l3 9v7H4zM4 13h5a3 3 0 0 0 6 0h5")
    static let phone = drawing(
        "M6 3h4l2 5-2.5 1.5a11 11 0 0 0 5 5L16 12l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 4 5a2 2 0 0 1 2-2z")
    static let mail = drawing("M3 6h18v12H3zM3 7l9 6 9-6")
    static let way = drawing("M5 12h14M13 6l6 6-6 6")
    static let globe = drawing(
        "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18")

    static let site = Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" \
        fill="#005e58"/><path transform="translate(8 7) scale(2)" fill="none" stroke="#f8fdfc" stroke-width="1.75" \
        stroke-linecap="round" d="M2 9c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1M2 14c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1\
        M2 19c3 0 3-3 6-3s3 3 6 3 3-3 6-3 2 1 2 1"/></svg>

        """.utf8)

    /// The same as pixels: a PNG of 180 by 180, for phones and for programs that show an address.
    static let picture =
        Base64URL.decode(
            """
            iVBORw0KGgoAAAANSUhEUgAAALQAAAC0AgMAAABAo-6hAAAADFBMVEUAXlhTk4-lyMX4_fxehW1uAAACmUlEQVR42u2XMXLbMBBFQSoWCx\
            VqosoFj8AjEEdwEbpIbhAXOYJ4BDW-QdwohY9AH0FHUKEmqVy4kDwWfgoQBLAEVpqxZ6LM4DeSsCtiufvxKAmRlJSUlJSUlHThar74n7Om\
            kbHcrAMOdAGrSHYJABtn4QcAqMilAQBHuzAF6PfJpd1gpRdegtlLGuz0wlsoOdcxW2dBF1zN-iBavzIglF2b4LNfWTjbxEydGZjsCQDcf7\
            PRAoC6v-2C2XMAW921p6HslRBV8C5rffP5UPhST6p05-UO8sVJErneS8yxH2cXZoolANk3tBVCFNiOsytzd5P-mmYP0Y09O7WdA6CkKKIG\
            EeK7M5UagFrHzdc74sm2Uksyx0ARd4U6Zy2yJ0aNll2jb4R7CGJl62xJfK0Ek-1MrGMLEZW_b-kdipD_DhQj-yiicihJJvsq40T7TBduzu\
            Hg4uYEGIVPsh3loIptcw0CyYoxwIiDOTfTGUify_-Cg8aog3VZDppDYBzCcjAHgIc7W2cBAA_rMAdnAHb6wdQOZW9iHKwsB7cnOSgcDr6Z\
            sj-Qg9J8reeg0j5sgx1xOKjBGDtst53PwdevnUuYszjYMhyE-7ji8FN5xsTHc7Cl1pVM9pGczzisghxcMRw80sN_iFJnOuagYji4ILGr5h\
            wOXtErZswWd8BPCsYomkccLJnbzToSzDhzxTj4_H4OZvSBnXNP8Mvi4J9HwsH1L5zPwR3DQUgLnwE_VbAnXV-weTU_EIMcnLgcFA4HZ6FZ\
            li4HN5bQIgv4JBtm1r-zHPw0PjuP1iBLAL8bhoNTlzblKQ7OXdoUZ3HwSLwYxU_tmb7-xxzcUqfHChGl34Cc52BBiHrNc7AhP8wWjUx_-5\
            OSkpKSkpIuX38BWfH8oBeDQaYAAAAASUVORK5CYII
            """.utf8) ?? []

    /// That in an icon file: its header, and the entry of one picture (width, height, colours, planes, bits, size,
    /// offset).
    static let inFile =
        [0, 0, 1, 0, 1, 0, 180, 180, 0, 0, 1, 0, 2, 0]
        + [picture.count, 22].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        } + picture

    private static func drawing(_ path: String) -> HTML {
        "<svg viewBox=\"0 0 24 24\" width=\"24\" height=\"24\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>"
    }
}
