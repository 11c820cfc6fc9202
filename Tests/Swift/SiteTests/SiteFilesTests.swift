import Foundation
import HTTP
import SookeModel
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import Site

@Suite struct SiteFilesTests {
    @Test(arguments: [
        ("/robots.txt", "text/plain; charset=utf-8"), ("/sitemap.xml", "application/xml"),
        ("/site.webmanifest", "application/manifest+json"), ("/icon.svg", "image/svg+xml"),
        ("/favicon.ico", "image/vnd.microsoft.icon"), ("/apple-touch-icon.png", "image/png"),
    ])
    func files(path: String, type: String) async throws {
        let town = try await SiteTown()
        let response = try await town.send(.get, path)
        #expect(response.status == .ok && response.headers.first("Content-Type") == type)
        #expect(response.headers.first("Cache-Control") == "no-cache")
        let tag = try #require(response.headers.first("ETag"))
        #expect(try await town.send(.get, path, [("If-None-Match", tag)]).status == .notModified)
    }

    /// The icon file has the picture behind its header, at the offset that it names.
    @Test func icons() {
        let (png, ico) = (Icon.picture, Icon.inFile)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && png.suffix(8).starts(with: "IEND".utf8))
        #expect(ico.prefix(8) == [0, 0, 1, 0, 1, 0, png[19], png[23]] && ico[18..<22] == [22, 0, 0, 0])
        #expect(Int(ico[14]) + Int(ico[15]) << 8 == png.count && Array(ico[22...]) == png)
    }

    /// Calendar services may read what people subscribe to, also those that take the first line that matches.
    @Test func robots() async throws {
        let lines = try await SiteTown().page("/robots.txt").split(separator: "\n").dropFirst()
        func isAllowed(_ path: String) -> Bool {
            let rules = lines.map { $0.split(separator: " ") }.filter { $0[0] != "Sitemap:" }
            return rules.first { path.hasPrefix($0[1]) }?[0] != "Disallow:"
        }
        for path in ["/", "/events/x", "/api/v1/events.ics", "/api/v1/events.ics?type=x", "/api/v1/events/x.ics"] {
            #expect(isAllowed(path), "\(path)")
        }
        for path in ["/api/v1/businesses", "/api/v1/changes", "/api/"] { #expect(!isAllowed(path), "\(path)") }
    }

    @Test func manifest() async throws {
        let town = try await SiteTown()
        try await town.write([(.settings, #"{"name":"\"Otter\" <Point>"}"#)])
        let json = try JSONSerialization.jsonObject(with: Data(try await town.page("/site.webmanifest").utf8))
        let manifest = try #require(json as? [String: Any])
        #expect(manifest["name"] as? String == "\"Otter\" <Point>")
        #expect(manifest["start_url"] as? String == "/" && manifest["display"] as? String == "standalone")
        let icons = try #require(manifest["icons"] as? [[String: String]])
        #expect(icons.map { $0["src"] } == ["/icon.svg"])
    }

    /// Each address of the map is there, and everything public is on it.
    @Test func sitemap() async throws {
        let town = try await SiteTown()
        let map = try await town.page("/sitemap.xml")
        #expect(map.isXML)
        let paths = map.parts(between: "<loc>https://town.example", and: "</loc>")
        #expect(
            paths == [
                "/", "/businesses", "/events", "/week", "/about", "/events/trivia", "/events/rehearsal",
                "/events/fiddle-night", "/events/regatta",
                "/businesses/anchor", "/businesses/eclair", "/businesses/lantern",
                "/businesses/zeds",
            ])
        for path in paths {
            let page = try await town.page(path)
            #expect(page.contains("<link rel=\"canonical\" href=\"https://town.example\(path)\">"), "\(path)")
        }
        #expect(map.parts(between: "<lastmod>", and: "</lastmod>") == Array(repeating: "2026-11-24", count: 8))
    }

    /// A large town has an index of parts, which have each business once; what is not a business is in the first one.
    @Test func partsOfALargeTown() async throws {
        let names = 0..<501
        let businesses = names.map { number in
            (
                RecordKind.business,
                #"{"name":"B\#(number)","category":"bars","address":"1 A","latitude":1,"longitude":2}"#
            )
        }
        let town = try await SiteTown([(.category, #"{"name":"Bars"}"#)] + businesses)
        func places(_ target: String) async throws -> [String] {
            let map = try await town.page(target)
            #expect(map.isXML)
            return map.parts(between: "<loc>https://town.example", and: "</loc>")
        }
        let parts = try await places("/sitemap.xml")
        #expect(parts == ["/sitemap.xml?part=1", "/sitemap.xml?part=2"])
        let (first, second) = (try await places(parts[0]), try await places(parts[1]))
        #expect(
            first.prefix(5) == ["/", "/businesses", "/events", "/week", "/about"] && first.count == 505)
        #expect(second.count == 1)
        #expect(Set(first.dropFirst(5) + second) == Set(names.map { "/businesses/b\($0)" }))
        #expect(try await town.send(.get, "/sitemap.xml?part=3").status == .notFound)
    }
}

extension String {
    var isXML: Bool {
        let (parser, elements) = (XMLParser(data: Data(utf8)), XMLElements())
        parser.delegate = elements
        return parser.parse() && parser.parserError == nil && elements.count > 0 && elements.depth == 0
    }
}

/// Counts the elements that begin and end.
private final class XMLElements: NSObject, XMLParserDelegate {
    private(set) var (count, depth) = (0, 0)

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        (count, depth) = (count + 1, depth + 1)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        depth -= 1
    }
}
