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

    /// What began before today and goes on is of today; it comes first, by its start. Of two at one time the older one
    /// does.
    @Test func isInOrder() async throws {
        let town = try await town([
            ("Late", "2026-11-23T22:00:00", ""), ("Twin", "2026-11-24T08:00:00", ""),
            ("Also", "2026-11-24T08:00:00", ""),
            ("Fair", "2026-11-20T08:00:00", #","ends_at":"2026-11-25T20:00:00-08:00""#),
            ("Long", "2026-11-01T08:00:00", #","ends_at":"2026-12-25T20:00:00-08:00""#),
            ("Daily", "2026-11-22T07:00:00", #","rrule":"FREQ=DAILY;COUNT=4""#), ("Off", "2026-11-24T07:30:00", ""),
        ])
        let expected = ["Today Long Fair Late", "Tomorrow Daily Off Twin Also", "Wednesday Daily"]
        for target in ["/", "/events", "/week"] {
            #expect(days(try await town.page(target)) == expected, "\(target)")
        }
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
