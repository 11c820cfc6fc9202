import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct BusinessPageTests {
    @Test func showsWhatThereIs() async throws {
        let page = try await SiteTown().page("/businesses/zeds")
        let main = page.main
        #expect(page.contains("<title>Zed&#39;s · Sooke</title>"))
        #expect(main.contains("<span class=\"state open\">Open until 1:30 am</span>"))
        #expect(main.contains("<p dir=\"auto\">Beer of the coast.</p><p dir=\"auto\">No reservations.</p>"))
        #expect(main.contains("<a href=\"/businesses?category=bars\">Bars</a>"))
        #expect(main.contains("<span>Confirmed 3 weeks ago.</span>"))
        let ways = try #require(main.parts(between: "<ul class=\"rows ways\">", and: "</ul>").first)
        // What an owner writes is no recommendation of the town.
        #expect(ways.contains("href=\"https://zeds.example/\" rel=\"nofollow\">"))
        #expect(
            ways.parts(between: "<span dir=\"auto\">", and: "</a>").map(\.words) == [
                "250-555-0101 Call", "zeds.example Visit", "hello@zeds.example Write", "1 Wharf Road Directions",
            ])
        #expect(
            ways.addresses == [
                "tel:2505550101", "https://zeds.example/", "mailto:hello@zeds.example",
                "https://www.openstreetmap.org/directions?to=48.375,-123.725",
            ])
    }

    @Test func showsTheMenusThatHaveItems() async throws {
        let main = try await SiteTown().page("/businesses/zeds").main
        let menu = try #require(main.parts(between: "<h2>Menu</h2>", and: "</section>").first)
        #expect(menu.words == "Lunch Until 3 soup $4.50 of the day Éclair $3")
        #expect(!main.contains("Taps"))
    }

    @Test func showsItsEvents() async throws {
        let main = try await SiteTown().page("/businesses/zeds").main
        let section = try #require(main.parts(between: "<h2>Events here</h2>", and: "</div>").first)
        // The series has three more dates, one of which is cancelled.
        #expect(section.rows == ["Trivia", "Fiddle Night", "Trivia", "Trivia", "Trivia"])
        #expect(section.addresses.first == "/events?business=zeds")
        #expect(section.components(separatedBy: "timed off").count == 2)
    }

    /// What it organizes at another place is on its page, too, with where that is.
    @Test func showsWhatItOrganizesElsewhere() async throws {
        let town = try await SiteTown()
        try await town.write([
            (.event, #"{"slug":"regatta","host":"zeds","location":"The spit"}"#),
            (.event, #"{"slug":"fiddle-night","host":"zeds"}"#),
        ])
        let main = try await town.page("/businesses/zeds").main
        let section = try #require(
            main.parts(between: "<h2>Their events elsewhere</h2>", and: "</section></section>").first)
        #expect(section.rows == ["Regatta"] && section.words.hasSuffix("The spit"), "\(section.words)")
        #expect(!(try await town.page("/businesses/anchor").contains("Their events elsewhere")))
    }

    /// What is not there leaves no trace: no label, no empty list, no link.
    @Test(arguments: [
        ("anchor", "Menu"), ("anchor", "Events here"), ("anchor", "<b>"), ("anchor", "tel:"),
        ("anchor", "mailto:"), ("anchor", "Directions"), ("anchor", "Visit"),
        ("anchor", "<table"), ("anchor", "Confirmed"), ("anchor", "Call before"),
        ("eclair", "tel:"), ("lantern", "Directions"),
    ])
    func showsNothingForWhatIsMissing(slug: String, text: String) async throws {
        let main = try await SiteTown().page("/businesses/\(slug)").main
        #expect(!main.contains(text))
    }

    @Test func saysThatHoursAreUnknown() async throws {
        let town = try await SiteTown()
        let page = try await town.page("/businesses/anchor")
        #expect(page.contains("<span class=\"state unknown\">Hours unknown</span>"))
        #expect(page.contains("No hours listed yet.</p>"))
        try await town.write([(.business, #"{"slug":"anchor","phone":"250-555-0102"}"#)])
        #expect(try await town.page("/businesses/anchor").contains("No hours listed yet. Call before you go.</p>"))
    }

    @Test func saysWhyItIsClosed() async throws {
        let town = try await SiteTown()
        let lantern = try await town.page("/businesses/lantern").main
        #expect(lantern.contains("<span class=\"state closed\">Closed: Moved to Colwood</span>"))
        #expect(lantern.contains("Today</b><span class=\"paper\">Monday</span></th><td class=\"n\">closed<br>"))
        let eclair = try await town.page("/businesses/eclair").main
        #expect(eclair.contains("<span class=\"state closed\">Closed. Opens Tue 7 am</span>"))
    }

    @Test(arguments: [
        ("openstreetmap", "https://www.openstreetmap.org/directions?to=48.375,-123.725"),
        ("google", "https://www.google.com/maps/dir/?api=1&destination=48.375,-123.725"),
        ("apple", "https://maps.apple.com/?daddr=48.375,-123.725"), ("geo", "geo:48.375,-123.725"),
    ])
    func leadsThereByTheMapOfTheTown(map: String, link: String) async throws {
        let town = try await SiteTown()
        try await town.write([(.settings, #"{"map_link":"\#(map)","contact_email":"clerk@town.example"}"#)])
        let addresses = try await town.page("/businesses/zeds").addresses
        #expect(addresses.contains(link))
        #expect(addresses.contains("/businesses/zeds/report"))
    }
}
