import HTTP
import SookeModel
import Store
import Testing

@testable import API

@Suite struct CalendarRoutesTests {
    /// The names of the events in a calendar.
    private func names(_ town: TestTown, _ target: String) async throws -> [String] {
        let response = try await town.send(.get, target)
        #expect(response.status.code == 200, "\(target)")
        #expect(response.headers.first("Content-Type") == "text/calendar; charset=utf-8", "\(target)")
        let lines = response.text.split(separator: "\r\n")
        return lines.filter { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst(8)) }
    }

    @Test func feeds() async throws {
        let town = try await TestTown.peopled()
        let all = ["Fiddle Night", "Regatta", "Gig", "Reading"]
        for (target, expected) in [
            ("/api/v1/events.ics", all), ("/api/v1/events.ics?event_type=sports", ["Regatta", "Reading"]),
            ("/api/v1/events.ics?type=live-music&type=sports", all), ("/api/v1/events.ics?event_type=", []),
            ("/api/v1/events.ics?business=zeds", ["Gig"]), ("/api/v1/events.ics?business=nope", []),
            ("/api/v1/events/gig.ics", ["Gig"]),
        ] {
            #expect(try await names(town, target) == expected, "\(target)")
        }
        #expect(try await town.send(.get, "/api/v1/events/nope.ics").status.code == 404)
        #expect(try await town.send(.get, "/api/v1/events/quiz.ics").status.code == 404)
        #expect(try await town.send(.get, "/api/v1/events.ics?business=%FF").status.code == 400)
    }

    /// The format that a client prefers; a cached response in another one is not sent to it.
    @Test func accept() async throws {
        let town = try await TestTown.peopled()
        for target in ["/api/v1/events", "/api/v1/events/gig"] {
            for (accept, isCalendar) in [
                ("*/*", false), ("text/calendar", true), ("text/html, text/calendar;q=0.9, */*;q=0.1", true),
                ("application/json, text/calendar", false), ("*/*, text/calendar", false), ("TEXT/Calendar", true),
            ] {
                let type = try await town.send(.get, target, [("Accept", accept)]).headers.first("Content-Type")
                #expect(type == (isCalendar ? "text/calendar; charset=utf-8" : "application/json"), "\(accept)")
            }
        }
    }

    /// A slug may end in `.ics`; it takes precedence over the extension.
    @Test func slugsWithTheExtension() async throws {
        let town = try await TestTown.peopled()
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(
                .event,
                #"{"name":"Other","slug":"gig.ics","event_type":"sports","starts_at":"2035-01-01T00:00:00Z","status":"approved"}"#
            )
        }
        #expect(try await town.send(.get, "/api/v1/events/gig.ics").headers.first("Content-Type") == "application/json")
        #expect(try await names(town, "/api/v1/events/gig.ics.ics") == ["Other"])
        _ = try await town.send(.patch, "/api/v1/events/regatta", as: .ada, body: #"{"slug":"race"}"#)
        let moved = try await town.send(.get, "/api/v1/events/regatta.ics")
        #expect(moved.status.code == 301)
        #expect(moved.headers.first("Location") == "/api/v1/events/race.ics")
    }

    /// A large calendar is a stream; its entity tag changes with the town and the day.
    @Test func largeCalendars() async throws {
        let town = try await TestTown.peopled()
        _ = try await town.store.write(by: .local) { transaction in
            for number in 1...300 {
                try transaction.upsert(
                    .event,
                    #"{"name":"Fair \#(number)","event_type":"sports","starts_at":"2035-01-01T00:00:00Z","status":"approved"}"#
                )
            }
        }
        guard case .now(let response) = try town.api.respond(to: Request(.get, "/api/v1/events.ics")),
            case .stream(let stream) = response.content
        else {
            Issue.record("it is no stream")
            return
        }
        let body = String(decoding: try #require(await stream.bytes()), as: UTF8.self)
        #expect(body.split(separator: "\r\n").count { $0.hasPrefix("SUMMARY:Fair") } == 300)
        #expect(body.hasSuffix("END:VCALENDAR\r\n"))
        let tag = try #require(response.headers.first("ETag"))
        let again = try await town.send(.get, "/api/v1/events.ics", [("If-None-Match", tag)])
        #expect(again.status.code == 304)
        town.clock.advance(bySeconds: 86_400)
        #expect(try await town.send(.get, "/api/v1/events.ics").headers.first("ETag") != tag)
    }
}
