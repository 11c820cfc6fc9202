import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Exchange

@Suite struct CalendarReaderTests {
    private static func events(_ lines: [String]) -> [CalendarEntry] {
        CalendarReader.read(Array(lines.joined(separator: "\r\n").utf8)).entries
    }

    /// The only event with some lines.
    private static func event(_ lines: [String], around: [String] = []) throws -> CalendarEntry {
        let all = ["BEGIN:VCALENDAR"] + around + ["BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"]
        let events = events(all)
        #expect(events.count == 1)
        return try #require(events.first)
    }

    private static func zone(_ name: String) -> TimeZone? {
        TZifFixture.zones[name].flatMap { try? TZifReader.read($0.bytes, name: name) }
            ?? ["Europe/Berlin", "America/Los_Angeles"].first { $0 == name }.map {
                TimeZone(name: $0, fixedOffset: 3600)
            }
    }

    /// The only event as a record.
    private static func record(_ lines: String..., around: [String] = []) throws -> Event {
        try settled(event(lines, around: around))
    }

    private static func settled(_ entry: CalendarEntry) throws -> Event {
        let town = try #require(zone("America/Vancouver"))
        var (event, problems) = (try entry.patch(in: town, find: zone).applied(to: Event()), FieldProblems())
        event.settle(after: nil, in: event.timeZone.map { zone($0) ?? .utc } ?? town, &problems)
        #expect(problems.isEmpty)
        return event
    }

    @Test func anEvent() throws {
        let entry = try Self.event([
            "UID:1@a.example", "DTSTAMP:20260101T000000Z", "SUMMARY:Jam\\, live", "DESCRIPTION:One\\n", " two",
            "DTSTART:20270602T020000Z", "DTEND:20270602T040000Z", "LOCATION:Pub\\, 1 Wharf St", "GEO:48.374;-123.726",
            "CATEGORIES:Music,Food\\, drink", "CATEGORIES:Family", "URL:https://a.example/?a;b", "STATUS:TENTATIVE",
            "ORGANIZER:mailto:a@b.example", "X-GOOGLE:1", "ATTENDEE:x", "ATTENDEE:y", "BEGIN:VALARM",
            "DESCRIPTION:Alarm", "END:VALARM",
        ])
        #expect(entry.line == 2 && entry.uid == "1@a.example" && entry.summary == "Jam, live")
        #expect(entry.description == "One\ntwo" && entry.link == "https://a.example/?a;b")
        #expect(entry.location == "Pub, 1 Wharf St")
        #expect(entry.categories == ["Music", "Food, drink", "Family"] && entry.url == "https://a.example/?a;b")
        #expect(entry.coordinates == Coordinates(latitude: 48.374, longitude: -123.726))
        #expect(entry.status == .draft && entry.problems.isEmpty && entry.ignored == ["ATTENDEE", "ORGANIZER"])
        #expect(entry.start == Timestamp(rfc3339: "2027-06-02T02:00:00Z").map { .utc($0) })
        #expect(entry.slugInURL == nil)
    }

    /// Start and end of events, on the clocks of Vancouver.
    @Test(
        arguments: [
            (["DTSTART:20270602T020000Z", "DTEND:20270602T040000Z"], "2027-06-02T02:00:00Z", "2027-06-02T04:00:00Z"),
            (["DTSTART:20270601T190000"], "2027-06-02T02:00:00Z", nil),
            (
                ["DTSTART;TZID=America/Vancouver:20270101T190000", "DURATION:PT1H30M"], "2027-01-02T03:00:00Z",
                "2027-01-02T04:30:00Z"
            ),
            (["DTSTART;TZID=Europe/Berlin:20270101T190000"], "2027-01-01T18:00:00Z", nil),
            (["DTSTART;TZID=\"Pacific Standard Time\":20270601T190000"], "2027-06-02T02:00:00Z", nil),
            (["DTSTART;TZID=W. Europe Standard Time:20270101T190000"], "2027-01-01T18:00:00Z", nil),
            (
                ["DTSTART;TZID=/freeassociation.sourceforge.net/America/Vancouver:20270601T190000"],
                "2027-06-02T02:00:00Z",
                nil
            ),
            (["DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20270101T190000"], "2027-01-01T18:00:00Z", nil),
            (["DTSTART;TZID=UTC:20270601T190000"], "2027-06-01T19:00:00Z", nil),
            // A time that clocks skip or show twice (section 3.3.5).
            (["DTSTART:20270314T023000"], "2027-03-14T10:30:00Z", nil),
            (["DTSTART:20271107T013000"], "2027-11-07T08:30:00Z", nil),
            (["DTSTART:20270601T190000", "DTEND:20270601T240000"], "2027-06-02T02:00:00Z", "2027-06-02T07:00:00Z"),
            // Days pass on the clocks, hours in time.
            (["DTSTART:20270313T190000", "DURATION:P1D"], "2027-03-14T03:00:00Z", "2027-03-15T02:00:00Z"),
            (["DTSTART:20270313T190000", "DURATION:PT24H"], "2027-03-14T03:00:00Z", "2027-03-15T03:00:00Z"),
            (["DTSTART:20270313T190000", "DURATION:P1W"], "2027-03-14T03:00:00Z", "2027-03-21T02:00:00Z"),
            // Whole days.
            (["DTSTART;VALUE=DATE:20270601"], "2027-06-01T07:00:00Z", "2027-06-02T06:59:00Z"),
            (
                ["DTSTART;VALUE=DATE:20270601", "DTEND;VALUE=DATE:20270603"], "2027-06-01T07:00:00Z",
                "2027-06-03T06:59:00Z"
            ),
            (
                ["DTSTART;VALUE=DATE:20270601", "DTEND;VALUE=DATE:20270601"], "2027-06-01T07:00:00Z",
                "2027-06-02T06:59:00Z"
            ),
            (["DTSTART:20270313", "DURATION:P2D"], "2027-03-13T08:00:00Z", "2027-03-15T06:59:00Z"),
            // No length.
            (["DTSTART:20270602T020000Z", "DTEND:20270602T020000Z"], "2027-06-02T02:00:00Z", nil),
            (["DTSTART:20270601T190000", "DTEND:20270602T020000Z"], "2027-06-02T02:00:00Z", nil),
            (["DTSTART:20270601T190000", "DURATION:PT0S"], "2027-06-02T02:00:00Z", nil),
        ] as [([String], String, String?)])
    func times(lines: [String], start: String, end: String?) throws {
        let event = try Self.settled(Self.event(lines))
        #expect(event.startsAt?.rfc3339 == start)
        #expect(event.endsAt?.rfc3339 == end)
        let other = ["Europe": "Europe/Berlin", "TZID=UTC": "UTC"].first { lines[0].contains($0.key) }
        #expect(event.timeZone == other?.value && event.allDay == (lines[0].split(separator: ":").last?.count == 8))
    }

    @Test func aZoneOfTheCalendar() throws {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:Custom", "X-LIC-LOCATION:Europe/Berlin", "BEGIN:STANDARD", "TZID:x",
            "END:STANDARD", "END:VTIMEZONE",
        ]
        let event = try Self.record("DTSTART;TZID=Custom:20270101T190000", around: zone)
        #expect(event.startsAt?.rfc3339 == "2027-01-01T18:00:00Z")
    }

    @Test func aSeries() throws {
        let event = try Self.record(
            "SUMMARY:Jam", "DTSTART;TZID=Europe/Berlin:20270101T190000", "DTEND;TZID=Europe/Berlin:20270101T200000",
            "RRULE:FREQ=WEEKLY", "EXDATE;TZID=Europe/Berlin:20270108T190000,20270115T190000",
            "EXDATE;VALUE=DATE:20270122",
            "EXDATE:20270129T180000Z", "RDATE:20270201T180000Z", "RDATE;VALUE=PERIOD:20270202T180000Z/PT5H")
        #expect(event.timeZone == "Europe/Berlin" && event.rrule == "FREQ=WEEKLY")
        #expect(
            event.exdates.map(\.text) == [
                "2027-01-08T19:00", "2027-01-15T19:00", "2027-01-22T19:00", "2027-01-29T19:00",
            ])
        #expect(event.rdates.map(\.text) == ["2027-02-01T19:00", "2027-02-02T19:00"])
        let utc = try Self.record("DTSTART:20270101T190000Z", "RRULE:FREQ=DAILY")
        #expect(utc.timeZone == "UTC")
        let town = try Self.record("DTSTART;TZID=Pacific Standard Time:20270101T190000", "RRULE:FREQ=DAILY")
        #expect(town.timeZone == nil && town.startsAt?.rfc3339 == "2027-01-02T03:00:00Z")
        // Without a series there is nothing to leave out.
        #expect(try Self.record("DTSTART:20270101T190000Z", "EXDATE:20270101T190000Z").exdates.isEmpty)
    }

    @Test(
        arguments: [
            ("FREQ=WEEKLY;BYDAY=TU", "FREQ=WEEKLY;BYDAY=TU"),
            ("FREQ=DAILY;UNTIL=20270701", "FREQ=DAILY;UNTIL=20270701"),
            ("FREQ=DAILY;UNTIL=20270701T120000Z", "FREQ=DAILY;UNTIL=20270701T050000"),
            // The last second of a day in Vancouver.
            ("FREQ=DAILY;UNTIL=20270702T065959Z", "FREQ=DAILY;UNTIL=20270701"),
            ("FREQ=DAILY;UNTIL=20270701T120000", "FREQ=DAILY;UNTIL=20270701T120000"),
            ("FREQ=DAILY;until=20270701T235959", "FREQ=DAILY;until=20270701T235959"), ("FREQ=HOURLY", "FREQ=HOURLY"),
            ("", nil), (" ", nil),
        ] as [(String, String?)])
    func rules(text: String, rule: String?) throws {
        #expect(try Self.record("DTSTART:20270601T190000", "RRULE:\(text)").rrule == rule)
    }

    private static let series = [
        "BEGIN:VEVENT", "UID:1", "SUMMARY:Jam", "DTSTART:20270105T190000", "DTEND:20270105T200000", "RRULE:FREQ=DAILY",
        "END:VEVENT",
    ]

    /// The changed occurrences of a series at 19:00, as `day: new start, new end`.
    @Test(
        arguments: [
            (
                ["RECURRENCE-ID:20270106T190000", "DTSTART:20270106T190000", "STATUS:CANCELLED"],
                ["2027-01-06T19:00 cancelled"]
            ),
            (["RECURRENCE-ID:20270107T030000Z", "STATUS:CANCELLED"], ["2027-01-06T19:00 cancelled"]),
            (["RECURRENCE-ID;VALUE=DATE:20270106", "STATUS:CANCELLED"], ["2027-01-06T19:00 cancelled"]),
            (
                ["RECURRENCE-ID:20270106T190000", "DTSTART:20270106T200000", "DTEND:20270106T210000"],
                ["2027-01-06T19:00 start 2027-01-06T20:00"]
            ),
            (
                ["RECURRENCE-ID:20270106T190000", "DTSTART:20270106T200000", "DURATION:PT2H"],
                ["2027-01-06T19:00 start 2027-01-06T20:00 end 2027-01-06T22:00"]
            ),
            (
                ["RECURRENCE-ID:20270106T190000", "DTSTART:20270106T190000", "DTEND:20270106T193000"],
                ["2027-01-06T19:00 end 2027-01-06T19:30"]
            ),
            (
                ["RECURRENCE-ID:20270106T190000", "DTSTART:20270106T190000", "DTEND:20270106T200000", "LOCATION:Pub"],
                ["2027-01-06T19:00 at Pub"]
            ),
            // Nothing is different.
            (["RECURRENCE-ID:20270106T190000", "DTSTART:20270106T190000", "DTEND:20270106T200000"], []),
        ] as [([String], [String])])
    func changes(lines: [String], expected: [String]) throws {
        let change = ["BEGIN:VEVENT", "UID:1", "SUMMARY:Jam"] + lines + ["END:VEVENT"]
        // Before or after the series.
        for all in [Self.series + change, change + Self.series] {
            let entries = Self.events(["BEGIN:VCALENDAR"] + all + ["END:VCALENDAR"])
            #expect(entries.count == 1)
            let rows = try entries.first.map(Self.settled)?.overrides ?? []
            let texts = rows.map { row -> String in
                (row.occurrence?.text ?? "") + (row.isCancelled ? " cancelled" : "")
                    + (row.startsLocal.map { " start \($0.text)" } ?? "")
                    + (row.endsLocal.map { " end \($0.text)" } ?? "") + (row.location.map { " at \($0)" } ?? "")
            }
            #expect(texts == expected)
        }
    }

    @Test func anOlderVersionOfAnOccurrenceIsNamed() {
        let change = [
            "BEGIN:VEVENT", "UID:1", "SUMMARY:Jam", "LOCATION:Pub", "RECURRENCE-ID:20270106T190000",
            "DTSTART:20270106T190000", "END:VEVENT",
        ]
        let entries = Self.events(["BEGIN:VCALENDAR"] + Self.series + change + change + ["END:VCALENDAR"])
        #expect(entries.map(\.ignored) == [["older version of single dates"]])
    }

    @Test func groups() {
        func event(_ lines: String...) -> [String] {
            ["BEGIN:VEVENT", "DTSTART:20270105T190000"] + lines + ["END:VEVENT"]
        }
        func names(_ events: [String]...) -> [String] {
            Self.events(["BEGIN:VCALENDAR"] + events.flatMap(\.self) + ["END:VCALENDAR"]).map(\.summary)
        }
        #expect(names(event("SUMMARY:A"), event("SUMMARY:B")) == ["A", "B"])
        #expect(names(event("UID:1", "SUMMARY:A"), event("UID:1", "SUMMARY:B")) == ["A", "B"])
        // A later revision.
        #expect(names(event("UID:1", "SUMMARY:A"), event("UID:1", "SUMMARY:B", "SEQUENCE:1")) == ["B"])
        #expect(names(event("UID:1", "SUMMARY:A", "SEQUENCE:2"), event("UID:1", "SUMMARY:B", "SEQUENCE:1")) == ["A"])
        // A change of an event that is not there.
        #expect(names(event("UID:1", "SUMMARY:A", "RECURRENCE-ID:20270105T190000")) == ["A"])
        #expect(names(["BEGIN:VTODO", "SUMMARY:A", "END:VTODO", "BEGIN:VFREEBUSY", "END:VFREEBUSY"]).isEmpty)
        #expect(names(["BEGIN:VTODO", "SUMMARY:A"], event("SUMMARY:B")) == ["B"])
    }

    @Test(
        arguments: [
            ("STATUS:CONFIRMED", .approved), ("STATUS:tentative", .draft), ("STATUS:CANCELLED", .cancelled),
            ("X-NONE:", nil), ("CLASS:PUBLIC", nil), ("CLASS:PRIVATE", .draft), ("CLASS:CONFIDENTIAL", .draft),
            ("STATUS:CANCELLED\r\nCLASS:PRIVATE", .cancelled),
        ] as [(String, Event.Status?)])
    func statuses(line: String, status: Event.Status?) throws {
        #expect(try Self.event(["DTSTART:20270601T190000", line]).status == status)
    }

    @Test(
        arguments: [
            ([], "DTSTART: is missing; an event needs a start"),
            (["DTSTART:tomorrow"], "DTSTART: is \"tomorrow\"; write a date and time such as"),
            (["DTSTART;TZID=-07:00:20270601T190000"], "TZID: unknown time zone \"-07:00\""),
            (["DTSTART:20270230"], "DTSTART: is \"20270230\""),
            (["DTSTART:20270601T250000"], "DTSTART: is \"20270601T250000\""),
            (["DTSTART:20270601T240001"], "DTSTART: is \"20270601T240001\""),
            (["DTSTART:99991231T240000"], "DTSTART: is \"99991231T240000\""),
            (["DTSTART:20270601T190000X"], "DTSTART: is"), (["DTSTART:20270601", "DTEND:x"], "DTEND: is \"x\""),
            (["DTSTART:20270601", "DURATION:-PT1H"], "DURATION: is \"-PT1H\"; write a duration such as"),
            (["DTSTART:20270601", "DURATION:P"], "DURATION: is \"P\""),
            (["DTSTART:20270601", "DURATION:PT99999999999999999999H"], "DURATION: is \"PT9"),
            (["DTSTART:20270601", "STATUS:DONE"], "STATUS: is \"DONE\"; write CONFIRMED, TENTATIVE or CANCELLED"),
            (["DTSTART:20270601", "GEO:here"], "GEO: is not a place"),
            (["DTSTART:20270601", "EXDATE:x"], "EXDATE: is \"x\""),
            (
                ["DTSTART:20270601", "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"],
                "RRULE: is not supported beside another rule"
            ),
            (["DTSTART:20270601", "EXRULE:FREQ=DAILY"], "EXRULE: is not supported beside another rule"),
            (["DTSTART:20270601", "Hello"], "line 4 is not a valid iCalendar line: \"Hello\""),
            (
                ["DTSTART;TZID=Middle-earth/Shire:20270601T190000"],
                "TZID: unknown time zone \"Middle-earth/Shire\"; write one like America/Vancouver"
            ),
            (["DTSTART;TZID=../../etc/passwd:20270601T190000"], "TZID: unknown time zone \"../../etc/passwd\""),
            (["DTSTART:20270601T190000", "DTEND;TZID=Mars:20270601T190000"], "TZID: unknown time zone \"Mars\""),
        ] as [([String], String)])
    func problems(lines: [String], message: String) throws {
        let town = try #require(Self.zone("America/Vancouver"))
        let entry = try Self.event(lines)
        let problems = #expect(throws: FieldProblems.self) { try entry.patch(in: town, find: Self.zone) }
        #expect(problems?.all.first?.description.hasPrefix(message) == true, "\(problems?.all ?? [])")
    }

    @Test(
        arguments: [
            (
                ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "DTSTART:20270601"], 2,
                "the event that begins here has no END:VEVENT"
            ),
            (["BEGIN:VCALENDAR", "BEGIN:VEVENT", "END:VCALENDAR"], 2, "the event that begins here has no END:VEVENT"),
            (
                ["BEGIN:VCALENDAR", "DTSTART:20270601", "END:VEVENT", "END:VCALENDAR"], 3,
                "the event that ends here has no BEGIN"
            ),
            (
                [
                    "BEGIN:VCALENDAR", "BEGIN:VEVENT", "BEGIN:VALARM", "BEGIN:VEVENT", "DTSTART:20270601", "END:VEVENT",
                    "END:VCALENDAR",
                ], 2, "the event that begins here has no END"
            ),
            (["BEGIN:VCALENDAR", "X-A:1"], 1, "the calendar that begins here has no END:VCALENDAR"),
            (["Hello", "you"], 1, "\"Hello\" is an error of a service or a web page"),
            (["FN:Pub"], 1, "\"FN\" is an error of a service or a web page, not a calendar"),
            (["BEGIN:VCALENDAR", "END:VCALENDAR", "Hello"], 3, "\"Hello\" is not in a calendar"),
            (["BEGIN:VCALENDAR", "Hello", "END:VCALENDAR"], 2, "\"Hello\" is not in a calendar"),
        ] as [([String], Int, String)])
    func damagedFiles(lines: [String], line: Int, message: String) {
        let refused = Self.events(lines).filter { !$0.problems.isEmpty }
        #expect(refused.map(\.line) == [line])
        #expect(refused.first?.problems.first?.message.hasPrefix(message) == true)
    }

    @Test(
        arguments: [
            (
                ["RECURRENCE-ID;RANGE=THISANDFUTURE:20270106T190000", "DTSTART:20270106T200000"],
                "RECURRENCE-ID: line 9: changes all later occurrences"
            ),
            (["RECURRENCE-ID:x", "DTSTART:20270106T200000"], "RECURRENCE-ID: line 9: is \"x\""),
            (["RECURRENCE-ID:20270106T190000"], "DTSTART: line 9: is missing"),
        ] as [([String], String)])
    func refusedChanges(lines: [String], message: String) {
        let all = Self.series + ["BEGIN:VEVENT", "UID:1"] + lines + ["END:VEVENT"]
        let entries = Self.events(["BEGIN:VCALENDAR"] + all + ["END:VCALENDAR"])
        #expect(entries.first?.problems.first?.description.hasPrefix(message) == true, "\(entries)")
    }

    @Test func tooManyExceptions() throws {
        let dates = Array(repeating: "20270601", count: 10_001).joined(separator: ",")
        let entry = try Self.event(["DTSTART:20270601", "EXDATE:\(dates)"])
        #expect(entry.exdates.count == 10_000)
        #expect(entry.problems.map(\.description) == ["EXDATE: has more than 10000 entries; shorten the series"])
    }

    @Test func noEvents() {
        #expect(Self.events([]).isEmpty)
        #expect(Self.events(["BEGIN:VCALENDAR", "END:VCALENDAR"]).isEmpty)
    }
}
