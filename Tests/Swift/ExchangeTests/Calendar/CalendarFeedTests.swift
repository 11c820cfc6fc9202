import Bytes
import JSON
import SookeModel
import TestSupport
import Testing

@testable import Exchange
@testable import Store

@Suite struct CalendarFeedTests {
    private static let now = "2026-11-21T09:30:00Z"

    /// The lines of the calendar of an event, given as JSON, without those around it.
    private func lines(
        _ json: String, isCalendar: Bool = false, among visible: VisibleBusinesses = .all
    ) throws -> [String] {
        let zone = try TZifReader.read(
            try #require(TZifFixture.zones["America/Vancouver"]).bytes, name: "America/Vancouver")
        let clock = EventClock(now: try #require(Timestamp(rfc3339: Self.now)), zone: zone) { _ in nil }
        var empty = Town()
        empty.zones = TownZones()
        empty.zones.set(fallback: zone) { _ in nil }
        var transaction = WriteTransaction(empty, at: clock.now)
        try transaction.create(Patch<EventType> { ($0.name, $0.slug) = ("Live, Music", Slug("live-music")) })
        try transaction.create(
            Patch<Business> { business in
                (business.name, business.address, business.latitude, business.longitude) = (
                    "Zed's", "1 A; B", 48.5, -123
                )
            })
        let status = json.contains("status") ? "" : #""status":"approved","#
        let text = #"{"id":7,"name":"Jam","event_type":"live-music",\#(status)\#(json)}"#
        var (reader, problems) = (JSONReader(Array(text.utf8)), FieldProblems())
        try transaction.upsert(Patch<Event>(from: &reader, &problems))
        #expect(problems.isEmpty)
        let town = transaction.town
        let since = clock.now.advanced(bySeconds: -90 * 86_400)
        let events = town.calendarEvents(since: since, withdrawnSince: since, eventTypes: nil, business: nil)
        var feed = CalendarFeed(
            events, since: since, in: town, among: visible, at: clock, name: "Events",
            url: "https://town.example:8080/x")
        var bytes: [UInt8] = []
        while let part = feed.next() { bytes += part }
        let lines = String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "").split(separator: "\r\n")
            .map(String.init)
        if isCalendar { return lines }
        let ignored = ["DTSTAMP", "CREATED", "LAST-MODIFIED", "SUMMARY", "CATEGORIES", "URL", "UID", "X-SOOKE-PAGE"]
        return lines.drop { $0 != "BEGIN:VEVENT" }.dropLast().filter { line in
            !ignored.contains { line.hasPrefix($0 + ":") }
        }
    }

    @Test func theWholeCalendar() throws {
        #expect(
            try lines(
                #""slug":"jam-été","business":"zeds","description":"One,\ntwo","starts_local":"2026-12-01","#
                    + #""ends_local":"2026-12-02","all_day":true,"location":"Room 2","host":"zeds","price":"free","#
                    + #""url":"https://a.example/""#, isCalendar: true) == [
                    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sooke//Sooke//EN", "CALSCALE:GREGORIAN", "NAME:Events",
                    "X-WR-CALNAME:Events", "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H",
                    "BEGIN:VEVENT", "UID:event-7@town.example", "DTSTAMP:20261121T093000Z", "CREATED:20261121T093000Z",
                    "LAST-MODIFIED:20261121T093000Z", "DTSTART;VALUE=DATE:20261201",
                    "DTEND;VALUE=DATE:20261203", "SUMMARY:Jam", "DESCRIPTION:One\\,\\ntwo", "X-SOOKE-BUSINESS:zeds",
                    "X-SOOKE-LOCATION:Room 2", "LOCATION:Room 2\\, Zed's\\, 1 A\\; B", "GEO:48.5;-123.0",
                    "CATEGORIES:Live\\, Music", "URL:https://a.example/", "X-SOOKE-PAGE:\(Self.page)",
                    "X-SOOKE-PRICE:free", "ORGANIZER;CN=\"Zed's\":\(Self.page)", "X-SOOKE-HOST:zeds",
                    "STATUS:CONFIRMED", "END:VEVENT", "END:VCALENDAR",
                ])
    }

    private static let page = "https://town.example:8080/x/events/jam-%C3%A9t%C3%A9"

    /// The start of a day, an instant in the hour that clocks show twice, and no length.
    @Test(arguments: [
        (#""starts_local":"2026-12-01T19:00""#, ["DTSTART;TZID=America/Vancouver:20261201T190000"]),
        (#""starts_local":"2026-12-01""#, ["DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261202"]),
        (
            #""starts_local":"2027-11-07T01:30-07:00","ends_local":"2027-11-07T01:30-08:00""#,
            ["DTSTART;TZID=America/Vancouver:20271107T013000", "DTEND:20271107T093000Z"]
        ),
    ])
    func times(json: String, expected: [String]) throws {
        #expect(try lines(json).filter { $0.hasPrefix("DT") } == expected)
    }

    /// The business has no category.
    @Test(arguments: [(VisibleBusinesses.all, "LOCATION:Zed's\\, 1 A\\; B"), (.listed, "LOCATION:Zed's")])
    func addresses(_ visible: VisibleBusinesses, _ location: String) throws {
        let lines = try lines(#""business":"zeds","starts_at":"2026-12-01T03:00:00Z""#, among: visible)
        #expect(lines.filter { $0.hasPrefix("LOCATION") } == [location])
        #expect(lines.contains("GEO:48.5;-123.0"))
    }

    @Test func aSeries() throws {
        let text =
            #""starts_at":"2026-10-23T02:00:00Z","ends_at":"2026-10-23T04:00:00Z","rrule":"FREQ=WEEKLY;UNTIL=20270128","#
            + #""exdates":["2026-12-11T03:00:00Z"],"rdates":["2027-01-01T04:00:00Z"],"overrides":["#
            + #"{"occurrence":"2026-12-04T03:00:00Z","is_cancelled":true},"#
            + #"{"occurrence":"2026-12-18T03:00:00Z","starts_at":"2026-12-19T03:30:00Z"}]"#
        #expect(
            try lines(text) == [
                "BEGIN:VEVENT", "DTSTART;TZID=America/Vancouver:20261022T190000",
                "DTEND;TZID=America/Vancouver:20261022T210000", "RRULE:FREQ=WEEKLY;UNTIL=20270129T075959Z",
                "EXDATE;TZID=America/Vancouver:20261210T190000", "RDATE;TZID=America/Vancouver:20261231T200000",
                "STATUS:CONFIRMED", "END:VEVENT",
                "BEGIN:VEVENT", "RECURRENCE-ID;TZID=America/Vancouver:20261203T190000",
                "DTSTART;TZID=America/Vancouver:20261203T190000", "DTEND;TZID=America/Vancouver:20261203T210000",
                "STATUS:CANCELLED", "END:VEVENT",
                "BEGIN:VEVENT", "RECURRENCE-ID;TZID=America/Vancouver:20261217T190000",
                "DTSTART;TZID=America/Vancouver:20261218T193000", "DTEND;TZID=America/Vancouver:20261218T213000",
                "STATUS:CONFIRMED", "END:VEVENT",
            ])
        #expect(
            try lines(text, isCalendar: true).drop { $0 != "BEGIN:VTIMEZONE" }.prefix { $0 != "BEGIN:VEVENT" } == [
                "BEGIN:VTIMEZONE", "TZID:America/Vancouver", "BEGIN:DAYLIGHT", "DTSTART:20260308T020000",
                "TZOFFSETFROM:-0800", "TZOFFSETTO:-0700", "END:DAYLIGHT", "BEGIN:STANDARD", "DTSTART:20261101T020000",
                "TZOFFSETFROM:-0700", "TZOFFSETTO:-0800", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU", "END:STANDARD",
                "BEGIN:DAYLIGHT", "DTSTART:20270314T020000", "TZOFFSETFROM:-0800", "TZOFFSETTO:-0700",
                "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "END:DAYLIGHT", "END:VTIMEZONE",
            ])
    }

    /// What other programs read in another way is written so that they do not.
    @Test(arguments: [
        // The start is a Monday, the first occurrence a Tuesday.
        (
            #""starts_at":"2026-11-23T20:00:00Z","rrule":"FREQ=WEEKLY;BYDAY=TU""#, "20261124T120000",
            "FREQ=WEEKLY;BYDAY=TU"
        ),
        (
            #""starts_at":"2026-11-23T20:00:00Z","rrule":"FREQ=YEARLY;BYWEEKNO=48""#, "20261123T120000",
            "FREQ=YEARLY;BYWEEKNO=48;BYDAY=MO"
        ),
        (#""starts_at":"2026-11-23T20:00:00Z","rdates":["2026-11-25T20:00:00Z"]"#, "20261123T120000", ""),
    ])
    func explicitRules(json: String, start: String, rule: String) throws {
        let lines = try lines(json)
        #expect(lines.contains("DTSTART;TZID=America/Vancouver:\(start)"))
        #expect(lines.first { $0.hasPrefix("RRULE:") } == (rule.isEmpty ? nil : "RRULE:\(rule)"))
    }

    @Test(arguments: [
        (#""starts_at":"2026-08-24T00:00:00Z""#, true), (#""starts_at":"2026-08-22T00:00:00Z""#, false),
        (#""starts_at":"2026-08-01T00:00:00Z","ends_at":"2026-08-24T00:00:00Z""#, true),
        (#""starts_at":"2020-01-01T00:00:00Z","rrule":"FREQ=DAILY""#, true),
        (#""starts_at":"2020-01-01T00:00:00Z","rrule":"FREQ=DAILY;COUNT=5""#, false),
        (#""starts_at":"2020-01-01T00:00:00Z","status":"cancelled""#, false),
        (#""starts_at":"2027-01-01T00:00:00Z","status":"cancelled""#, true),
        (#""starts_at":"2027-01-01T00:00:00Z","status":"draft""#, false),
        // No date is left.
        (#""starts_local":"2027-01-01","rrule":"FREQ=DAILY;COUNT=1","exdates":["2027-01-01"]"#, false),
    ])
    func whatIsInIt(json: String, isIn: Bool) throws {
        #expect(try lines(json).isEmpty == !isIn)
    }

    @Test func parts() throws {
        var transaction = WriteTransaction(Town())
        try transaction.create(Patch<EventType> { $0.name = "Fairs" })
        for number in 1...300 {
            try transaction.create(
                Patch<Event> { event in
                    (event.name, event.eventType, event.status) = ("Fair \(number)", Slug("fairs"), .approved)
                    event.description = String(repeating: "words ", count: 100)
                    event.startsAt = Timestamp(clampingSeconds: 1_800_000_000 + number)
                })
        }
        let clock = EventClock(
            now: Timestamp(clampingSeconds: 1_800_000_000), zone: TimeZone(name: "UTC", fixedOffset: 0)
        ) { _ in nil }
        let events = transaction.town.calendarEvents(
            since: clock.now, withdrawnSince: clock.now, eventTypes: nil, business: nil)
        var feed = CalendarFeed(events, in: transaction.town, at: clock, name: "", url: "")
        var (parts, text) = (0, "")
        while let part = feed.next() {
            #expect(part.count < 40_000)
            parts += 1
            text += String(decoding: part, as: UTF8.self)
        }
        #expect(parts > 5)
        #expect(text.split(separator: "\r\n").count { $0 == "BEGIN:VEVENT" } == 300)
    }
}

extension Patch {
    /// The fields of a record that differ from those of an empty one.
    fileprivate init(_ set: (inout Value) -> Void) {
        self.init()
        set(&values)
        fields = values.difference(from: Value())
    }
}
