import Bytes
import HTTP
import SookeModel
import TestSupport
import Testing

@testable import Site

/// It is Monday 23 November 2026, 4:12 pm in Vancouver. 12 is Olga, who owns Zed's; 13 is Ada, an administrator.
@Suite struct EventFormTests {
    private let path = "/account/new-event"

    private static let party = [
        ("name", "Kitchen Party"), ("day", "2026-12-04"), ("from", "8 pm"), ("to", "12:30 am"), ("repeat", "once"),
        ("place", "zed's"), ("type", "live-music"), ("about", "Bring a fiddle.\r\nOr a friend."),
    ]

    private func form(_ town: SiteTown, _ cookie: String, _ changes: [(String, String)]) async throws -> FormOnPage {
        var form = try FormOnPage(try await town.page(path, cookie: cookie))
        for (name, value) in Self.party + changes { form[name] = value }
        return form
    }

    private func event(_ town: SiteTown, _ slug: String = "kitchen-party") throws -> Event {
        try #require(town.store.current.town.events[Slug(slug)]?.value)
    }

    @Test func anEventAtOnesOwnPlaceIsPublic() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let done = try await town.send(form: form(town, cookie, []).fields, to: path, cookie: cookie)
        #expect(done.headers.first("Location") == "/account/events/kitchen-party?done=saved")
        let event = try event(town)
        #expect(event.startsAt?.rfc3339 == "2026-12-05T04:00:00Z")
        #expect(event.endsAt?.rfc3339 == "2026-12-05T08:30:00Z")
        #expect(event.business == Slug("zeds"))
        #expect(event.description == "Bring a fiddle.\nOr a friend.")
        #expect(event.status == .approved)
    }

    @Test(arguments: [
        (["day": ""], "day"), (["day": "soon"], "day"), (["from": ""], "from"), (["from": "8", "to": ""], "from"),
        (["to": "late in the night"], "from"), (["name": ""], "name"), (["type": ""], "type"),
        (["location": "48.3,-123.7"], "location"), (["place": "", "location": "there"], "location"),
        (["last": "2026-12-01"], "last"), (["repeat": "weekly", "until": "2026-12-01"], "until"),
        (["repeat": "listed", "dates": "soon"], "dates"), (["repeat": "listed"], "dates"),
    ])
    func problemsAreAtTheirFields(_ changes: [String: String], _ field: String) async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let count = town.store.current.town.events.count
        let answer = try await town.send(
            form: form(town, cookie, changes.map { ($0, $1) }).fields, to: path, cookie: cookie)
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("href=\"#\(field)\""))
        #expect(answer.text.contains("id=\"\(field)-problem\""))
        #expect(try FormOnPage(answer.text)["about"] == "Bring a fiddle.\nOr a friend.")
        #expect(town.store.current.town.events.count == count)
    }

    @Test(arguments: [
        ("daily", "", "FREQ=DAILY"), ("weekly", "2026-12-25", "FREQ=WEEKLY;UNTIL=20261225"),
        ("second", "", "FREQ=WEEKLY;INTERVAL=2"), ("nth", "", "FREQ=MONTHLY;BYDAY=1FR"), ("yearly", "", "FREQ=YEARLY"),
    ])
    func aSeriesIsAChoice(_ choice: String, _ until: String, _ rule: String) async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let sent = try await form(town, cookie, [("repeat", choice), ("until", until)])
        _ = try await town.send(form: sent.fields, to: path, cookie: cookie)
        #expect(try event(town).rrule == rule)
        // What it shows is what it has; sent again, nothing changes.
        let own = "/account/events/kitchen-party"
        let shown = try FormOnPage(try await town.page(own, cookie: cookie))
        #expect(shown["repeat"] == choice)
        #expect(shown["until"] == until)
        let before = town.store.current.sequence
        #expect(try await town.send(form: shown.fields, to: own, cookie: cookie).status == .seeOther)
        #expect(town.store.current.sequence == before)
    }

    @Test(arguments: [
        "FREQ=WEEKLY;BYDAY=MO,FR", "FREQ=MONTHLY;BYMONTHDAY=4", "FREQ=WEEKLY;COUNT=3", "FREQ=DAILY;INTERVAL=3",
        "FREQ=MONTHLY;BYDAY=1FR;BYMONTH=1,12",
    ])
    func anotherRuleStaysAsItIs(_ rule: String) async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        try await town.write([(.event, #"{"slug":"fiddle-night","rrule":"\#(rule)"}"#)])
        var shown = try FormOnPage(try await town.page("/account/events/fiddle-night", cookie: cookie))
        #expect(shown["repeat"] == "kept")
        shown["about"] = "No bow."
        #expect(
            try await town.send(form: shown.fields, to: "/account/events/fiddle-night", cookie: cookie).status
                == .seeOther)
        let event = try event(town, "fiddle-night")
        #expect(event.rrule == rule)
        #expect(event.description == "No bow.")
        #expect(event.startsAt?.rfc3339 == "2026-11-28T03:00:00Z")
    }

    @Test func severalDaysAndListedDates() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 13)
        let fair = try await form(
            town, cookie,
            [
                ("name", "Fair"), ("from", "10 am"), ("to", "4 pm"), ("last", "2026-12-06"), ("place", ""),
                ("location", "48.36,-123.72"),
            ])
        _ = try await town.send(form: fair.fields, to: path, cookie: cookie)
        #expect(try event(town, "fair").endsAt?.rfc3339 == "2026-12-07T00:00:00Z")
        #expect(try event(town, "fair").latitude == 48.36)
        let shown = try FormOnPage(try await town.page("/account/events/fair", cookie: cookie))
        #expect(shown["last"] == "2026-12-06")
        #expect(shown["to"] == "4 pm")
        let listed = try await form(
            town, cookie, [("name", "Choir"), ("repeat", "listed"), ("dates", "2026-12-09\n2026-12-16")])
        _ = try await town.send(form: listed.fields, to: path, cookie: cookie)
        #expect(try event(town, "choir").rdates.map(\.text) == ["2026-12-09T20:00", "2026-12-16T20:00"])
        #expect(try FormOnPage(try await town.page("/account/events/choir", cookie: cookie))["repeat"] == "listed")
    }

    /// An address with the slug of a place begins with it only for those who see it.
    @Test func tellsNobodyOfHiddenPlaces() async throws {
        let town = try await SiteTown()
        for (person, sees) in [(1, false), (12, false), (13, true)] {
            let cookie = try await town.logIn(person)
            let page = try await town.page("/account/new-event?at=shed", cookie: cookie)
            #expect(page.contains("value=\"shed\"") == sees)
            #expect(try await town.page("/account/new-event?at=zeds", cookie: cookie).contains("value=\"Zed"))
        }
        #expect(!(try await town.page("/new-event?at=shed")).contains("value=\"shed\""))
    }

    /// By one tap, and back by another one; also later, on the page that says what changed.
    @Test func cancellingCanBeUndone() async throws {
        let town = try await SiteTown()
        let (olga, mia, path) = (try await town.logIn(12), try await town.logIn(1), "/account/events/trivia")
        #expect(try await town.page(path, cookie: olga).main.contains("Cancel all its dates"))
        for (cookie, slug, status) in [
            (mia, "trivia", Status.forbidden), (mia, "waiting-quiz", .forbidden), (olga, "waiting-quiz", .conflict),
        ] {
            let answer = try await town.send(form: [], to: "/account/events/\(slug)/cancel", cookie: cookie)
            #expect(answer.status == status, "\(slug)")
        }
        for way in ["\(path)?done=cancel", "\(path)/changes"] {
            let done = try await town.send(form: [], to: "\(path)/cancel", cookie: olga)
            #expect(done.headers.first("Location") == "\(path)?done=cancel")
            #expect(try event(town, "trivia").status == .cancelled)
            let undo = try await town.undoOffered(at: way, cookie: olga)
            #expect(try await town.send(form: [], to: undo, cookie: mia).status == .forbidden)
            let back = try await town.send(form: [], to: undo, cookie: olga)
            #expect(back.headers.first("Location") == "\(path)?done=undone")
            #expect(try event(town, "trivia").status == .approved)
        }
    }

    @Test func buttonsOfAnEvent() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let done = try await town.send(form: [], to: "/account/events/fiddle-night/cancel", cookie: cookie)
        #expect(done.headers.first("Location") == "/account/events/fiddle-night?done=cancel")
        #expect(try event(town, "fiddle-night").status == .cancelled)
        #expect(
            try await town.page("/account/new-event?copy=fiddle-night", cookie: cookie).contains(
                "value=\"Fiddle Night\""))
        let mia = try await town.logIn(1)
        #expect(try await town.send(form: [], to: "/account/events/regatta/cancel", cookie: mia).status == .forbidden)
        _ = try await town.send(form: [], to: "/account/events/waiting-quiz/withdraw", cookie: mia)
        #expect(town.store.current.town.events[Slug("waiting-quiz")] == nil)
    }
}
