import Bytes
import TestSupport
import Testing

@testable import SookeModel

@Suite struct RecurrenceSeriesTests {
    private static func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    private static func zone(_ name: String) throws -> SookeModel.TimeZone {
        try TZifReader.read(try #require(TZifFixture.zones[name]).bytes, name: name)
    }

    private func series(
        _ rule: String?, from start: String, to end: String? = nil, in zone: String = "America/Vancouver",
        excluded: [String] = [], added: [String] = [], changes: [RecurrenceSeries.Change] = []
    ) throws -> RecurrenceSeries {
        let zone = try Self.zone(zone)
        return RecurrenceSeries(
            start: zone.localTime(at: try Self.moment(start)), end: try end.map(Self.moment), zone: zone,
            rule: try rule.map { try RecurrenceRule($0) }, excluded: try excluded.map(Self.moment),
            added: try added.map(Self.moment), changes: changes)
    }

    private func starts(_ series: RecurrenceSeries, _ count: Int = 4) -> [String] {
        series.occurrences(endingFrom: Timestamp.beginningOfTime).prefix(count).map {
            $0.startsAt.rfc3339 + ($0.isCancelled ? " cancelled" : "")
        }
    }

    /// The first hours of year 0 in UTC are in the year before it on the clocks of the west. The calendar repeats every
    /// 400 years.
    @Test(arguments: [
        "FREQ=YEARLY", "FREQ=YEARLY;BYWEEKNO=-53", "FREQ=YEARLY;BYWEEKNO=53,1", "FREQ=YEARLY;BYMONTH=12,1;BYDAY=-1FR",
        "FREQ=YEARLY;BYYEARDAY=-1,366", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYMONTHDAY=-1;BYMONTH=12",
        "FREQ=DAILY;BYMONTH=12,2;BYMONTHDAY=31,29", "FREQ=WEEKLY;BYDAY=MO,FR",
    ])
    func theYearBeforeTheFirst(rule: String) throws {
        let zone = TimeZone(name: "", fixedOffset: -8 * 3600)
        let starts = try [0, 146_097].map { days in
            let start = Timestamp(clampingSeconds: -62_167_219_200 + days * 86_400)
            return RecurrenceSeries(
                start: zone.localTime(at: start), end: nil, zone: zone, rule: try RecurrenceRule(rule)
            )
            .occurrences(endingFrom: .beginningOfTime).prefix(40).map { $0.startsAt.seconds - days * 86_400 }
        }
        #expect(starts[0] == starts[1] && starts[0].count == 40)
    }

    /// An UNTIL in the course of a day ends the rule, not what is added on that day.
    @Test func anAddedDateOnTheDayOfTheEnd() throws {
        let series = try series(
            "FREQ=WEEKLY;UNTIL=20200204T151459Z;BYDAY=TU", from: "2020-01-07T15:15:00Z", added: ["2020-02-04T15:15:00Z"]
        )
        #expect(starts(series, 9).suffix(2) == ["2020-01-28T15:15:00Z", "2020-02-04T15:15:00Z"])
        #expect(series.has(start: try Self.moment("2020-02-04T15:15:00Z")))
        #expect(!series.has(start: try Self.moment("2020-02-11T15:15:00Z")))
    }

    /// Names of dates, and the start of what has each: the day of the series where clocks skip or repeat its time, too.
    @Test(
        arguments: [
            // Clocks are set forward at 2:00 on 2026-03-08.
            ("2026-03-08", "2026-03-08T10:30:00Z", "2026-03-08"), ("2026-03-09", "2026-03-09T09:30:00Z", "2026-03-09"),
            ("2026-11-01", "2026-11-01T10:30:00Z", "2026-11-01"),
            // One is moved, a day has two, one is left out.
            ("2026-03-12", "2026-03-14T20:00:00Z", "2026-03-12"), ("2026-03-14", "2026-03-14T09:30:00Z", "2026-03-14"),
            ("2026-03-16", "2026-03-16T09:30:00Z", "2026-03-16T0230"),
            ("2026-03-16T0230", "2026-03-16T09:30:00Z", "2026-03-16T0230"),
            ("2026-03-16T1500", "2026-03-16T22:00:00Z", "2026-03-16T1500"), ("2026-03-17", nil, nil),
            ("2026-03-16T1501", nil, nil), ("2026-02-28", nil, nil), ("2026-03-1", nil, nil), ("", nil, nil),
            ("2026-03-09T0230", nil, nil), ("2026-03-09T", nil, nil), ("9999-12-31", nil, nil),
            ("0000-01-01", nil, nil),
        ] as [(String, String?, String?)])
    func namesOfDates(_ name: String, start: String?, own: String?) throws {
        let series = try series(
            "FREQ=DAILY;UNTIL=20261231", from: "2026-03-01T10:30:00Z", excluded: ["2026-03-17T09:30:00Z"],
            added: ["2026-03-16T22:00:00Z"],
            changes: [.init(of: Self.moment("2026-03-12T09:30:00Z"), startsAt: Self.moment("2026-03-14T20:00:00Z"))])
        let found = series.occurrence(named: name)
        #expect(found?.startsAt.rfc3339 == start && found.map(series.name(of:)) == own)
        let moved = series.occurrence(movedTo: name).map(series.name(of:))
        #expect(moved == (name == "2026-03-14" ? "2026-03-12" : nil))
    }

    /// Clocks in Vancouver are set forward from 2:00 to 3:00 on 2026-03-08, and back from 2:00 to 1:00 on 2026-11-01; on
    /// Lord Howe Island by half an hour; Samoa skipped the whole 30th of December 2011.
    @Test(arguments: [
        (
            "America/Vancouver", "2026-03-07T03:30:00Z", "FREQ=DAILY;COUNT=3",
            ["2026-03-07T03:30:00Z", "2026-03-08T03:30:00Z", "2026-03-09T02:30:00Z"]
        ),
        // 2:30 does not exist on the 8th: by the offset before, it is 3:30 on the clocks.
        (
            "America/Vancouver", "2026-03-07T10:30:00Z", "FREQ=DAILY;COUNT=3",
            ["2026-03-07T10:30:00Z", "2026-03-08T10:30:00Z", "2026-03-09T09:30:00Z"]
        ),
        // 1:30 exists twice on the 1st: it is the first one.
        (
            "America/Vancouver", "2026-10-31T08:30:00Z", "FREQ=DAILY;COUNT=3",
            ["2026-10-31T08:30:00Z", "2026-11-01T08:30:00Z", "2026-11-02T09:30:00Z"]
        ),
        (
            "Australia/Lord_Howe", "2026-10-02T15:40:00Z", "FREQ=DAILY;COUNT=3",
            ["2026-10-02T15:40:00Z", "2026-10-03T15:40:00Z", "2026-10-04T15:10:00Z"]
        ),
        (
            "Pacific/Apia", "2011-12-29T20:00:00Z", "FREQ=DAILY;COUNT=4",
            ["2011-12-29T20:00:00Z", "2011-12-30T20:00:00Z", "2011-12-31T20:00:00Z"]
        ),
        (
            "America/Vancouver", "2026-03-07T03:30:00.25Z", "FREQ=WEEKLY;COUNT=2",
            ["2026-03-07T03:30:00.25Z", "2026-03-14T02:30:00.25Z"]
        ),
    ])
    func clockChanges(zone: String, start: String, rule: String, expected: [String]) throws {
        #expect(starts(try series(rule, from: start, in: zone)) == expected)
    }

    @Test(arguments: [
        // The 1st of December in Vancouver begins at 8:00 UTC; 19:00 there is 3:00 UTC on the day after.
        ("UNTIL=20261203", ["02T03", "03T03", "04T03"]), ("UNTIL=20261204T030000Z", ["02T03", "03T03", "04T03"]),
        ("UNTIL=20261204T025959Z", ["02T03", "03T03"]), ("UNTIL=20261202T030000Z", ["02T03"]), ("UNTIL=20261130", []),
    ])
    func until(end: String, expected: [String]) throws {
        let series = try series("FREQ=DAILY;\(end)", from: "2026-12-02T03:00:00Z")
        #expect(starts(series) == expected.map { "2026-12-\($0):00:00Z" })
        #expect(series.last?.startsAt.rfc3339 == expected.last.map { "2026-12-\($0):00:00Z" })
    }

    @Test func exceptions() throws {
        let second = try Self.moment("2026-12-09T20:00:00Z")
        let third = try Self.moment("2026-12-16T20:00:00Z")
        let other = try Self.moment("2026-12-17T20:00:00Z")
        let series = try series(
            "FREQ=WEEKLY;COUNT=5", from: "2026-12-02T20:00:00Z", to: "2026-12-02T21:30:00Z",
            excluded: ["2026-12-02T20:00:00Z", "2026-12-03T20:00:00Z", "2026-12-24T20:00:00Z"],
            added: ["2026-12-20T20:00:00Z", "2026-12-23T20:00:00Z", "2026-12-24T20:00:00Z"],
            changes: [
                .init(of: second, startsAt: try Self.moment("2026-12-18T18:00:00Z")),
                .init(of: third, isCancelled: true),
                // There is no such occurrence.
                .init(of: other, startsAt: second),
                .init(of: try Self.moment("2026-12-23T20:00:00Z"), endsAt: try Self.moment("2026-12-23T23:00:00Z")),
            ])
        #expect(
            starts(series, 9) == [
                "2026-12-16T20:00:00Z cancelled", "2026-12-18T18:00:00Z", "2026-12-20T20:00:00Z",
                "2026-12-23T20:00:00Z", "2026-12-30T20:00:00Z",
            ])
        let shown = series.next(at: second)
        #expect(shown?.startsAt.rfc3339 == "2026-12-18T18:00:00Z")
        #expect(shown?.endsAt?.rfc3339 == "2026-12-18T19:30:00Z")
        #expect(shown?.original == second)
        #expect(series.next(at: try Self.moment("2026-12-23T22:59:00Z"))?.startsAt.rfc3339 == "2026-12-23T20:00:00Z")
        #expect(series.next(at: try Self.moment("2027-01-01T00:00:00Z")) == nil)
        let afterwards = series.representative(at: try Self.moment("2027-01-01T00:00:00Z"))
        #expect(afterwards?.startsAt.rfc3339 == "2026-12-30T20:00:00Z")
        #expect(series.last(before: shown?.startsAt ?? second) == nil)
    }

    @Test func additionsWithoutRule() throws {
        let series = try series(
            nil, from: "2026-12-02T20:00:00Z", to: "2026-12-02T21:00:00Z",
            added: ["2026-12-05T20:00:00Z", "2026-12-03T20:00:00Z", "2026-12-03T20:00:00Z"])
        #expect(starts(series) == ["2026-12-02T20:00:00Z", "2026-12-03T20:00:00Z", "2026-12-05T20:00:00Z"])
        #expect(series.last?.endsAt?.rfc3339 == "2026-12-05T21:00:00Z")
    }

    @Test(arguments: [
        // Begins in it; ends at its start; in progress; only touches its end.
        ("2026-12-02T20:00:00Z", "2026-12-02T22:00:00Z", 1), ("2026-12-02T22:00:00Z", "2026-12-02T23:00:00Z", 0),
        ("2026-12-02T21:59:59Z", "2026-12-02T23:00:00Z", 1), ("2026-12-02T18:00:00Z", "2026-12-02T20:00:00Z", 0),
        ("2026-12-01T00:00:00Z", "2026-12-31T00:00:00Z", 3), ("2026-12-01T00:00:00Z", "2027-12-31T00:00:00Z", 3),
    ])
    func ranges(from: String, to: String, count: Int) throws {
        let series = try series("FREQ=WEEKLY;COUNT=9", from: "2026-12-02T20:00:00Z", to: "2026-12-02T22:00:00Z")
        let range = try Self.moment(from)..<Self.moment(to)
        let (found, isCut) = series.occurrences(in: range, limit: 3)
        #expect(found.count == count)
        #expect(isCut == (series.occurrences(in: range, limit: 100).found.count > 3))
    }

    /// An event that lasts longer than the time between two of its occurrences.
    @Test func overlaps() throws {
        let series = try series("FREQ=DAILY;COUNT=9", from: "2026-12-02T20:00:00Z", to: "2026-12-05T20:00:00Z")
        #expect(series.next(at: try Self.moment("2026-12-06T20:00:00Z"))?.startsAt.rfc3339 == "2026-12-03T20:00:00Z")
    }

    @Test(arguments: [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYDAY=MO;BYSETPOS=2", "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=-2",
        "FREQ=YEARLY;BYMONTH=1;BYWEEKNO=20;BYDAY=MO", "FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", "FREQ=WEEKLY;UNTIL=20200101",
        "FREQ=MONTHLY;INTERVAL=12;BYMONTH=5", "FREQ=DAILY;INTERVAL=7;BYDAY=MO", "FREQ=YEARLY;BYYEARDAY=1;BYMONTH=2",
        "FREQ=YEARLY;COUNT=10000;BYMONTH=2;BYMONTHDAY=30",
    ])
    func withoutOccurrence(rule: String) throws {
        let series = try series(rule, from: "2027-04-03T20:00:00Z")
        #expect(series.first == nil)
        #expect(series.next(at: try Self.moment("2027-04-03T20:00:00Z")) == nil)
        #expect(series.last == nil)
    }

    /// The work for a query does not grow with the time since the start, nor with the time to the next occurrence.
    @Test(arguments: [
        ("FREQ=DAILY", "3000-06-01", 40), ("FREQ=YEARLY", "3000-06-01", 100),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "3000-06-01", 100), ("FREQ=WEEKLY;INTERVAL=1000", "3000-06-01", 20),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "3000-06-01", 2_000),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "3000-06-01", 1_000),
        ("FREQ=DAILY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "3000-06-01", 100_000),
        ("FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR;BYMONTH=2,3", "3000-06-01", 100),
    ])
    func boundedWork(rule: String, from: String, most: Int) throws {
        let start = try #require(CivilDate(year: 2026, month: 1, day: 31))
        let pattern = RecurrencePattern(try RecurrenceRule(rule), start: start)
        var days = RecurrenceDays(
            of: pattern, from: try Self.moment(from + "T00:00:00Z").civil.date.daysSinceEpoch, through: nil)
        _ = days.next()
        #expect(days.work.steps <= most)
    }

    @Test func countingIsBounded() throws {
        let start = "2026-02-02T20:00:00Z"
        #expect(try series("FREQ=DAILY;COUNT=10000;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", from: start).isCutShort)
        #expect(try series("FREQ=DAILY;COUNT=10000;BYDAY=MO", from: start).isCutShort == false)
        #expect(
            try series("FREQ=DAILY;COUNT=10000", from: start).last?.startsAt.rfc3339 == "2053-06-19T19:00:00Z")
    }
}
