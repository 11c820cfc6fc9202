import Bytes
import SookeModel
import Testing

@testable import Site

@Suite struct AdminEventsPageTests {
    @Test(arguments: [
        ("", ["Trivia", "Rehearsal", "Fiddle Night", "Regatta"]), ("?list=waiting", ["Waiting Quiz"]),
        ("?list=cancelled", ["Bonfire"]), ("?list=past", ["Yesteryear"]), ("?list=other&q=FIDDLE", ["Fiddle Night"]),
        ("?list=past&q=year", ["Yesteryear"]), ("?list=past&q=fiddle", []), ("?page=2", []),
    ])
    func listsEvents(query: String, names: [String]) async throws {
        let town = try await SiteTown()
        let page = try await town.page("/admin/events\(query)", cookie: try await town.logIn(13))
        #expect(page.main.rows == names)
        #expect(page.main.contains("No events.") == (query == "?list=past&q=fiddle"))
    }

    /// A series is past when its last date is, the latest first.
    @Test func aSeriesEnds() async throws {
        let town = try await SiteTown()
        town.clock.set(try #require(Timestamp(rfc3339: "2026-12-20T12:00:00-08:00")))
        let page = try await town.page("/admin/events?list=past", cookie: try await town.logIn(13))
        #expect(page.main.rows == ["Trivia", "Regatta", "Fiddle Night", "Rehearsal", "Yesteryear"])
    }
}
