import Bytes
import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct BusinessesPageTests {
    /// What a query finds, in its order, and what the page says of it.
    @Test(arguments: [
        ("", "4 places.", ["Anchor", "Éclair 100%", "Lantern", "Zed's"]),
        ("?q=&category=&near=", "4 places.", ["Anchor", "Éclair 100%", "Lantern", "Zed's"]),
        ("?q=zed", "1 place for “zed”.", ["Zed's"]), ("?q=LANTREN", "1 place for “LANTREN”.", ["Lantern"]),
        ("?q=soup", "1 place for “soup”.", ["Zed's"]),
        ("?q=eclair", "2 places for “eclair”.", ["Éclair 100%", "Zed's"]),
        ("?q=eclair&category=bars", "1 place for “eclair”.", ["Zed's"]),
        ("?q=shed", "Nothing found for “shed”.", []), ("?category=bars", "2 places.", ["Anchor", "Zed's"]),
        ("?category=caf%C3%A9-bakery", "2 places.", ["Éclair 100%", "Lantern"]),
        ("?category=unused", "No places.", []), ("?open=1", "1 place is open now.", ["Zed's"]),
        ("?open=1&category=caf%C3%A9-bakery", "No places are open now.", []),
        ("?near=48.4,-123.8", "2 places.", ["Éclair 100%", "Zed's"]),
        ("?near=48.37,-123.72&category=bars", "1 place.", ["Zed's"]),
    ])
    func finds(query: String, summary: String, names: [String]) async throws {
        let page = try await SiteTown().page("/businesses\(query)")
        let found = try #require(page.parts(between: "data-key=\"found\">", and: "</section>").first)
        #expect(found.parts(between: "role=\"status\">", and: "</p>") == [summary])
        #expect(found.rows == names)
        #expect(found.contains("class=\"empty\"") == names.isEmpty)
    }

    /// One box finds events and categories too; with a day, what is on then.
    @Test(arguments: [
        ("?q=fiddle", ["Fiddle Night"], "Search: “fiddle” · Sooke"),
        ("?q=trivia", ["Trivia", "Trivia"], "Search: “trivia” · Sooke"),
        ("?q=regatta&date=2026-11-28", ["Regatta"], "Search: “regatta”, Saturday 28 November · Sooke"),
        ("?q=regatta%20saturday%2028%20nov", ["Regatta"], "Search: “regatta”, Saturday 28 November · Sooke"),
        ("?q=Friday+27th+November", ["Fiddle Night"], "Search: Friday 27 November · Sooke"),
        ("?date=2026-11-28", ["Regatta"], "Search: Saturday 28 November · Sooke"),
        ("?q=yesteryear", [], "Search: “yesteryear” · Sooke"),
        ("?q=rehearsal", ["Rehearsal"], "Search: “rehearsal” · Sooke"), ("?q=waiting", [], "Search: “waiting” · Sooke"),
        ("", [], "Directory · Sooke"),
    ])
    func findsEvents(query: String, names: [String], title: String) async throws {
        let page = try await SiteTown().page("/businesses\(query)")
        #expect((page.parts(between: "data-key=\"events\">", and: "</section></section>").first ?? "").rows == names)
        #expect(page.parts(between: "<title>", and: "</title>") == [title])
    }

    @Test func aDayHasTheHoursOfPlaces() async throws {
        let page = try await SiteTown().page("/businesses?q=zed&date=2026-11-30")
        #expect(page.contains("1 place for “zed”, with the hours of Monday 30 November."))
        #expect(page.main.words.contains("Zed &#39;s 11 am – 1:30 am Bars"))
        #expect(
            try await SiteTown().page("/businesses?q=zed&date=2026-12-25").main.words.contains("Zed &#39;s closed Bars")
        )
        #expect(try await SiteTown().send(.get, "/businesses?date=tomorrow").status == .badRequest)
        // What is too far away is the last day.
        _ = try await SiteTown().page("/businesses?date=9999-12-31")
        _ = try await SiteTown().page("/businesses?date=0001-01-01")
    }

    @Test func nothingFoundSaysWhatToDo() async throws {
        let town = try await SiteTown()
        try await town.write([(.category, #"{"slug":"bars","synonyms":["tavern"]}"#)])
        let page = try await town.page("/businesses?q=tavern%20nowhere")
        #expect(page.contains("<a class=\"chip\" href=\"/businesses?category=bars\">Bars</a>"))
        #expect(page.addresses.contains("/new-event"))
        try await town.write([(.settings, #"{"contact_email":"hello@town.example"}"#)])
        let told = try await town.page("/businesses?q=xyz%26")
        #expect(told.addresses.contains("mailto:hello@town.example?subject=Missing%3A%20xyz%26"))
        // Words of a category lead to it.
        let found = try await town.page("/businesses?q=tavern")
        #expect(found.contains("<a class=\"chip\" href=\"/businesses?category=bars\">Bars</a>"))
        #expect(found.parts(between: "data-key=\"found\">", and: "</section>").first?.rows == ["Anchor", "Zed's"])
    }

    /// The business, its category, the zone of the town and the state.
    @Test func aRowFollowsWhatItShows() async throws {
        let town = try await SiteTown()
        func row(_ name: String) async throws -> String {
            let rows = try await town.page("/businesses").parts(between: "<li data-key=", and: "</li>")
            return try #require(rows.first { $0.contains(name) })
        }
        try await town.write([(.business, #"{"slug":"anchor","opening_hours":"09:00-17:00","special_hours":[]}"#)])
        #expect(try await row("Anchor").contains("closes 5 pm"))
        try await town.write([(.category, #"{"slug":"bars","name":"Taverns"}"#)])
        #expect(try await row("Anchor").contains("Taverns"))
        try await town.write([(.business, #"{"slug":"anchor","address":"1 New Road"}"#)])
        #expect(try await row("Anchor").contains("1 New Road"))
        town.clock.set(try #require(Timestamp(rfc3339: "2026-11-23T17:00:00-08:00")))
        #expect(try await row("Anchor").contains("opens Tue 9 am"))
        town.clock.set(try #require(Timestamp(rfc3339: "2026-11-24T00:00:00-08:00")))
        #expect(try await row("Anchor").contains("opens 9 am"))
        town.clock.set(try #require(Timestamp(rfc3339: "2026-11-24T07:30:00-08:00")))
        #expect(try await row("Anchor").contains("opens 9 am"))
        try await town.write([(.settings, #"{"time_zone":"America/Toronto"}"#)])
        #expect(try await row("Anchor").contains("until 5 pm"))
    }

    @Test(arguments: [
        ("?near=north", Status.badRequest), ("?near=91,0", .badRequest), ("?near=48", .badRequest),
        ("?page=0", .badRequest), ("?page=-1", .badRequest), ("?page=two", .badRequest),
        ("?page=99999999999999999999", .badRequest), ("?q=%3F%21", .badRequest),
        ("?q=\(String(repeating: "a", count: 201))", .badRequest), ("?color=red", .ok), ("?page=1", .ok),
    ])
    func wrongValues(query: String, status: Status) async throws {
        let response = try await SiteTown().send(.get, "/businesses\(query)")
        #expect(response.status == status)
        #expect(response.headers.first("Content-Type") == "text/html; charset=utf-8")
        if status != .ok { #expect(response.text.contains("<h1>We could not do this</h1>")) }
    }

    @Test func marksWhatWasFound() async throws {
        let page = try await SiteTown().page("/businesses?q=eclair")
        #expect(page.contains("<mark>Éclair</mark> 100%"))
        #expect(page.contains("menu: “<mark>Éclair</mark>”"))
    }

    @Test func showsStateAndDistance() async throws {
        let page = try await SiteTown().page("/businesses?near=48.375,-123.725")
        let parts = page.components(separatedBy: "<h2>Not on the map</h2>")
        // How near these are is not known.
        #expect(parts.count == 2 && parts[1].rows == ["Anchor", "Lantern"])
        let items = parts[0].parts(between: "<li data-key=", and: "</li>").map(\.words)
        #expect(
            items == [
                "Zed&#39;s open until 1:30 am Bars · 1 Wharf Road · 0 m",
                "Éclair 100% closed, opens Tue 7 am Café &amp; Bakery · 3 Otter Point · 6.2 km",
            ])
    }

    /// Who looks for a place by name wants to know when it opens.
    @Test func showsWhatIsClosedBelowWhatIsOpen() async throws {
        let page = try await SiteTown().page("/businesses?q=eclair&open=1")
        let closed = try #require(page.parts(between: "data-key=\"closed\">", and: "</section>").first)
        #expect(closed.rows == ["Éclair 100%"])
        #expect(!(try await SiteTown().page("/businesses?open=1")).contains("data-key=\"closed\""))
    }

    /// The form keeps what was asked for.
    @Test func keepsTheFilters() async throws {
        let page = try await SiteTown().page("/businesses?q=a%22b&category=bars&open=1&near=48.4,-123.8")
        #expect(page.contains("name=\"q\" type=\"search\" value=\"a&#34;b\""))
        #expect(page.contains("<option value=\"bars\" selected>Bars (2)</option>"))
        #expect(page.contains("<option value=\"café-bakery\">Café &amp; Bakery (2)</option>"))
        #expect(page.contains("name=\"open\" value=\"1\" checked>"))
        #expect(page.contains("name=\"near\" value=\"48.4,-123.8\" checked>"))
        #expect(!page.contains("value=\"unused\""))
    }

    /// Search engines list the directory and its categories, but no searches.
    @Test(arguments: [
        ("", "https://town.example/businesses"), ("?category=bars", "https://town.example/businesses?category=bars"),
        ("?page=1", "https://town.example/businesses"), ("?page=2", nil), ("?q=zed", nil), ("?open=1", nil),
        ("?near=48.4,-123.8", nil), ("?category=saloons", nil),
    ])
    func canonicalAddress(query: String, address: String?) async throws {
        let page = try await SiteTown.large().page("/businesses\(query)")
        #expect(page.parts(between: "<link rel=\"canonical\" href=\"", and: "\"").first == address)
        #expect(page.contains("noindex") == (address == nil))
    }
}

/// Pages of a directory with more than fits on one.
@Suite struct BusinessesPagingTests {
    @Test(
        arguments: [
            ("", 20, "45 places, page 1 of 3.", nil, "/businesses?page=2"),
            ("?page=2", 20, "45 places, page 2 of 3.", "/businesses", "/businesses?page=3"),
            ("?page=3", 5, "45 places, page 3 of 3.", "/businesses?page=2", nil),
            (
                "?category=bars&page=2&near=1,2", 20, "41 places, page 2 of 3.",
                "/businesses?category=bars&near=1,2", "/businesses?category=bars&near=1,2&page=3"
            ),
            ("?category=cafes", 4, "4 places.", nil, nil),
            (
                "?q=shop&page=2", 20, "41 places for “shop”, page 2 of 3.", "/businesses?q=shop",
                "/businesses?q=shop&page=3"
            ),
        ] as [(String, Int, String, String?, String?)])
    func pages(query: String, count: Int, summary: String, previous: String?, next: String?) async throws {
        let page = try await SiteTown.large().page("/businesses\(query)")
        #expect(page.main.rows.count == count)
        #expect(page.parts(between: "role=\"status\">", and: "</p>").first == summary)
        #expect(link("prev", page) == previous)
        #expect(link("next", page) == next)
    }

    private func link(_ name: String, _ page: String) -> String? {
        page.parts(between: " rel=\"\(name)\"", and: ">").first?.addresses.first
    }

    /// A page after the last one, as after a filter was set on a later page, leads back instead of saying that there is
    /// nothing.
    @Test(arguments: ["?page=4", "?page=9000000000000000000", "?category=cafes&page=2"])
    func aPageAfterTheLastLeadsBack(query: String) async throws {
        let page = try await SiteTown.large().page("/businesses\(query)")
        #expect(page.main.rows.isEmpty)
        #expect(!page.contains("The directory is empty."))
        #expect(link("next", page) == nil)
        #expect(page.main.addresses.contains { $0 == "/businesses" || $0.hasPrefix("/businesses?category=cafes") })
    }
}

extension SiteTown {
    /// A town with 41 bars and 4 cafés.
    static func large() async throws -> SiteTown {
        let categories: [(RecordKind, String)] = [(.category, #"{"name":"Bars"}"#), (.category, #"{"name":"Cafes"}"#)]
        let places = (10..<55).map { number in
            (
                RecordKind.business,
                """
                {"name":"\(number < 51 ? "Shop" : "Tea") \(number)","category":"\(number < 51 ? "bars" : "cafes")",
                "address":"\(number) A","latitude":1,"longitude":2}
                """
            )
        }
        return try await SiteTown(categories + places)
    }
}
