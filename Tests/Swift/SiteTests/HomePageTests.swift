import Bytes
import SookeModel
import Testing

@testable import Site

@Suite struct HomePageTests {
    /// What is open and what is on, at some times of the town.
    @Test(arguments: [
        ("2026-11-23T16:12:00-08:00", "1 place is open. No events today.", ["Zed's"]),
        ("2026-11-24T01:29:59-08:00", "1 place is open. 1 event today.", ["Zed's"]),
        ("2026-11-24T01:30:00-08:00", "Nothing is open at the moment. 1 event today.", []),
        ("2026-11-24T07:00:00-08:00", "1 place is open. 1 event today.", ["Éclair 100%"]),
        ("2026-11-24T23:00:00-08:00", "Nothing is open at the moment. No events today.", []),
        // Cancelled.
        ("2026-11-26T09:00:00-08:00", "Nothing is open at the moment. No events today.", []),
    ])
    func showsWhatIsOpen(moment: String, summary: String, open: [String]) async throws {
        let town = try await SiteTown()
        town.clock.set(try #require(Timestamp(rfc3339: moment)))
        let page = try await town.page("/")
        #expect(page.contains("<p class=\"soft\">\(summary)</p>"), "\(page.main.words)")
        let section = try #require(page.parts(between: "<h2>Open now</h2>", and: "</section>").first)
        #expect(section.rows == open)
        #expect(section.contains("See all places") == open.isEmpty)
    }

    /// Where much is open, two of each kind stand together, and a link leads to all of it.
    @Test func groupsWhatIsOpenByKind() async throws {
        let rows = (0..<9).map { index in
            let fields = #""address":"1 A","latitude":1,"longitude":2,"opening_hours":"24/7""#
            return (
                RecordKind.business,
                #"{"name":"B\#(index)","category":"\#(index < 5 ? "restaurants" : "vets")",\#(fields)}"#
            )
        }
        let town = try await SiteTown(
            [(.category, #"{"name":"Restaurants"}"#), (.category, #"{"name":"Vets"}"#)] + rows)
        let page = try await town.page("/")
        #expect(page.parts(between: "<h3>", and: "</h3>").prefix(2) == ["Food and drink", "Health"])
        #expect(page.main.rows == ["B0", "B1", "B5", "B6"])
        #expect(
            page.addresses.contains("/businesses?open=1&kind=food") && page.words.contains("All 5 of Food and drink"))
        let list = try await town.page("/businesses?open=1&kind=health")
        #expect(list.main.rows == ["B5", "B6", "B7", "B8"] && list.contains("<h1>Health</h1>"))
        #expect(list.contains("4 places are open now.") && list.contains("name=\"kind\" value=\"health\""))
    }

    /// With a location the nearest come first in each group, and those without one last.
    @Test func nearMe() async throws {
        let rows = (0..<10).map { index in
            let place = index == 1 ? "" : #","latitude":48.\#(40 - index),"longitude":-123.7"#
            let kind = index < 5 ? "restaurants" : "vets"
            return (
                RecordKind.business,
                #"{"name":"B\#(index)","category":"\#(kind)","address":"","opening_hours":"24/7"\#(place)}"#
            )
        }
        let town = try await SiteTown(
            [
                (.settings, #"{"center":"48.4,-123.7"}"#), (.category, #"{"name":"Restaurants"}"#),
                (.category, #"{"name":"Vets"}"#),
            ] + rows)
        let page = try await town.page("/?near=48.30,-123.7")
        #expect(page.main.rows == ["B4", "B3", "B9", "B8"])
        #expect(page.addresses.contains("/businesses?open=1&kind=food&near=48.30,-123.7"))
        #expect(page.contains("name=\"near\" value=\"48.30,-123.7\" checked") && page.contains("noindex"))
        #expect(try await town.page("/").main.rows == ["B0", "B1", "B5", "B6"])
        #expect(try await town.send(.get, "/?near=here").status == .badRequest)
    }

    @Test func anEmptyTownSaysWhatWillBeThere() async throws {
        let page = try await SiteTown([]).page("/")
        #expect(page.contains("The directory is empty."))
        #expect(page.contains("Nothing is on in the next seven days."))
        #expect(page.contains("Nothing is open at the moment. No events today."))
        #expect(!page.contains("aria-label=\"Categories\"") && !page.contains("The next event is"))
    }

    /// On a holiday what is surely open comes first, and is not counted with what usually is.
    @Test func christmasDay() async throws {
        let hours = ["Mo-Su 09:00-21:00", "Mo-Su 09:00-21:00; PH off", "24/7", "Mo-Su 09:00-21:00; PH 10:00-15:00"]
        let businesses = hours.enumerated().map { index, hours in
            let fields = #""address":"1 A","latitude":1,"longitude":2,"opening_hours":"\#(hours)""#
            return (RecordKind.business, #"{"name":"B\#(index)","category":"a",\#(fields)}"#)
        }
        let town = try await SiteTown([(.category, #"{"name":"A"}"#)] + businesses)
        town.clock.set(try #require(Timestamp(rfc3339: "2026-12-25T14:04:00-08:00")))
        let page = try await town.page("/")
        #expect(page.contains("<span data-clock>Friday 2:04 pm</span> · Christmas Day</h1>"))
        let summary = "2 open, 1 usually open, not confirmed for Christmas Day. No events today."
        #expect(page.contains("<p class=\"soft\">\(summary)</p>"))
        let open = try #require(page.parts(between: "<h2>Open now</h2>", and: "</section>").first)
        #expect(open.rows == ["B2", "B3", "B0"])
        #expect(
            open.contains(
                "<span class=\"state soon unconfirmed n\">usually until 9 pm · not confirmed for Christmas Day</span>"))
        // At midnight it is a day like any other, except for what began before.
        town.clock.set(try #require(Timestamp(rfc3339: "2026-12-26T10:00:00-08:00")))
        let after = try await town.page("/")
        #expect(after.contains("4 places are open.") && after.contains("Saturday 10 am</span></h1>"))
    }

    /// An open page counts on from the offset of the town's clocks, so it asks again when they are changed.
    @Test func holdsUntilClocksAreChanged() async throws {
        let town = try await SiteTown([])
        town.clock.set(try #require(Timestamp(rfc3339: "2027-03-14T00:30:00-08:00")))
        let page = try await town.page("/")
        let change = try #require(Timestamp(rfc3339: "2027-03-14T02:00:00-08:00")).seconds
        #expect(page.contains(" data-offset=\"-28800\"") && page.contains(" data-until=\"\(change)\""))
        town.clock.set(Timestamp(clampingSeconds: change))
        let after = try await town.page("/")
        #expect(after.contains(" data-offset=\"-25200\"") && after.contains(" data-clock>Sunday 3 am<"))
    }

    /// It shows the time, so a response of the last minute is not shown again.
    @Test func isAnotherPageEachMinute() async throws {
        let town = try await SiteTown()
        #expect(try await town.page("/").contains("4:12 pm"))
        town.clock.advance(bySeconds: 59)
        #expect(try await town.page("/").contains("4:12 pm"))
        town.clock.advance(bySeconds: 1)
        #expect(try await town.page("/").contains("4:13 pm"))
    }

    /// A browser that stays on the page loads it again when a business opens, or soon
    /// or really closes, or an event begins or ends.
    @Test(arguments: [
        ("2026-11-23T16:12:00-08:00", "2026-11-24T00:00:00-08:00"),
        ("2026-11-24T00:10:00-08:00", "2026-11-24T00:30:00-08:00"),
        ("2026-11-24T00:30:00-08:00", "2026-11-24T01:30:00-08:00"),
        ("2026-11-24T19:10:00-08:00", "2026-11-24T20:00:00-08:00"),
        ("2026-11-24T20:10:00-08:00", "2026-11-24T22:00:00-08:00"),
    ])
    func saysUntilWhenItHolds(moment: String, until: String) async throws {
        let town = try await SiteTown()
        town.clock.set(try #require(Timestamp(rfc3339: moment)))
        let expected = try #require(Timestamp(rfc3339: until)).seconds
        #expect(try await town.page("/").contains(" data-until=\"\(expected)\""))
    }
}
