import Bytes
import SookeModel
import Testing

@testable import Site

/// The sheet of the next seven days. It is Monday 23 November.
@Suite struct WeekPageTests {
    @Test func showsTheWeekByDay() async throws {
        let page = try await SiteTown().page("/week")
        #expect(page.contains("<title>The week – Sooke</title>"))
        #expect(page.contains("What is on in the next seven days. https://town.example</p>"))
        let days = page.main.parts(between: "<section class=\"day\"", and: "</section>")
        #expect(
            days.map(\.words) == [
                "Tomorrow Tuesday 24 November 8 pm Trivia until 10 pm · Zed&#39;s · every Tuesday to 15 December",
                "Wednesday 25 November 5 pm Rehearsal",
                "Thursday 26 November 6 pm Bonfire cancelled",
                "Friday 27 November 7 pm Fiddle Night until 10:30 pm · Zed&#39;s",
                "Saturday 28 November 10 am Regatta",
            ])
    }

    /// All of them, and what is beyond the bound of a page is told.
    @Test(arguments: [(46, nil), (1_001, "/events?from=2026-11-24")])
    func showsAllOfTheWeek(count: Int, rest: String?) async throws {
        let events = (0..<count).map { number in
            let time = "2026-11-2\(number < 46 ? 3 : 4)T18:00:00-08:00"
            return #"{"name":"E\#(number)","event_type":"sports","starts_at":"\#(time)","status":"approved"}"#
        }
        let town = try await SiteTown([(.eventType, #"{"name":"Sports"}"#)] + events.map { (.event, $0) })
        let main = try await town.page("/week").main
        #expect(main.rows.count == min(count, 1_000))
        #expect(main.addresses.first { $0.hasPrefix("/events?from=") } == rest)
    }

    /// Paper is read on other days, too: it has the dates alone.
    @Test func onPaperNoDayIsTodayOrTomorrow() async throws {
        let main = try await SiteTown().page("/week").main
        let headings = main.parts(between: "<h3>", and: "</h3>")
        let names = headings.map { $0.parts(between: "<b", and: "</b>").joined() }
        #expect(names.prefix(2) == [" class=\"screen\">Tomorrow", ">Wednesday"])
        #expect(headings.first?.words == "Tomorrow Tuesday 24 November")
    }

    /// The heading names the first and the last day.
    @Test(arguments: [
        ("2026-11-23T16:12:00-08:00", "Sooke, 23 November to 29 November"),
        ("2026-11-24T00:00:00-08:00", "Sooke, 24 November to 30 November"),
        ("2026-12-28T09:00:00-08:00", "Sooke, 28 December to 3 January 2027"),
        // A day of 25 hours, and a week that begins with it.
        ("2026-11-01T00:30:00-07:00", "Sooke, 1 November to 7 November"),
        ("2026-11-01T23:59:59-08:00", "Sooke, 1 November to 7 November"),
        ("2027-03-14T23:59:59-07:00", "Sooke, 14 March to 20 March"),
    ])
    func days(moment: String, heading: String) async throws {
        let town = try await SiteTown()
        town.clock.set(try #require(Timestamp(rfc3339: moment)))
        #expect(try await town.page("/week").contains("<h1>\(heading)</h1>"))
    }

    /// Which events are of the week: from now on to the midnight after its last day.
    @Test(arguments: [
        ("2026-11-29T23:59:59-08:00", "null", true), ("2026-11-30T00:00:00-08:00", "null", false),
        ("2026-11-23T16:12:00-08:00", "null", true),
        ("2026-11-23T15:00:00-08:00", #""2026-11-23T16:12:00-08:00""#, false),
        ("2026-11-20T15:00:00-08:00", #""2026-11-23T16:12:01-08:00""#, true),
        ("2026-11-20T15:00:00-08:00", #""2026-12-24T15:00:00-08:00""#, true),
    ])
    func endsAfterSevenDays(start: String, end: String, isShown: Bool) async throws {
        let town = try await SiteTown()
        try await town.write([(.event, #"{"slug":"regatta","starts_at":"\#(start)","ends_at":\#(end)}"#)])
        #expect(try await town.page("/week").main.rows.contains("Regatta") == isShown)
    }

    @Test func aWeekWithoutEventsNamesTheNextOne() async throws {
        let town = try await SiteTown()
        town.clock.set(try #require(Timestamp(rfc3339: "2026-12-01T22:00:01-08:00")))
        try await town.write([
            (
                .event,
                #"{"slug":"trivia","rrule":"FREQ=YEARLY","starts_at":"2026-12-20T20:00:00-08:00","#
                    + #""ends_at":null,"overrides":[]}"#
            )
        ])
        let main = try await town.page("/week").main
        #expect(main.words.contains("Nothing is on. The next event is Trivia , on Sun 20 Dec."), "\(main.words)")
    }
}
