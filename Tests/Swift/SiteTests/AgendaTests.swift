import Bytes
import SookeModel
import Testing

@testable import Site

/// What pages make of events in their order. It is Monday 23 November.
@Suite struct AgendaTests {
    /// A town whose events have names and times, and more fields. The one named Off is cancelled.
    private func town(_ events: [(name: String, start: String, fields: String)]) async throws -> SiteTown {
        let records = events.map { event in
            (
                RecordKind.event,
                """
                {"name":"\(event.name)","event_type":"sports","starts_at":"\(event.start)-08:00",\
                "status":"\(event.name == "Off" ? "cancelled" : "approved")"\(event.fields)}
                """
            )
        }
        return try await SiteTown([(.eventType, #"{"name":"Sports"}"#)] + records)
    }

    /// The days of a page with the rows of each.
    private func days(_ page: String) -> [String] {
        page.main.parts(between: "<section class=\"day\"", and: "</section>").map { day in
            ([day.parts(between: "<h3><b", and: "</b>").joined().words] + day.rows).joined(separator: " ")
        }
    }

    /// What takes some days is on each of them, first where it began before; what takes more than a week is once in each
    /// week. Of two at one time the older one comes first.
    @Test func isInOrder() async throws {
        let town = try await town([
            ("Late", "2026-11-23T22:00:00", ""), ("Twin", "2026-11-24T08:00:00", ""),
            ("Also", "2026-11-24T08:00:00", ""),
            ("Fair", "2026-11-20T08:00:00", #","ends_at":"2026-11-25T20:00:00-08:00""#),
            ("Long", "2026-11-01T08:00:00", #","ends_at":"2026-12-25T20:00:00-08:00""#),
            ("Daily", "2026-11-22T07:00:00", #","rrule":"FREQ=DAILY;COUNT=4""#), ("Off", "2026-11-24T07:30:00", ""),
        ])
        let expected = [
            "All week Long", "Today Fair Daily Late", "Tomorrow Fair Daily Off Twin Also", "Wednesday Fair Daily",
        ]
        for target in ["/", "/week"] { #expect(days(try await town.page(target)) == expected, "\(target)") }
        let weeks = ["All week Long", "All week Long", "All week Long", "All week Long"]
        #expect(days(try await town.page("/events")) == expected + weeks)
        #expect(days(try await town.page("/events?when=today")) == ["All week Long", "Today Fair Daily Late"])
    }

    /// The rows of what takes several days.
    @Test func saysWhichDayItIs() async throws {
        let town = try await town([
            ("Camp", "2026-11-24T10:00:00", #","ends_at":"2026-11-26T16:00:00-08:00""#),
            ("Fair", "2026-11-25T00:00:00", #","ends_at":"2026-11-26T23:59:00-08:00","all_day":true"#),
            ("Show", "2026-11-26T00:00:00", #","ends_at":"2026-12-05T23:59:00-08:00","all_day":true"#),
        ])
        let main = try await town.page("/events").main
        let rows = main.parts(between: "<a class=\"row timed", and: "</a>").map(\.words)
        #expect(
            rows == [
                "10 am Camp to Thursday 26 November", "continues Camp day 2 of 3", "all day Fair day 1 of 2",
                "until 4 pm Camp day 3 of 3", "all day Fair day 2 of 2", "all day Show to Saturday 5 December",
                "to 5 Dec Show",
            ])
        #expect(main.contains("<h3><b>All week</b> <span>to Sunday 6 December</span></h3>"))
        let keys = main.parts(between: "<li data-key=\"", and: "\"")
        #expect(Set(keys).count == rows.count)
    }

    /// One without an end is listed for its evening.
    @Test(arguments: [
        ("2026-11-23T20:59:00-08:00", "8 pm Talk"), ("2026-11-24T03:59:00-08:00", "continues Talk"),
        ("2026-11-24T04:00:00-08:00", nil),
    ])
    func withoutAnEnd(moment: String, row: String?) async throws {
        let town = try await town([("Talk", "2026-11-23T20:00:00", "")])
        town.clock.set(try #require(Timestamp(rfc3339: moment)))
        let rows = try await town.page("/events").main.parts(between: "<a class=\"row timed", and: "</a>").map(\.words)
        #expect(rows == [row].compactMap(\.self))
    }

    /// A page of a long day leads to the days after it, not to itself.
    @Test func aLongDayLeadsToTheNextOne() async throws {
        let town = try await town(
            (10..<75).map { ("E\($0)", "2026-11-24T18:00:00", "") } + [("Last", "2026-11-26T18:00:00", "")])
        let first = try await town.page("/events").main
        #expect(first.rows.count == 60)
        var (addresses, address) = (
            Set<String>(), first.parts(between: " rel=\"next\"", and: ">").first?.addresses.first
        )
        var rows: [String] = []
        while let next = address, addresses.insert(next).inserted {
            let main = try await town.page(next).main
            rows += main.rows
            address = main.parts(between: " rel=\"next\"", and: ">").first?.addresses.first
        }
        #expect(address == nil && rows.last == "Last")
    }
}
