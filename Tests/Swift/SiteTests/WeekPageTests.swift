import Bytes
import SookeModel
import Testing

@testable import Site

/// The sheet of the next seven days. It is Monday 23 November.
@Suite struct WeekPageTests {
    @Test func showsTheWeekByDay() async throws {
        let page = try await SiteTown().page("/week")
        #expect(page.contains("<title>The week · Sooke</title>"))
        #expect(page.contains("What is on in the next seven days. https://town.example</p>"))
        #expect(page.contains("data-print hidden>Print</button>") && page.contains("<svg class=\"code\""))
        let days = page.main.parts(between: "<section class=\"day\"", and: "</section>")
        #expect(
            days.map(\.words) == [
                "Tomorrow Tuesday 24 November 8 pm Trivia until 10 pm · Zed&#39;s · 250-555-0101 · every Tuesday to 15 December",
                "Wednesday 25 November 5 pm Rehearsal", "Thursday 26 November 6 pm Bonfire cancelled",
                "Friday 27 November 7 pm Fiddle Night until 10:30 pm · Zed&#39;s · 250-555-0101",
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
}
