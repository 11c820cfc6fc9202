import Bytes
import SookeModel
import Testing

@testable import Store

@Suite struct EventRecordTests {
    private static func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    /// A rule of another version of the program prevents nothing. One without an occurrence is in no list.
    @Test(arguments: [("FREQ=LUNAR", 1), ("", 1), ("FREQ=DAILY;UNTIL=20200101", 0)])
    func rulesThatAreNotUnderstood(rule: String, count: Int) throws {
        var event = Event()
        (event.id, event.name, event.slug, event.status) = (1, "Jam", Slug("jam"), .approved)
        event.startsAt = try Self.moment("2026-10-23T02:00:00Z")
        (event.endsAt, event.rrule) = (event.startsAt?.advanced(bySeconds: 3600), rule)
        let record = try #require(EventRecord(event, eventTypeID: 1, businessID: nil))
        #expect(record.isSeries)
        let clock = EventClock.utc(try Self.moment("2026-10-23T02:30:00Z"))
        #expect(record.recurrence(at: clock, nil)?.isEmpty ?? false == (count == 0))
        #expect(record.representative(at: clock, nil) == record.single)
        var town = Town()
        var type = EventType()
        (type.id, type.name, type.slug) = (1, "Music", Slug("music"))
        _ = try town.apply(.put(AnyRecord(type)), at: nil)
        event.eventType = Slug("music")
        _ = try town.apply(.put(AnyRecord(event)), at: nil)
        #expect(town.page(PageRequest(), of: EventQuery(clock: clock)).total == count)
        let late = EventClock.utc(try Self.moment("2026-10-23T03:30:00Z"))
        #expect(town.page(PageRequest(), of: EventQuery(clock: late)).total == 0)
    }
}
