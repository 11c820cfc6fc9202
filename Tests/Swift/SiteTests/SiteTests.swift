import Bytes
import HTTP
import SookeModel
import TestSupport
import Testing

@testable import Site

/// How browsers and the server keep pages.
@Suite struct SiteTests {
    static let pages = ["/", "/businesses", "/businesses/zeds", "/events", "/events/trivia", "/week"]

    @Test(arguments: pages)
    func aBrowserAsksAgain(path: String) async throws {
        let town = try await SiteTown()
        let page = try await town.send(.get, path)
        #expect(page.headers.all("Cache-Control") == ["no-cache"])
        #expect(page.headers.first("Content-Type") == "text/html; charset=utf-8")
        // It loads nothing of another site and sends nothing to one.
        let sources = try #require(page.sources)
        #expect(!sources.contains("unsafe") && !sources.contains("*") && !sources.contains("http"))
        let tag = try #require(page.headers.first("ETag"))
        for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let response = try await town.send(.get, path, [("If-None-Match", known)])
            #expect(response.status == .notModified && response.body.isEmpty, "\(known)")
            #expect(response.headers.first("ETag") == tag && response.headers.first("Cache-Control") == "no-cache")
        }
        #expect(try await town.send(.get, path, [("If-None-Match", "\"other\"")]).body == page.body)
        let head = try await town.send(.head, path)
        #expect(head.status == .ok && head.headers == page.headers)
    }

    /// A change that a page shows changes its tag; what nobody without an account sees does not.
    @Test(arguments: pages)
    func theTagFollowsThePage(path: String) async throws {
        let town = try await SiteTown()
        func tag() async throws -> String? { try await town.send(.get, path).headers.first("ETag") }
        let first = try await tag()
        try await town.write([(.event, #"{"slug":"waiting-quiz","description":"New words"}"#)])
        #expect(try await tag() == first)
        try await town.write([(.settings, #"{"name":"Otter Point"}"#)])
        let second = try await tag()
        #expect(second != first)
    }

    /// At midnight "today" is another day, also when nothing opens or begins.
    @Test(arguments: pages)
    func noPageOutlivesItsDay(path: String) async throws {
        let town = try await SiteTown()
        let first = try await town.page(path)
        town.clock.set(try #require(Timestamp(rfc3339: "2026-11-24T00:00:00-08:00")))
        #expect(try await town.page(path) != first)
    }

    /// A former address leads on, until something else has it.
    @Test func aFormerAddressIsNotKept() async throws {
        let town = try await SiteTown()
        let moved = try await town.send(.get, "/businesses/zed?from=flyer")
        #expect(moved.status == .movedPermanently && moved.body.isEmpty)
        #expect(moved.headers.all("Cache-Control") == ["no-cache"] && moved.headers.first("ETag") == nil)
        #expect(try await town.send(.head, "/businesses/zed").headers.first("Location") == "/businesses/zeds")
        try await town.write([(.business, #"{"name":"Zed","slug":"zed","category":"bars","address":"9 Elm"}"#)])
        #expect(try await town.page("/businesses/zed").contains("9 Elm"))
    }

    @Test func aFileIsKeptForEverAndItsNameFollowsItsContent() async throws {
        let town = try await SiteTown()
        let page = try await town.page("/")
        let files = page.addresses.filter { $0.hasPrefix("/assets/") }
        #expect(files.count == 2 && files.contains(Site.stylesheet))
        for file in files {
            let response = try await town.send(.get, file)
            #expect(response.status == .ok && !response.body.isEmpty)
            #expect(response.headers.first("Cache-Control") == "public, max-age=31536000, immutable")
            var digest: [UInt8] = []
            digest.append(hex: XXH64.digest(response.body.span))
            #expect(file.contains(".\(String(decoding: digest.prefix(8), as: UTF8.self))."))
        }
    }

    /// Who takes gzip gets the same bytes, with a tag of their own.
    @Test(arguments: pages + ["/sitemap.xml", Site.stylesheet])
    func inGzip(path: String) async throws {
        let (town, takesGzip) = (try await SiteTown(), ("Accept-Encoding", "gzip, br"))
        let (plain, coded) = (try await town.send(.get, path), try await town.send(.get, path, [takesGzip]))
        #expect(plain.headers.first("Content-Encoding") == nil && coded.headers.first("Content-Encoding") == "gzip")
        #expect(Gunzip.decompress(coded.body) == plain.body && coded.body.count < plain.body.count)
        let tag = coded.headers.first("ETag")
        #expect(tag == plain.headers.first("ETag").map { $0.dropLast() + ".z\"" })
        guard let tag else { return }
        for (headers, status) in [([takesGzip], Status.notModified), ([], .ok)] {
            #expect(try await town.send(.get, path, headers + [("If-None-Match", tag)]).status == status)
        }
    }

    /// Every link of the pages of the site leads somewhere.
    @Test func linksLeadSomewhere() async throws {
        let town = try await SiteTown()
        var (waiting, seen) = (["/"], Set(["/"]))
        while let target = waiting.popLast() {
            let response = try await town.send(.get, target)
            #expect(response.status == .ok, "\(target): \(response.status.code)")
            guard response.headers.first("Content-Type")?.hasPrefix("text/html") == true, target != "/docs" else {
                continue
            }
            for address in response.text.addresses where address.hasPrefix("/") {
                let path = String(address.prefix { $0 != "#" })
                if seen.insert(path).inserted { waiting.append(path) }
            }
        }
        #expect(seen.isSuperset(of: ["/businesses/zeds", "/events/trivia", "/week", "/docs"]), "\(seen.sorted())")
    }

    /// For any host that a request names, links are those of the site, and the page in the cache is the same for all.
    @Test(arguments: pages)
    func namesNoOtherHost(path: String) async throws {
        let evil = [("Host", "evil.example"), ("X-Forwarded-Host", "evil.example"), ("Forwarded", "host=evil.example")]
        let response = try await SiteTown().send(.get, path, evil)
        #expect(response.status == .ok && !response.text.contains("evil.example"))
        #expect(try await SiteTown().send(.get, path).body == response.body)
    }

    /// What changes a page is a topic that it follows.
    @Test(arguments: pages)
    func followsWhatItShows(path: String) async throws {
        let changes: [(topic: String, kind: RecordKind, fields: String)] = [
            ("business", .business, #""slug":"zeds","name":"Zed II""#),
            ("category", .category, #""slug":"bars","name":"Pubs""#),
            ("event", .event, #""slug":"trivia","name":"Quiz""#),
            ("event_type", .eventType, #""slug":"sports","name":"Games""#),
        ]
        let town = try await SiteTown()
        for (topic, kind, fields) in changes {
            let before = try await town.page(path)
            let topics = before.parts(between: " data-topics=\"", and: "\"")[0].split(separator: ",").map(String.init)
            try await town.write([(kind, "{\(fields)}")])
            let isChanged = try await town.page(path).main != before.main
            #expect(topics.contains(topic) || !isChanged, "\(topic)")
        }
    }

    /// The script finds what stays by its key, and a label its field by its ID: neither is there twice.
    @Test(arguments: pages + ["/businesses?q=eclair&open=1", "/events?business=zeds"])
    func keysAreUnique(path: String) async throws {
        let page = Markup(try await SiteTown().page(path))
        for (name, least) in [("data-key", 1), ("id", 2)] {
            let values = page.values(name)
            #expect(values.count >= least && Set(values).count == values.count, "\(values)")
        }
    }
}
