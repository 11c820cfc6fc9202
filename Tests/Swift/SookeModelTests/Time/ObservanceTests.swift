import Bytes
import TestSupport
import Testing

@testable import SookeModel

/// The changes of clocks in the description of a zone in calendars.
@Suite struct ObservanceTests {
    /// From when on, and each observance: its start, the offsets before and from it, and the date in later years.
    @Test(arguments: [
        (
            "America/Vancouver", "2026-11-21T00:00:00Z",
            [
                "2026-11-01T09:00:00Z -25200 -28800", "2027-03-14T10:00:00Z -28800 -25200 3 2 0",
                "2027-11-07T09:00:00Z -25200 -28800 11 1 0",
            ]
        ),
        // Before the yearly rule applies, changes happen once.
        (
            "America/Vancouver", "1918-05-01T00:00:00Z",
            [
                "1918-04-14T10:00:00Z -28800 -25200", "1918-10-27T09:00:00Z -25200 -28800",
                "2007-03-11T10:00:00Z -28800 -25200", "2007-11-04T09:00:00Z -25200 -28800",
                "2008-03-09T10:00:00Z -28800 -25200 3 2 0", "2008-11-02T09:00:00Z -25200 -28800 11 1 0",
            ]
        ),
        (
            "Australia/Lord_Howe", "2026-01-01T00:00:00Z",
            [
                "2025-10-04T15:30:00Z 37800 39600", "2026-04-04T15:00:00Z 39600 37800 4 1 0",
                "2026-10-03T15:30:00Z 37800 39600 10 1 0",
            ]
        ),
        // A change on the day before, at 23:00, follows no rule that calendars understand.
        (
            "America/Nuuk", "2026-01-01T00:00:00Z",
            [
                "2025-10-26T01:00:00Z -3600 -7200", "2026-03-29T01:00:00Z -7200 -3600",
                "2026-10-25T01:00:00Z -3600 -7200", "2027-03-28T01:00:00Z -7200 -3600",
            ]
        ),
        ("Pacific/Kiritimati", "2026-01-01T00:00:00Z", ["1994-12-31T10:00:00Z -36000 50400"]),
    ])
    func observances(name: String, start: String, expected: [String]) throws {
        let zone = try TimeZoneTests.zone(name)
        let found = zone.observances(
            from: try TimeZoneTests.moment(start), to: try TimeZoneTests.moment("2027-06-01T00:00:00Z"))
        let texts = found.map { observance in
            let date = observance.yearly.map { " \($0.month) \($0.ordinal) \($0.dayOfWeek)" } ?? ""
            return "\(observance.start?.rfc3339 ?? "-") \(observance.offsetBefore) \(observance.offset)\(date)"
        }
        #expect(texts == expected)
    }

    @Test func aZoneWithoutChanges() {
        let zone = SookeModel.TimeZone(name: "UTC", fixedOffset: 0)
        let found = zone.observances(from: Timestamp.epoch, to: Timestamp(clampingSeconds: 1_800_000_000))
        #expect(found == [.init(start: nil, offsetBefore: 0, offset: 0, yearly: nil)])
    }
}
