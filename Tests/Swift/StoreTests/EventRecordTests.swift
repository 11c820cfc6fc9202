import Bytes
import SookeModel
import Testing

@testable import Store

@Suite struct EventRecordTests {
    private static func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    private static func record(_ rule: String?, duration: Int? = 3600) throws -> EventRecord {
        var event = Event()
        (event.id, event.name, event.slug, event.status) = (1, "Jam", Slug("jam"), .approved)
        event.startsAt = try moment("2026-10-23T02:00:00Z")
        event.endsAt = duration.flatMap { event.startsAt?.advanced(bySeconds: $0) }
        event.rrule = rule
        return try #require(EventRecord(event, eventTypeID: 1, businessID: nil))
    }

    @Test func representativesAtAnyMoments() throws {
        let record = try Self.record("FREQ=DAILY;COUNT=3")
        // Also back in time, past what is known already.
        for (now, start) in [
            ("2026-10-23T03:00:00Z", "2026-10-23"), ("2026-10-23T03:00:01Z", "2026-10-24"),
            ("2026-10-23T01:00:00Z", "2026-10-23"), ("2027-01-01T00:00:00Z", "2026-10-25"),
            ("2026-10-25T03:00:00Z", "2026-10-25"), ("2026-10-01T03:00:00Z", "2026-10-23"),
        ] {
            let shown = record.representative(at: .utc(try Self.moment(now)), nil)
            #expect(shown.startsAt == (try Self.moment(start + "T02:00:00Z")), "\(now)")
        }
    }

    /// A rule of another version of the program, or without an occurrence, prevents nothing.
    @Test(arguments: ["FREQ=LUNAR", "", "FREQ=DAILY;UNTIL=20200101"])
    func rulesThatAreNotUnderstood(rule: String) throws {
        let record = try Self.record(rule)
        #expect(record.isSeries)
        let clock = EventClock.utc(try Self.moment("2026-10-23T02:30:00Z"))
        #expect(record.recurrence(at: clock, nil) == nil)
        #expect(record.representative(at: clock, nil) == record.single)
        var town = Town()
        var type = EventType()
        (type.id, type.name, type.slug) = (1, "Music", Slug("music"))
        _ = try town.apply(.put(AnyRecord(type)), at: nil)
        var event = record.value
        event.eventType = Slug("music")
        _ = try town.apply(.put(AnyRecord(event)), at: nil)
        #expect(town.page(PageRequest(), of: EventQuery(clock: clock)).total == 1)
        let late = EventClock.utc(try Self.moment("2026-10-23T03:30:00Z"))
        #expect(town.page(PageRequest(), of: EventQuery(clock: late)).total == 0)
    }
}
