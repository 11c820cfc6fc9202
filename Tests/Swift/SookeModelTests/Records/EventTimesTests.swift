import Bytes
import TestSupport
import Testing

@testable import SookeModel

/// What is stored of the times that people give, and what follows from it.
@Suite struct EventTimesTests {
    private static func zone(_ name: String = "America/Vancouver") throws -> SookeModel.TimeZone {
        try TZifReader.read(try #require(TZifFixture.zones[name]).bytes, name: name)
    }

    private static func settled(_ set: (inout Event) -> Void, after existing: Event? = nil) throws -> (Event, [String])
    {
        var (event, problems) = (existing ?? Event(), FieldProblems())
        set(&event)
        event.settle(after: existing, in: try zone(), &problems)
        return (event, problems.all.map(\.description))
    }

    private static func times(_ event: Event) -> [String?] {
        [
            event.startsLocal?.text, event.endsLocal?.text, event.startsAt?.rfc3339, event.endsAt?.rfc3339,
            event.overAt?.rfc3339,
        ]
    }

    @Test(
        arguments: [
            // Local times, an instant, and no length: it is over at the next four o'clock in the morning.
            (
                false, "2026-12-11T20:00", "2026-12-11T22:00",
                ["2026-12-11T20:00", "2026-12-11T22:00", "2026-12-12T04:00:00Z", "2026-12-12T06:00:00Z", nil]
            ),
            (
                false, "2026-12-12T04:00:00Z", nil,
                ["2026-12-11T20:00", nil, "2026-12-12T04:00:00Z", nil, "2026-12-12T12:00:00Z"]
            ),
            (
                false, "2026-12-12T03:30", nil,
                ["2026-12-12T03:30", nil, "2026-12-12T11:30:00Z", nil, "2026-12-12T12:00:00Z"]
            ),
            // Whole days: the last one included, also as calendars and apps write it.
            (
                true, "2027-06-12", "2027-06-13",
                ["2027-06-12", "2027-06-13", "2027-06-12T07:00:00Z", "2027-06-14T06:59:00Z", "2027-06-14T07:00:00Z"]
            ),
            (
                true, "2027-06-12T00:00", "2027-06-14T00:00",
                ["2027-06-12", "2027-06-13", "2027-06-12T07:00:00Z", "2027-06-14T06:59:00Z", "2027-06-14T07:00:00Z"]
            ),
            (
                true, "2027-06-12T07:00:00Z", "2027-06-14T06:59:00Z",
                ["2027-06-12", "2027-06-13", "2027-06-12T07:00:00Z", "2027-06-14T06:59:00Z", "2027-06-14T07:00:00Z"]
            ),
            (
                true, "2027-06-12T00:00", "2027-06-12T00:00",
                ["2027-06-12", "2027-06-12", "2027-06-12T07:00:00Z", "2027-06-13T06:59:00Z", "2027-06-13T07:00:00Z"]
            ),
            (
                true, "2027-06-12", nil,
                ["2027-06-12", "2027-06-12", "2027-06-12T07:00:00Z", "2027-06-13T06:59:00Z", "2027-06-13T07:00:00Z"]
            ),
        ] as [(Bool, String, String?, [String?])])
    func whatIsGiven(allDay: Bool, start: String, end: String?, times: [String?]) throws {
        let (event, problems) = try Self.settled { event in
            (event.allDay, event.startsLocal, event.endsLocal) = (
                allDay, LocalTime(start), end.flatMap { LocalTime($0) }
            )
        }
        #expect(Self.times(event) == times && problems == [])
        // What was read and is sent back changes nothing.
        let (again, _) = try Self.settled({ $0.name = "Fair" }, after: event)
        #expect(Self.times(again) == times)
    }

    @Test(arguments: [
        (true, "2027-06-12T10:00", "starts_at: must be a date, or midnight, for an event that lasts whole days"),
        (false, "2027-06-12", "starts_at: needs a time, such as 19:00, unless all_day is true"),
        (
            false, "2026-03-08T02:30",
            "starts_at: 2026-03-08T02:30 does not exist in America/Vancouver, where clocks go forward; the next time is "
                + "2026-03-08T03:00"
        ),
    ])
    func problems(allDay: Bool, start: String, problem: String) throws {
        #expect(try Self.settled { ($0.allDay, $0.startsLocal) = (allDay, LocalTime(start)) }.1 == [problem])
    }

    /// With other zone data, and of an event that has only instants.
    @Test func instantsFollowFromTheClocks() throws {
        let (event, _) = try Self.settled { $0.startsLocal = LocalTime("2026-12-11T20:00") }
        let zone = try Self.zone()
        #expect(event.settled(in: zone) == nil)
        let other = try #require(event.settled(in: TimeZone(name: "America/Vancouver", fixedOffset: -7 * 3600)))
        #expect(other.startsAt?.rfc3339 == "2026-12-12T03:00:00Z" && other.digest == event.digest)
        var earlier = Event()
        earlier.startsAt = Timestamp(rfc3339: "2026-12-12T04:00:00Z")
        (earlier.rrule, earlier.exdates) = (
            "FREQ=WEEKLY;UNTIL=20270301T040000Z", [try #require(LocalTime("2026-12-19T04:00:00Z"))]
        )
        let now = try #require(earlier.settled(in: zone))
        #expect(now.startsLocal?.text == "2026-12-11T20:00" && now.exdates.map(\.text) == ["2026-12-18T20:00"])
        #expect(now.rrule == "FREQ=WEEKLY;UNTIL=20270228T200000")
        #expect(now.settled(in: zone) == nil)
    }

    /// What was stored can always be written and read again, also at the ends of the calendar.
    @Test(arguments: ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"], ["America/Vancouver", "Pacific/Apia"])
    func theEndsOfTheCalendar(instant: String, zone: String) throws {
        var event = Event()
        event.startsAt = Timestamp(rfc3339: instant)
        event.endsAt = event.startsAt
        let zone = try Self.zone(zone)
        let settled = try #require(event.settled(in: zone))
        var problems = FieldProblems()
        settled.validateStored(&problems)
        #expect(!problems.all.contains { $0.message.contains("years") } && settled.settled(in: zone) == nil)
    }
}
