import Bytes
import TestSupport
import Testing

@testable import SookeModel

/// Offsets and local times of zones with every oddity of the tz database. The figures are those of Python's `zoneinfo`.
@Suite struct TimeZoneTests {
    static func zone(_ name: String) throws -> SookeModel.TimeZone {
        let fixture = try #require(TZifFixture.zones[name])
        return try TZifReader.read(fixture.bytes, name: name)
    }

    static func moment(_ text: String) throws -> Timestamp {
        try #require(Timestamp(rfc3339: text))
    }

    /// The offset a second before a change and from it on.
    @Test(arguments: [
        ("America/Vancouver", "1884-01-01T08:12:28Z", -29548, -28800),
        ("America/Vancouver", "1918-04-14T10:00:00Z", -28800, -25200),
        ("America/Vancouver", "1918-10-27T09:00:00Z", -25200, -28800),
        ("America/Vancouver", "2026-03-08T10:00:00Z", -28800, -25200),
        ("America/Vancouver", "2026-11-01T09:00:00Z", -25200, -28800),
        ("America/Vancouver", "2077-03-14T10:00:00Z", -28800, -25200),
        ("America/Vancouver", "2077-11-07T09:00:00Z", -25200, -28800),
        ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", 39600, 37800),
        ("Australia/Lord_Howe", "2026-10-03T15:30:00Z", 37800, 39600),
        ("Europe/Dublin", "2026-03-29T01:00:00Z", 0, 3600), ("Europe/Dublin", "2026-10-25T01:00:00Z", 3600, 0),
        ("Antarctica/Troll", "2026-03-29T01:00:00Z", 0, 7200), ("Antarctica/Troll", "2026-10-25T01:00:00Z", 7200, 0),
        ("America/Nuuk", "2026-03-29T01:00:00Z", -7200, -3600), ("Africa/Casablanca", "2026-02-15T02:00:00Z", 3600, 0),
        ("Africa/Casablanca", "2026-03-22T02:00:00Z", 0, 3600), ("Africa/Casablanca", "2087-05-11T02:00:00Z", 0, 3600),
        ("Pacific/Kiritimati", "1994-12-31T10:00:00Z", -36000, 50400),
        ("Pacific/Apia", "2011-12-30T10:00:00Z", -36000, 50400),
    ])
    func offsetsAroundAChange(name: String, change: String, before: Int, after: Int) throws {
        let zone = try Self.zone(name)
        let change = try Self.moment(change)
        #expect(zone.offset(at: Timestamp(microseconds: change.microseconds - 1)) == before)
        #expect(zone.offset(at: change) == after)
        #expect(zone.period(containing: change.seconds - 1).end == change.seconds)
        #expect(zone.period(containing: change.seconds).start == change.seconds)
    }

    @Test(arguments: [
        ("America/Vancouver", "2026-11-21T09:30:00Z", "2026-11-21", 5400),
        ("America/Vancouver", "2026-11-21T07:59:59.999999Z", "2026-11-20", 86399),
        ("Pacific/Kiritimati", "2026-11-21T09:59:59Z", "2026-11-21", 86399),
        ("Pacific/Kiritimati", "2026-11-21T10:00:00Z", "2026-11-22", 0),
        ("Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29", 86399),
        ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31", 0),
        ("Australia/Lord_Howe", "1969-12-31T13:00:00Z", "1970-01-01", 0),
    ])
    func localDates(name: String, moment: String, date: String, seconds: Int) throws {
        let local = try Self.zone(name).localDate(at: try Self.moment(moment))
        #expect(local.date == (try Self.moment("\(date)T00:00:00Z")).civil.date)
        #expect(local.secondsOfDay == seconds)
    }

    /// None where clocks go forward, two where they go back.
    @Test(arguments: [
        ("America/Vancouver", "2026-11-21T01:30:00Z", ["2026-11-21T09:30:00Z"]),
        ("America/Vancouver", "2026-03-08T01:59:59Z", ["2026-03-08T09:59:59Z"]),
        ("America/Vancouver", "2026-03-08T02:30:00Z", []),
        ("America/Vancouver", "2026-03-08T03:00:00Z", ["2026-03-08T10:00:00Z"]),
        ("America/Vancouver", "2026-11-01T01:30:00Z", ["2026-11-01T08:30:00Z", "2026-11-01T09:30:00Z"]),
        ("America/Vancouver", "2077-11-07T01:59:59Z", ["2077-11-07T08:59:59Z", "2077-11-07T09:59:59Z"]),
        ("America/Vancouver", "2026-11-01T02:00:00Z", ["2026-11-01T10:00:00Z"]),
        ("Australia/Lord_Howe", "2026-10-04T02:15:00Z", []),
        ("Australia/Lord_Howe", "2026-04-05T01:45:00Z", ["2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"]),
        ("Europe/Dublin", "2026-10-25T01:30:00Z", ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]),
        ("Pacific/Apia", "2011-12-30T12:00:00Z", []),
        ("Pacific/Apia", "2011-12-31T00:00:00Z", ["2011-12-30T10:00:00Z"]),
    ])
    func momentsOfALocalTime(name: String, local: String, moments: [String]) throws {
        let (date, microseconds) = try Self.moment(local).civil
        let found = try Self.zone(name).timestamps(of: date, secondsOfDay: microseconds / 1_000_000)
        #expect(found.map { $0.rfc3339 } == moments)
    }

    @Test func endOfTheDayIsTheNextMidnight() throws {
        let date = try #require(CivilDate(year: 2026, month: 3, day: 8))
        let moments = try Self.zone("America/Vancouver").timestamps(of: date, secondsOfDay: 86_400)
        #expect(moments.map { $0.rfc3339 } == ["2026-03-09T07:00:00Z"])
    }

    @Test func localTimesLeadBackToTheirMoments() throws {
        for name in TZifFixture.zones.keys.sorted() {
            let zone = try Self.zone(name)
            for seconds in stride(from: -2_840_140_800, to: 16_725_225_600, by: 86_400 * 211 + 4_321) {
                let moment = Timestamp(clampingSeconds: seconds)
                let local = zone.localDate(at: moment)
                #expect(zone.timestamps(of: local.date, secondsOfDay: local.secondsOfDay).contains(moment))
            }
        }
    }

    @Test(arguments: [Int.min, Int.min + 1, Int.max - 1, Int.max])
    func theEndsOfTime(microseconds: Int) throws {
        for name in TZifFixture.zones.keys {
            let zone = try Self.zone(name)
            _ = zone.localDate(at: Timestamp(microseconds: microseconds))
            let date = try #require(CivilDate(year: microseconds < 0 ? -128_000 : 128_000, month: 12, day: 31))
            _ = zone.timestamps(of: date, secondsOfDay: 86_400)
        }
    }
}
