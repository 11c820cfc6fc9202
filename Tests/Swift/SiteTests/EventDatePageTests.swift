import Bytes
import HTTP
import SookeModel
import Testing

@testable import Site

/// The dates of a series, changed by its owner. It is Monday 23 November; Trivia is on Tuesdays, until 15 December.
@Suite struct EventDatePageTests {
    private static let own = "/account/events/trivia"

    private func rows(_ town: SiteTown, _ cookie: String, _ query: String = "") async throws -> [String] {
        let page = try await town.page(Self.own + query, cookie: cookie)
        let dates = page.main.parts(between: "id=\"each\"", and: "</section>").first ?? ""
        return dates.parts(between: "<li ", and: "</li>").map(\.words)
    }

    /// What is sent for a date, what its row says then, and the overrides of the event.
    @Test(arguments: [
        ([("act", "cancel")], "cancelled", "cancel", #"{"occurrence":"2026-12-08T20:00","is_cancelled":true}"#),
        (
            [("act", "move"), ("day", "2026-12-10"), ("from", "7 pm"), ("to", "")], "moved to Thu 10 Dec, 7 pm", "move",
            #"{"occurrence":"2026-12-08T20:00","starts_local":"2026-12-10T19:00"}"#
        ),
        (
            [("act", "move"), ("day", "2026-12-08"), ("from", "8 pm"), ("to", "11 pm")], "on", "move",
            #"{"occurrence":"2026-12-08T20:00","ends_local":"2026-12-08T23:00"}"#
        ),
        (
            [("act", "move"), ("day", "2026-12-09"), ("from", "8 pm"), ("to", "10 pm")], "moved to Wed 9 Dec, 8 pm",
            "move",
            #"{"occurrence":"2026-12-08T20:00","starts_local":"2026-12-09T20:00","ends_local":"2026-12-09T22:00"}"#
        ),
        (
            [("act", "name"), ("name", "Finale"), ("location", "The hall"), ("about", "")], "renamed, at another place",
            "name", #"{"occurrence":"2026-12-08T20:00","name":"Finale","location":"The hall"}"#
        ),
        ([("act", "name"), ("name", "Trivia"), ("location", ""), ("about", "")], "on", "name", ""),
        ([("act", "restore")], "on", "restore", ""),
    ])
    func changes(_ sent: [(String, String)], _ state: String, _ done: String, _ override: String) async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let path = Self.own + "/2026-12-08"
        #expect(
            try await rows(town, cookie) == ["Tue 24 Nov on", "Tue 1 Dec cancelled", "Tue 8 Dec on", "Tue 15 Dec on"])
        let answer = try await town.send(form: sent, to: path, cookie: cookie)
        #expect(answer.headers.first("Location") == "\(path)?done=\(done)", "\(answer.text)")
        #expect(try await rows(town, cookie)[2] == "Tue 8 Dec \(state)")
        let page = try await town.page("\(path)?done=\(done)", cookie: cookie)
        #expect(page.contains("class=\"echo\"") && page.contains("<span class=\"state\">\(state)</span>"))
        let event = try #require(town.store.current.town.events[Slug("trivia")]?.value)
        #expect(event.exdates == [] && event.overrides.count == (override.isEmpty ? 1 : 2))
        guard let change = event.overrides.last, !override.isEmpty else { return }
        let texts = [
            change.occurrence?.text, change.startsLocal?.text, change.endsLocal?.text, change.name, change.location,
        ]
        for text in texts.compactMap(\.self) { #expect(override.contains("\"\(text)\""), "\(text)") }
        #expect(change.isCancelled == override.contains("is_cancelled"))
        // Put back, it is as the others.
        _ = try await town.send(form: [("act", "restore")], to: path, cookie: cookie)
        #expect(try await rows(town, cookie)[2] == "Tue 8 Dec on")
        #expect(town.store.current.town.events[Slug("trivia")]?.value.overrides.count == 1)
    }

    /// What an import left out comes back as well; a date that is cancelled keeps what else it has.
    @Test func putsBack() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        try await town.write([(.event, #"{"slug":"trivia","exdates":["2026-12-15T20:00"]}"#)])
        #expect(try await rows(town, cookie).last == "Tue 15 Dec not on that day")
        let path = Self.own + "/2026-12-15"
        let page = try await town.page(path, cookie: cookie).main
        #expect(page.contains("Put this date back"))
        #expect(!page.contains("Cancel this date") && !page.contains("Move this date"))
        for (sent, state) in [
            ([("act", "restore")], "on"), ([("act", "name"), ("name", "Finale")], "renamed"),
            ([("act", "cancel")], "cancelled"), ([("act", "restore")], "renamed"), ([("act", "restore")], "on"),
        ] {
            _ = try await town.send(form: sent, to: path, cookie: cookie)
            #expect(try await rows(town, cookie).last == "Tue 15 Dec \(state)")
        }
    }

    @Test(arguments: [
        ([("act", "move"), ("day", ""), ("from", "7 pm")], "day"),
        ([("act", "move"), ("day", "2026-12-09"), ("from", "")], "from"),
        ([("act", "move"), ("day", "2026-12-09"), ("from", "soon"), ("to", "")], "from"),
    ])
    func problemsAreAtTheirFields(_ sent: [(String, String)], _ field: String) async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        let answer = try await town.send(form: sent, to: Self.own + "/2026-12-08", cookie: cookie)
        #expect(answer.status == .unprocessableContent && answer.text.contains("id=\"\(field)-problem\""))
        #expect(town.store.current.town.events[Slug("trivia")]?.value.overrides.count == 1)
    }

    /// Whole days are moved by their day; there is no time to type.
    @Test func wholeDays() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        try await town.write([
            (
                .event,
                #"{"name":"Fair","event_type":"sports","business":"zeds","status":"approved","all_day":true,"#
                    + #""starts_local":"2026-12-05","ends_local":"2026-12-06","rrule":"FREQ=WEEKLY;COUNT=2"}"#
            )
        ])
        let path = "/account/events/fair/2026-12-12"
        #expect(!(try await town.page(path, cookie: cookie)).contains("name=\"from\""))
        _ = try await town.send(form: [("act", "move"), ("day", "2026-12-19")], to: path, cookie: cookie)
        let main = try await town.page("/events/fair/2026-12-12").main
        #expect(main.contains("Saturday 19 – Sunday 20 December") && main.contains("Moved from Sat 12 Dec"))
    }

    /// Twelve dates, and a link to those after them.
    @Test func longSeriesHaveParts() async throws {
        let (town, cookie) = try await SiteTown.entered(by: 12)
        try await town.write([(.event, #"{"slug":"trivia","rrule":"FREQ=WEEKLY"}"#)])
        #expect(try await rows(town, cookie).count == 12)
        let more = "?from=2027-02-16"
        #expect(try await town.page(Self.own, cookie: cookie).contains("\(Self.own)\(more)#each"))
        #expect(try await rows(town, cookie, more).first == "Tue 16 Feb 2027 on")
    }

    /// Only who may change the event gets there, from the page of the date.
    @Test func access() async throws {
        let town = try await SiteTown()
        let path = Self.own + "/2026-12-08"
        for (person, status) in [(12, Status.ok), (13, .ok), (1, .forbidden)] {
            let cookie = try await town.logIn(person)
            #expect(try await town.send(.get, path, [("Cookie", cookie)]).status == status, "\(person)")
            let page = try await town.page("/events/trivia/2026-12-08", cookie: cookie).main
            #expect(page.addresses.contains(path) == (status == .ok), "\(person)")
        }
        let olga = try await town.logIn(12)
        for date in ["2026-12-09", "soon"] {
            #expect(try await town.send(.get, "\(Self.own)/\(date)", [("Cookie", olga)]).status == .notFound)
        }
    }
}
