import Bytes
import HTTP
import SookeModel
import Testing

@testable import Site

@Suite struct EventPageTests {
    @Test func showsWhatThereIs() async throws {
        let page = try await SiteTown().page("/events/fiddle-night")
        let main = page.main
        #expect(page.contains("<title>Fiddle Night · Sooke</title>"))
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
        #expect(!dates.contains("More dates"))
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

    /// The page of a date: trivia is on Tuesdays; here one is cancelled, one moved and one has words of its own.
    @Test(arguments: [
        ("2026-11-24", "Trivia", "", "Tuesday 24 November, 8 – 10 pm", true, "Zed's"),
        ("2026-12-01", "Trivia", "This date is cancelled.", "Tuesday 1 December, 8 – 10 pm", false, "Zed's"),
        ("2026-12-08", "Trivia", "", "Thursday 10 December, 7 – 9 pm", true, "Zed's"),
        ("2026-12-15", "Finale", "", "Tuesday 15 December, 8 – 10 pm", true, "The hall"),
    ])
    func ofADate(_ date: String, name: String, state: String, when: String, isOn: Bool, place: String) async throws {
        let town = try await SiteTown()
        try await town.write([(.event, Self.changed)])
        let page = try await town.page("/events/trivia/\(date)")
        let main = page.main
        #expect(main.parts(between: "dir=\"auto\">", and: "</h1>") == [name])
        #expect(main.contains("This date is cancelled.") != state.isEmpty)
        #expect(main.parts(between: "<p class=\"when\(isOn ? "" : " off")\">", and: "</p>") == [when])
        #expect(main.contains("Add to calendar") == isOn && !main.contains("<h2>Dates</h2>"))
        #expect(main.parts(between: "<h2>Where</h2>", and: "</section>").first?.unescaped.contains(place) == true)
        #expect(main.contains("48.375") == (place == "Zed's" && isOn))
        #expect(main.contains("Moved from Tue 8 Dec") == (date == "2026-12-08"))
        #expect(main.addresses.contains("/events/trivia"))
        #expect(page.contains("<link rel=\"canonical\" href=\"https://town.example/events/trivia/\(date)\">"))
        #expect(page.data?.contains("\"url\":\"https://town.example/events/trivia/\(date)\"") == true)
        #expect(page.data?.contains("\"name\":\"\(name)\"") == true)
        #expect(page.data?.contains(isOn ? "EventScheduled" : "EventCancelled") == true)
        // Lists lead there, by the name of the date.
        let list = try await town.page("/events").main
        #expect(list.contains("href=\"/events/trivia/\(date)\"") && list.rows.contains(name))
    }

    private static let changed = """
        {"slug":"trivia","overrides":[{"occurrence":"2026-12-01T20:00","is_cancelled":true},\
        {"occurrence":"2026-12-08T20:00","starts_local":"2026-12-10T19:00"},\
        {"occurrence":"2026-12-15T20:00","name":"Finale","location":"The hall"}]}
        """

    @Test(
        arguments: [
            ("/events/trivia/2026-12-10", Status.seeOther, "/events/trivia/2026-12-08"),
            ("/events/fiddle-night/2026-11-27", .movedPermanently, "/events/fiddle-night"),
            ("/events/fiddles/2026-11-27", .movedPermanently, "/events/fiddle-night/2026-11-27"),
            ("/events/fiddle-night/2026-11-28", .notFound, nil), ("/events/trivia/2026-12-02", .notFound, nil),
            ("/events/trivia/2026-12-22", .notFound, nil), ("/events/trivia/2026-12-08T2000", .notFound, nil),
            ("/events/trivia/2026-12-8", .notFound, nil), ("/events/trivia/tuesday", .notFound, nil),
            ("/events/trivia/2026-12-01%C3%A9", .notFound, nil), ("/events/nothing/2026-12-01", .notFound, nil),
            ("/events/waiting-quiz/2026-11-24", .notFound, nil),
        ] as [(String, Status, String?)])
    func addressesOfDates(target: String, status: Status, location: String?) async throws {
        let town = try await SiteTown()
        try await town.write([(.event, Self.changed)])
        let response = try await town.send(.get, target)
        #expect(response.status == status)
        #expect(response.headers.first("Location") == location)
    }

    /// A day with two dates has their times in the addresses.
    @Test func twoDatesOfADay() async throws {
        let town = try await SiteTown()
        try await town.write([(.event, #"{"slug":"trivia","rdates":["2026-12-08T15:30"]}"#)])
        for (date, when) in [
            ("2026-12-08", "3:30 – 5:30 pm"), ("2026-12-08T1530", "3:30 – 5:30 pm"), ("2026-12-08T2000", "8 – 10 pm"),
        ] {
            let page = try await town.page("/events/trivia/\(date)")
            #expect(page.main.contains("<p class=\"when\">Tuesday 8 December, \(when)</p>"), "\(date)")
            #expect(page.contains("/events/trivia/2026-12-08T\(when.hasPrefix("8") ? "2000" : "1530")\">"), "\(date)")
        }
        #expect(try await town.page("/events").main.contains("href=\"/events/trivia/2026-12-08T1530\""))
    }

    /// Dates are struck, nothing is added to a calendar, and the page says what else is on.
    @Test func ofACancelledEvent() async throws {
        let town = try await SiteTown()
        try await town.write([(.event, #"{"slug":"trivia","status":"cancelled"}"#)])
        let main = try await town.page("/events/trivia").main
        #expect(main.contains("<p class=\"when off\">") && !main.contains("<li class=\"date\""))
        #expect(!main.contains("Add to calendar"))
        let next = main.parts(between: "<h2>Next at Zed&#39;s</h2>", and: "</section>").first
        #expect(next?.rows == ["Fiddle Night"], "\(main.words)")
    }

    /// Everybody reads when it was cancelled, and who may edit it reads by whom.
    @Test func saysWhenItWasCancelled() async throws {
        var (town, cookie) = try await SiteTown.entered(by: 12)
        let cancel = "/account/events/fiddle-night/cancel"
        #expect(try await town.send(form: [("a", "b")], to: cancel, cookie: cookie).status == .seeOther)
        let page = "/account/events/fiddle-night"
        let undo = try await town.undoOffered(at: page + "?done=cancel", cookie: cookie)
        town.clock.advance(bySeconds: 86_400)
        cookie = try await town.logIn(12)
        let words = try await town.page("/events/fiddle-night").words
        #expect(words.contains("This event was cancelled on Monday 23 November."))
        #expect(try await town.page(page, cookie: cookie).words.contains("cancelled yesterday by Olga"))
        for target in ["/events/fiddle-night", "/api/v1/events/fiddle-night", "/api/v1/changes"] {
            let text = try await town.send(.get, target).text
            #expect(!text.contains("Olga") && !text.contains("cancelled_"), "\(target)")
        }
        #expect(try await town.send(form: [("a", "b")], to: undo, cookie: cookie).status == .seeOther)
        let event = try #require(town.store.current.town.events[Slug("fiddle-night")]).value
        #expect(event.status == .approved && event.cancelledAt == nil && event.cancelledBy == nil)
    }

    /// Without a date that is left it is nowhere; who owns it reads that on the page of their account.
    @Test func withoutDates() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        try await town.write([
            (.event, #"{"slug":"fiddle-night","rrule":"FREQ=WEEKLY;COUNT=1","exdates":["2026-11-27T19:00"]}"#),
            (.event, #"{"slug":"fiddle-night","submitted_by":12}"#),
        ])
        for target in ["/events/fiddle-night", "/events/fiddle-night/2026-11-27", "/api/v1/events/fiddle-night"] {
            #expect(try await town.send(.get, target).status == .notFound, "\(target)")
        }
        for target in ["/", "/events", "/week", "/businesses/zeds", "/sitemap.xml"] {
            #expect(!(try await town.page(target).contains("fiddle-night")), "\(target)")
        }
        #expect(try await town.page("/account", cookie: cookie).contains("no dates left"))
        #expect(try await town.page("/account/events/fiddle-night", cookie: cookie).contains("No dates left."))
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
