import Bytes
import Foundation
import HTTP
import SookeModel
import Store
import Testing

@testable import API

/// Events in series, in a town whose clock shows Saturday, 2026-11-21, 1:30.
@Suite struct EventSeriesTests {
    /// Thursdays from 19:00 to 21:00, which is the next day in UTC; three of them are exceptions.
    static let jam =
        #"{"name":"Jam","event_type":"live-music","business":"zeds","starts_at":"2026-10-22T19:00:00-07:00","#
        + #""ends_at":"2026-10-22T21:00:00-07:00","rrule":"FREQ=WEEKLY;UNTIL=20270128","status":"approved","#
        + #""exdates":["2026-12-11T03:00:00Z"],"rdates":["2026-12-31T20:00:00-08:00"],"overrides":["#
        + #"{"occurrence":"2026-12-04T03:00:00Z","is_cancelled":true},"#
        + #"{"occurrence":"2026-12-18T03:00:00Z","starts_at":"2026-12-19T03:30:00Z"}]}"#

    private static func town() async throws -> TestTown {
        let town = try await TestTown.peopled()
        _ = try await town.store.write(by: .local) { try $0.upsert(.event, jam) }
        return town
    }

    private func json(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any], "\(response.text)")
    }

    private func slugs(_ town: TestTown, _ query: String) async throws -> [String] {
        let list = try json(try await town.send(.get, "/api/v1/events?" + query))
        return try #require(list["items"] as? [[String: Any]]).compactMap { $0["slug"] as? String }
    }

    @Test func theTimesOfTheNextOccurrence() async throws {
        let town = try await Self.town()
        // At each time, the start and the end in the detail, and whether the calendar has the event.
        for (moment, start, end, isListed) in [
            ("2026-11-21T09:30:00Z", "2026-11-27T03:00:00Z", "2026-11-27T05:00:00Z", true),
            ("2026-11-27T05:00:00Z", "2026-11-27T03:00:00Z", "2026-11-27T05:00:00Z", true),
            // The next one is cancelled, the one after it excluded, and the third is a day late.
            ("2026-11-27T05:00:01Z", "2026-12-19T03:30:00Z", "2026-12-19T05:30:00Z", true),
            ("2026-12-31T00:00:00Z", "2027-01-01T03:00:00Z", "2027-01-01T05:00:00Z", true),
            ("2027-02-01T00:00:00Z", "2027-01-29T03:00:00Z", "2027-01-29T05:00:00Z", false),
        ] {
            town.clock.set(try #require(Timestamp(rfc3339: moment)))
            let event = try json(try await town.send(.get, "/api/v1/events/jam"))
            for (name, value) in [("starts_at", start), ("start_time", start), ("ends_at", end), ("end_time", end)] {
                #expect(event[name] as? String == value, "\(name) at \(moment)")
            }
            #expect(event["series_starts_at"] as? String == "2026-10-23T02:00:00Z")
            #expect(event["series_ends_at"] as? String == "2026-10-23T04:00:00Z")
            #expect(event["rrule"] as? String == "FREQ=WEEKLY;UNTIL=20270128")
            #expect(try await slugs(town, "").contains("jam") == isListed, "\(moment)")
        }
    }

    @Test func occurrencesInARange() async throws {
        let town = try await Self.town()
        let event = try json(try await town.send(.get, "/api/v1/events/jam?from=2026-12-01&to=2026-12-31"))
        let occurrences = try #require(event["occurrences"] as? [[String: Any]])
        #expect(
            occurrences.map { "\($0["starts_at"] ?? "") \($0["status"] ?? "") \($0["original_starts_at"] ?? "")" } == [
                "2026-12-04T03:00:00Z cancelled <null>", "2026-12-19T03:30:00Z approved 2026-12-18T03:00:00Z",
                "2026-12-25T03:00:00Z approved <null>", "2027-01-01T03:00:00Z approved <null>",
                "2027-01-01T04:00:00Z approved <null>",
            ])
        #expect(event["has_more_occurrences"] as? Bool == false)
        let once = try json(try await town.send(.get, "/api/v1/events/regatta?from=2026-12-01"))
        #expect(Set(once.keys).isDisjoint(with: ["occurrences", "rrule", "series_starts_at"]))
    }

    /// One date: its times, its texts and its status; the original day also of one that was moved.
    @Test(arguments: [
        ("2026-11-26", "2026-11-27T03:00:00Z", "2026-11-27T05:00:00Z", "approved", "Jam"),
        ("2026-12-03", "2026-12-04T03:00:00Z", "2026-12-04T05:00:00Z", "cancelled", "Jam"),
        ("2026-12-17", "2026-12-19T03:30:00Z", "2026-12-19T05:30:00Z", "approved", "Last Jam"),
        ("2026-12-31T2000", "2027-01-01T04:00:00Z", "2027-01-01T06:00:00Z", "approved", "Jam"),
    ])
    func oneDate(_ date: String, start: String, end: String, status: String, name: String) async throws {
        let town = try await Self.town()
        let fields =
            #"{"slug":"jam","overrides":[{"occurrence":"2026-12-04T03:00:00Z","is_cancelled":true},"#
            + #"{"occurrence":"2026-12-18T03:00:00Z","starts_at":"2026-12-19T03:30:00Z","name":"Last Jam","#
            + #""description":"Bring cake","location":"Room 2"}]}"#
        _ = try await town.store.write(by: .local) { try $0.upsert(.event, fields) }
        let response = try await town.send(.get, "/api/v1/events/jam/" + date)
        let event = try json(response)
        let shown = ["starts_at", "start_time", "ends_at", "end_time", "status", "name"].map { event[$0] as? String }
        #expect(shown == [start, start, end, end, status, name])
        let isLast = name == "Last Jam"
        #expect(event["description"] as? String == (isLast ? "Bring cake" : nil))
        #expect(event["location"] as? String == (isLast ? "Room 2" : nil))
        #expect(event["business_slug"] as? String == "zeds" && event["occurrences"] == nil)
        // It is a version of the event.
        let tag = try #require(response.headers.first("ETag")), whole = try await town.send(.get, "/api/v1/events/jam")
        #expect(tag.prefix(17) == whole.headers.first("ETag")?.prefix(17))
    }

    @Test(
        arguments: [
            ("jam/2026-12-18", Status.seeOther, "/api/v1/events/jam/2026-12-17"),
            ("regatta/2035-05-01", .movedPermanently, "/api/v1/events/regatta"),
            // Left out, not in the series, and no date.
            ("jam/2026-12-10", .notFound, nil), ("jam/2026-12-11", .notFound, nil), ("jam/next", .notFound, nil),
            ("regatta/2035-05-02", .notFound, nil), ("quiz/2026-11-28", .notFound, nil),
        ] as [(String, Status, String?)])
    func otherAddressesOfDates(_ path: String, status: Status, location: String?) async throws {
        let response = try await Self.town().send(.get, "/api/v1/events/" + path)
        #expect(response.status == status)
        #expect(response.headers.first("Location") == location)
    }

    /// What matches no date is said to who adds it; what was there before does not hinder another change.
    @Test(arguments: [
        (#""exdates":["2026-12-12T03:00:00Z"]"#, "exdates[0]"),
        (
            #""exdates":["2026-12-10T19:00"],"overrides":[{"occurrence":"2026-12-10"},{"occurrence":"2026-12-11"}]"#,
            "overrides[1].occurrence"
        ),
        (#""overrides":[{"occurrence":"2026-12-17T20:00","is_cancelled":true}]"#, "overrides[0].occurrence"),
    ])
    func exceptionsOfNoDate(_ fields: String, _ field: String) async throws {
        let town = try await Self.town()
        let response = try await town.send(.patch, "/api/v1/events/jam", as: .ada, body: "{\(fields)}")
        #expect(response.status == .unprocessableContent)
        #expect(try response.fieldProblems[field] == "matches no date of the series", "\(response.text)")
    }

    /// A hundred events with a hundred occurrences each are too many for one response: each shows fewer.
    @Test func longPagesShowFewerOccurrences() async throws {
        let town = try await Self.town()
        _ = try await town.store.write(by: .local) { transaction in
            for number in 1...100 {
                try transaction.upsert(
                    .event,
                    #"{"name":"Daily \#(number)","event_type":"sports","starts_at":"2026-01-01T00:00:00Z","#
                        + #""rrule":"FREQ=DAILY","status":"approved","latitude":48,"longitude":-123}"#)
            }
        }
        let range = "event_type=sports&from=2027-01-01&to=2100-01-01"
        for (query, isBounded, count) in [
            ("&per_page=100&q=daily", false, 12), ("&per_page=100", nil, 12), ("&per_page=20", nil, 60),
            ("&per_page=5", nil, 100),
        ] {
            let list = try json(try await town.send(.get, "/api/v1/events?" + range + query))
            #expect(list["is_bounded"] as? Bool == isBounded, "\(query)")
            let items = try #require(list["items"] as? [[String: Any]])
            // What is there is right: the first occurrences, and that there are more.
            let counts = items.map { ($0["occurrences"] as? [Any])?.count }
            #expect(counts.count >= 5 && counts.allSatisfy { $0 == count }, "\(query)")
            #expect(items.allSatisfy { $0["has_more_occurrences"] as? Bool == true })
        }
    }

    /// Which of some events a filter finds. The weekend is the one that the clock shows, or the next one.
    private static let filters = [
        ("2026-11-21T09:30:00Z", "when=today", ["late", "tour"]),
        ("2026-11-21T09:30:00Z", "when=weekend", ["late", "tour", "sunday"]),
        ("2026-11-21T09:30:00Z", "when=week", ["late", "tour", "sunday", "jam"]),
        ("2026-11-23T20:00:00Z", "when=weekend", ["tour"]),
        ("2026-11-21T09:30:00Z", "from=2026-11-23&to=2026-11-24", ["tour"]),
        ("2026-11-21T09:30:00Z", "from=2026-11-27T05:00:00Z&to=2026-11-27T06:00:00Z", ["tour"]),
        ("2026-11-21T09:30:00Z", "from=2026-11-27T04:59:59Z&to=2026-11-27T06:00:00Z", ["tour", "jam"]),
        ("2026-11-21T09:30:00Z", "to=2026-11-21", ["late", "tour"]),
        // The past, when one asks for it.
        ("2026-11-21T09:30:00Z", "from=2000-12-31&to=2001-01-01", ["past"]),
        ("2026-11-21T09:30:00Z", "from=2035-05-01&event_type=sports", ["regatta"]),
    ]

    @Test func filtersByTime() async throws {
        let town = try await Self.town()
        _ = try await town.store.write(by: .local) { transaction in
            for (name, start, end) in [
                ("Late", "2026-11-20T22:00:00-08:00", "2026-11-21T02:00:00-08:00"),
                ("Over", "2026-11-20T22:00:00-08:00", "2026-11-21T01:00:00-08:00"),
                ("Sunday", "2026-11-22T10:00:00-08:00", "2026-11-22T11:00:00-08:00"),
                ("Tour", "2026-11-21T08:00:00-08:00", "2026-11-29T20:00:00-08:00"),
            ] {
                try transaction.upsert(
                    .event,
                    #"{"name":"\#(name)","event_type":"sports","starts_at":"\#(start)","ends_at":"\#(end)","#
                        + #""status":"approved"}"#)
            }
        }
        for (moment, query, expected) in Self.filters {
            town.clock.set(try #require(Timestamp(rfc3339: moment)))
            #expect(try await slugs(town, query) == expected, "\(query) at \(moment)")
        }
    }

    @Test func invalidRanges() async throws {
        let town = try await Self.town()
        for (query, message) in [
            ("?when=tomorrow", "when is one of today, weekend, week, not \"tomorrow\""),
            ("?when=today&from=2026-12-01", "when cannot be together with from or to; leave one of them out"),
            (
                "/jam?from=yesterday",
                "from is a date like 2026-12-24 or a date and time like 2026-12-24T19:00:00-08:00, not \"yesterday\""
            ),
            ("?to=2026-02-30", "to is a date like 2026-12-24 or"),
            ("/jam?from=2026-12-02&to=2026-12-01", "to must be later than from"),
            ("?from=2026-12-02T00:00:00Z&to=2026-12-02T00:00:00Z", "to must be later than from"),
            ("?to=2026-11-01", "to must be later than now, because there is no from"),
        ] {
            let response = try await town.send(.get, "/api/v1/events" + query)
            #expect(response.status.code == 400 && response.errorCode == "invalid_parameter")
            let error = try json(response)["error"] as? [String: Any]
            #expect((error?["message"] as? String)?.hasPrefix(message) == true, "\(response.text)")
        }
    }

    @Test func invalidSeries() async throws {
        let town = try await Self.town()
        for (fields, field, message) in [
            (#""rrule":"FREQ=DAILY;UNTIL=20261201""#, "rrule", "has no occurrence from starts_at on"),
            (#""rrule":5"#, "rrule", "must be a text"),
            (#""rrule":"FREQ=DAILY","exdates":["soon"]"#, "exdates[0]", "must be a date and time like"),
            (#""rrule":"FREQ=DAILY","overrides":[{}]"#, "overrides[0].occurrence", "is missing"),
            (#""series_starts_at":"2026-12-05T03:00:00Z""#, "starts_at", "differs from series_starts_at"),
            (#""series_starts_at":"soon""#, "series_starts_at", "must be a date and time like"),
        ] {
            let body = #"{"name":"Choir","event_type":"live-music","starts_at":"2026-12-04T03:00:00Z",\#(fields)}"#
            let response = try await town.send(.post, "/api/v1/events", as: .ada, body: body)
            #expect(response.status.code == 422)
            #expect(try response.fieldProblems[field]?.hasPrefix(message) == true, "\(response.text)")
        }
    }

    /// A client may send back the times of the occurrence that it has read; new ones must have the names of the series.
    @Test(
        arguments: [
            // As read, now or before the occurrence was over; or as stored.
            (#"{"starts_at":"2026-11-27T03:00:00Z","ends_at":"2026-11-27T05:00:00Z","name":"Jam"}"#, nil, nil),
            (#"{"starts_at":"2026-11-20T03:00:00Z","ends_at":"2026-11-20T05:00:00Z"}"#, nil, nil),
            (
                #"{"starts_at":"2026-11-27T03:00:00Z","ends_at":"2026-11-27T05:00:00Z","#
                    + #""series_starts_at":"2026-10-23T01:00:00Z","series_ends_at":"2026-10-23T03:00:00Z"}"#,
                "2026-10-23T01:00:00Z", nil
            ),
            (#"{"series_starts_at":"2026-10-22T01:00:00Z"}"#, "2026-10-22T01:00:00Z", nil),
            (
                #"{"starts_at":"2026-11-28T03:00:00Z"}"#, nil,
                "starts_at: is that of an occurrence of a series; give series_"
            ),
            (#"{"ends_at":null}"#, nil, "ends_at: is that of an occurrence of a series; give series_ends_at"),
            (
                #"{"starts_at":"2026-11-28T03:00:00Z","series_starts_at":"2026-10-23T01:00:00Z"}"#, nil,
                "starts_at: differs from series_starts_at"
            ),
            // With another rule it is a new series.
            (#"{"starts_at":"2026-11-28T03:00:00Z","ends_at":null,"rrule":"FREQ=DAILY"}"#, "2026-11-28T03:00:00Z", nil),
        ] as [(String, String?, String?)])
    func changesOfTimes(body: String, start: String?, problem: String?) async throws {
        let town = try await Self.town()
        let response = try await town.send(.patch, "/api/v1/events/jam", as: .ada, body: body)
        if let problem {
            let problems = try response.fieldProblems.map { "\($0.key): \($0.value)" }
            #expect(problems.contains { $0.hasPrefix(problem) }, "\(response.text)")
        } else {
            #expect(response.status.code == 200, "\(response.text)")
        }
        let event = try #require(town.store.current.town.events[Slug("jam")]?.value)
        #expect(event.startsAt?.rfc3339 == start ?? "2026-10-23T02:00:00Z")
    }

    /// The clocks that count: the event's own, else those of its business, else those of the town.
    @Test func zones() async throws {
        let town = try await TestTown.peopled()
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(.business, #"{"slug":"zeds","time_zone":"America/Phoenix"}"#)
            for (name, fields) in [
                ("Own", #""business":"zeds","time_zone":"Europe/Berlin""#), ("Its", #""business":"zeds""#),
                ("Town", #""business":null"#), ("Unknown", #""time_zone":"Not/There""#),
            ] {
                try transaction.upsert(
                    .event,
                    #"{"name":"\#(name)","event_type":"sports","starts_at":"2026-10-01T18:00:00Z","status":"approved","#
                        + #""rrule":"FREQ=WEEKLY",\#(fields)}"#)
            }
        }
        for (slug, start) in [
            ("own", "2026-11-26T19:00:00Z"), ("its", "2026-11-26T18:00:00Z"), ("town", "2026-11-26T19:00:00Z"),
            ("unknown", "2026-11-26T19:00:00Z"),
        ] {
            let event = try json(try await town.send(.get, "/api/v1/events/\(slug)"))
            #expect(event["starts_at"] as? String == start, "\(slug)")
        }
    }

    /// Cached responses are replaced when an occurrence is over, and when a day is.
    @Test func cachedResponses() async throws {
        let town = try await Self.town()
        for (moment, jam, isToday) in [
            ("2026-11-21T09:30:00Z", "2026-11-27T03:00:00Z", false),
            ("2026-11-27T04:00:00Z", "2026-11-27T03:00:00Z", true),
            ("2026-11-27T05:00:00Z", "2026-11-27T03:00:00Z", true),
            ("2026-11-27T05:00:00.000001Z", "2026-12-19T03:30:00Z", false),
            ("2026-12-19T04:00:00Z", "2026-12-19T03:30:00Z", true),
        ] {
            town.clock.set(try #require(Timestamp(rfc3339: moment)))
            for target in ["/api/v1/events", "/api/v1/events/jam", "/api/v1/events?from=2026-01-01"] {
                let response = try await town.send(.get, target)
                #expect(response.text.contains(#""starts_at":"\#(jam)""#), "\(target) at \(moment)")
            }
            #expect(try await slugs(town, "when=today").contains("jam") == isToday, "\(moment)")
        }
    }

    /// The exceptions of a series move with it.
    @Test(
        arguments: [
            // An hour earlier; a day later; to another zone, at the same times on its clocks.
            (#"{"series_starts_at":"2026-10-23T01:00:00Z"}"#, "2026-12-10T18:00", "2026-12-03T18:00", 2),
            (
                #"{"series_starts_at":"2026-10-24T02:00:00Z","series_ends_at":null}"#, "2026-12-11T19:00",
                "2026-12-04T19:00", 2
            ),
            (#"{"time_zone":"America/Toronto"}"#, "2026-12-10T19:00", "2026-12-03T19:00", 2),
            // Every other week has neither the excluded day nor the moved one.
            (#"{"rrule":"FREQ=WEEKLY;INTERVAL=2;COUNT=6"}"#, nil, "2026-12-03T19:00", 2),
            (#"{"rrule":null,"rdates":[]}"#, nil, nil, 0),
            // As given.
            (
                #"{"series_starts_at":"2026-10-23T01:00:00Z","exdates":["2026-12-25T02:00:00Z"],"overrides":null}"#,
                "2026-12-24T18:00", nil, 0
            ),
        ] as [(String, String?, String?, Int)])
    func movedExceptions(body: String, excluded: String?, overridden: String?, count: Int) async throws {
        let town = try await Self.town()
        let response = try await town.send(.patch, "/api/v1/events/jam", as: .ada, body: body)
        #expect(response.status.code == 200, "\(response.text)")
        let event = try #require(town.store.current.town.events[Slug("jam")]?.value)
        #expect(event.exdates.first?.text == excluded)
        #expect(event.overrides.first?.occurrence?.text == overridden)
        #expect(event.overrides.count == count)
    }
}
