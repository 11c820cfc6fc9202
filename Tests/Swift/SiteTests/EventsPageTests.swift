import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct EventsPageTests {
    private static let all = [
        "Trivia", "Rehearsal", "Bonfire", "Fiddle Night", "Regatta", "Trivia", "Trivia", "Trivia",
    ]

    /// What a query shows, by day and time.
    @Test(arguments: [
        ("", all), ("?when=&type=&business=", all),
        ("?when=week", ["Trivia", "Rehearsal", "Bonfire", "Fiddle Night", "Regatta"]),
        ("?when=weekend", ["Regatta"]), ("?when=today", []),
        ("?type=live-music", ["Rehearsal", "Bonfire", "Fiddle Night"]),
        ("?type=live-music&when=weekend", []), ("?type=unknown", []),
        ("?business=zeds", ["Trivia", "Fiddle Night", "Trivia", "Trivia", "Trivia"]),
        ("?business=zeds&type=live-music", ["Fiddle Night"]), ("?business=anchor", []),
        ("?from=2026-12-05", ["Trivia", "Trivia"]), ("?from=2026-12-08", ["Trivia", "Trivia"]),
        // Nothing is shown of what is over.
        ("?from=2001-01-01", all),
    ])
    func shows(query: String, names: [String]) async throws {
        let main = try await SiteTown().page("/events\(query)").main
        #expect(main.parts(between: "<section class=\"day\"", and: "</section>").flatMap(\.rows) == names)
        #expect(main.contains("class=\"empty\"") == names.isEmpty)
    }

    @Test(arguments: [
        ("?when=tomorrow", Status.badRequest), ("?when=week&from=2026-12-01", .badRequest),
        ("?when=", .ok), ("?color=red", .ok), ("?from=tomorrow", .badRequest), ("?from=2026-02-30", .badRequest),
        ("?from=2026-12-05T10:00:00Z", .badRequest), ("?from=0000-01-01", .ok), ("?from=9999-12-31", .ok),
        ("?type=a&type=b", .ok),
    ])
    func wrongValues(query: String, status: Status) async throws {
        let response = try await SiteTown().send(.get, "/events\(query)")
        #expect(response.status == status)
        #expect(response.text.contains("<h1>We could not do this</h1>") == (status != .ok))
    }

    @Test(arguments: [
        ("?when=today", "Nothing is on today."), ("?type=live-music&when=weekend", "Nothing is on this weekend."),
        ("?business=anchor&when=week", "Nothing is on in the next seven days."),
        ("?business=anchor", "Nothing is on yet."),
    ])
    func saysThatNothingIsOn(query: String, text: String) async throws {
        let main = try await SiteTown().page("/events\(query)").main
        let empty = try #require(main.parts(between: "<div class=\"empty\">", and: "</div>").first)
        #expect(empty.words.hasPrefix(text))
        #expect(empty.words.contains("The next event is Trivia"))
        #expect(empty.addresses == ["/events/trivia"])
    }

    /// Who comes each week has to read that there is nothing this week.
    @Test func aCancelledSeriesIsCancelledOnEachDate() async throws {
        let town = try await SiteTown()
        try await town.write([(.event, #"{"slug":"trivia","status":"cancelled"}"#)])
        for (target, count) in [("/events?type=sports", 4), ("/events?when=week", 1), ("/", 1), ("/week", 1)] {
            let rows = try await town.page(target).parts(between: "<a class=\"row timed", and: "</li>")
            let trivia = rows.filter { $0.contains(">Trivia<") }
            #expect(trivia.count == count && trivia.allSatisfy { $0.hasPrefix(" off\"") }, "\(target)")
        }
    }

    /// Search engines list all events and those of a type, but nothing of a day, and no type that is not there.
    @Test(arguments: [
        ("", "https://town.example/events"), ("?type=sports", "https://town.example/events?type=sports"),
        ("?type=croquet", nil), ("?when=week", nil), ("?business=zeds", nil), ("?from=2026-12-01", nil),
    ])
    func canonicalAddress(query: String, address: String?) async throws {
        let page = try await SiteTown().page("/events\(query)")
        #expect(page.parts(between: "<link rel=\"canonical\" href=\"", and: "\"").first == address)
        #expect(page.contains("noindex") == (address == nil))
    }

    @Test func chipsKeepTheOtherFilter() async throws {
        let page = try await SiteTown().page("/events?when=week&type=sports")
        let chips = page.parts(between: "<nav class=\"chips\"", and: "</nav>")
        #expect(
            chips.map(\.addresses) == [
                [
                    "/events?type=sports", "/events?when=today&type=sports", "/events?when=weekend&type=sports",
                    "/events?when=week&type=sports",
                ],
                // The one that is set removes it.
                ["/events?when=week&type=live-music", "/events?when=week"],
            ])
        #expect(page.parts(between: "aria-current=\"true\">", and: "</a>") == ["Next 7 days", "Sports"])
    }

    @Test(arguments: [
        ("", "webcal://town.example/api/v1/events.ics"),
        ("?type=sports", "webcal://town.example/api/v1/events.ics?type=sports"),
        ("?business=zeds&type=sports", "webcal://town.example/api/v1/events.ics?type=sports&business=zeds"),
    ])
    func subscription(query: String, link: String) async throws {
        let town = try await SiteTown()
        let addresses = try await town.page("/events\(query)").main.addresses
        #expect(addresses.contains(link))
        let calendar = "https" + link.dropFirst(6)
        #expect(addresses.contains(calendar))
        #expect(try await town.send(.get, String(calendar.dropFirst("https://town.example".count))).status == .ok)
    }
}
