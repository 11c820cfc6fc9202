import HTTP
import Testing

@testable import Site

/// Parts for other sites. It is Monday 23 November 2026, 4:12 pm.
@Suite struct EmbedPageTests {
    @Test(
        arguments: [
            ("events", ["Trivia", "Rehearsal", "Bonfire", "Fiddle Night", "Regatta"]),
            ("events?type=sports", ["Trivia", "Regatta"]),
            ("events?host=zeds", ["Trivia", "Fiddle Night", "Regatta"]), ("events?host=nobody", []),
            ("events?type=none", []), ("open", ["Zed&#39;s"]), ("open?category=bars", ["Zed&#39;s"]),
            ("open?category=none", []),
        ] as [(String, [String])])
    func whatIsIn(path: String, names: [String]) async throws {
        let town = try await SiteTown()
        // Organised by a place, elsewhere.
        try await town.write([(.event, #"{"slug":"regatta","host":"zeds"}"#)])
        let page = try await town.page("/embed/" + path)
        var found: [String] = []
        for row in page.main.parts(between: "<span class=\"name\" dir=\"auto\">", and: "</span>")
        where !found.contains(row) {
            found.append(row)
        }
        #expect(found == names)
        #expect(page.contains("<base target=\"_top\">") && !page.contains("<script") && !page.contains("<form"))
    }

    /// Also for somebody who is logged in, whose session does not count there.
    @Test func isTheSameForEverybody() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        for path in ["/embed/events", "/embed/open"] {
            let response = try await town.send(.get, path, [("Cookie", cookie)])
            #expect(
                response.sources?.hasPrefix("frame-ancestors *") == true
                    && response.headers.first("Cache-Control") == "no-cache")
            #expect(response.headers.first("Set-Cookie") == nil)
            #expect(response.body == (try await town.send(.get, path).body))
        }
        let own = try await town.send(.get, "/embed", [("Cookie", cookie)])
        #expect(own.sources?.contains("frame-ancestors") == false && own.headers.first("Cache-Control") == "no-store")
    }

    @Test func theLineToCopy() async throws {
        let page = try await SiteTown().page("/embed?type=live-music&host=zeds")
        #expect(
            page.contains("&lt;iframe src=&#34;https://town.example/embed/events?type=live-music&amp;host=zeds&#34;"))
        #expect(page.contains("https://town.example/embed/open&#34;"))
        #expect(page.contains("name=\"host\" value=\"zeds\""))
    }

    @Test func theFeedOfEvents() async throws {
        let town = try await SiteTown()
        let response = try await town.send(.get, "/events.atom")
        #expect(response.headers.first("Content-Type") == "application/atom+xml" && response.text.isXML)
        let ids = { (text: String) in text.parts(between: "<entry><id>", and: "</id>") }
        #expect(ids(response.text) == [5, 8, 1, 2].map { "tag:town.example,2026:event-\($0)" })
        try await town.write([(.event, #"{"slug":"fiddle-night","name":"Fiddles & \u0001\uffffmore"}"#)])
        let renamed = try await town.page("/events.atom?type=live-music")
        #expect(ids(renamed) == ["tag:town.example,2026:event-8", "tag:town.example,2026:event-1"])
        #expect(renamed.isXML && renamed.contains("<title>Fiddles &amp; more</title>"))
        #expect(
            renamed.replacing("\u{A0}", with: " ").contains(
                "<summary>Friday 27 November, 7 – 10:30 pm, Zed&#39;s</summary>"))
    }
}
