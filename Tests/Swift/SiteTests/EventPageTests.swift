import Bytes
import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct EventPageTests {
    @Test func showsWhatThereIs() async throws {
        let page = try await SiteTown().page("/events/fiddle-night")
        let main = page.main
        #expect(page.contains("<title>Fiddle Night – Sooke</title>"))
        #expect(main.contains("<p class=\"when\">Friday 27 November, 7 – 10:30 pm</p>"), "\(main.words)")
        #expect(main.contains("<p dir=\"auto\">Bring a bow.</p>"))
        #expect(main.contains("<a href=\"/events?type=live-music\">Live Music</a>"))
        #expect(main.addresses.contains("/api/v1/events/fiddle-night.ics"))
        #expect(main.addresses.contains("https://www.openstreetmap.org/directions?to=48.375,-123.725"))
        let place = try #require(main.parts(between: "<h2>Where</h2>", and: "</section>").first)
        #expect(place.rows == ["Zed's"] && place.addresses == ["/businesses/zeds"])
        // It takes place once.
        #expect(!main.contains("<h2>Dates</h2>") && !main.contains("every"))
    }

    /// The owner of the place and an administrator get from its page to the form; who sent it no longer does.
    @Test func leadsToTheFormWhoMayChangeIt() async throws {
        let town = try await SiteTown()
        let form = "/account/events/fiddle-night"
        for (person, isThere) in [(12, true), (13, true), (1, false)] {
            let page = try await town.page("/events/fiddle-night", cookie: town.logIn(person))
            #expect(page.main.addresses.contains(form) == isThere, "\(person)")
        }
        #expect(!(try await town.page("/events/fiddle-night").main.addresses.contains(form)))
    }

    @Test func ofASeriesTheNextDateCounts() async throws {
        let town = try await SiteTown()
        let main = try await town.page("/events/trivia").main
        #expect(
            main.parts(between: "<p class=\"when\">", and: "</p>") == ["Tuesday 24 November, 8 – 10 pm"],
            "\(main.words)")
        #expect(main.contains("<p class=\"soft\">every Tuesday to 15 December</p>"))
        let dates = try #require(main.parts(between: "<h2>Dates</h2>", and: "</section>").first)
        #expect(
            dates.parts(between: "<li class=\"date", and: "</li>").map(\.words).map { $0.hasSuffix("cancelled") }
                == [false, true, false, false])
        #expect(!dates.contains("And so on."))
        // One that is cancelled is not the next one.
        for (moment, when) in [
            ("2026-11-25T09:00:00-08:00", "Tuesday 8 December"), ("2026-12-09T09:00:00-08:00", "Tuesday 15 December"),
        ] {
            town.clock.set(try #require(Timestamp(rfc3339: moment)))
            let later = try await town.page("/events/trivia").main
            let shown = later.parts(between: "<p class=\"when\">", and: "</p>").first
            #expect(shown?.hasPrefix(when) == true, "\(shown ?? "")")
        }
    }

    /// What the head says at some times.
    @Test(arguments: [
        ("fiddle-night", "2026-11-27T18:59:59-08:00", ""), ("fiddle-night", "2026-11-27T19:00:00-08:00", "On now"),
        ("fiddle-night", "2026-11-27T22:30:00-08:00", "On now"),
        ("fiddle-night", "2026-11-27T22:30:01-08:00", "This event is over."),
        ("bonfire", "2026-11-23T09:00:00-08:00", "This event is cancelled."),
        ("bonfire", "2026-11-28T09:00:00-08:00", "This event is cancelled."),
        ("trivia", "2027-01-01T09:00:00-08:00", "This event is over."),
    ])
    func state(slug: String, moment: String, state: String) async throws {
        let town = try await SiteTown()
        town.clock.set(try #require(Timestamp(rfc3339: moment)))
        let main = try await town.page("/events/\(slug)").main
        let states = ["On now", "This event is over.", "This event is cancelled."].filter(main.contains)
        #expect(states == [state].filter { !$0.isEmpty })
    }

    /// At a business that is not listed, nothing of it is shown: neither the name, nor the address, nor the place.
    @Test func atAnUnlistedBusiness() async throws {
        let page = try await SiteTown().page("/events/rehearsal")
        #expect(!page.contains("Shed") && !page.contains("Hidden Lane") && !page.contains("48.1"))
        #expect(!page.contains("<h2>Where</h2>") && !page.contains("Directions"))
    }

    @Test(
        arguments: [
            ("/events/fiddles", Status.movedPermanently, "/events/fiddle-night"), ("/events/nothing", .notFound, nil),
            // Pending, and rejected.
            ("/events/waiting-quiz", .notFound, nil), ("/events/walkout", .notFound, nil),
            ("/events/yesteryear", .ok, nil),
        ] as [(String, Status, String?)])
    func addresses(target: String, status: Status, location: String?) async throws {
        let response = try await SiteTown().send(.get, target)
        #expect(response.status == status)
        #expect(response.headers.first("Location") == location)
    }
}
