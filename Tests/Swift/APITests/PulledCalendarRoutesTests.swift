import Bytes
import HTTP
import SookeModel
import Store
import Testing

@testable import API
@testable import Service

/// The calendars of others by the API: each editor's own, and never an address where it does not belong.
@Suite struct PulledCalendarRoutesTests {
    private static let school =
        #"{"address":"https://school.example/key-7.ics","name":"School","event_type":"sports"}"#

    @Test func anEditorSeesTheirOwn() async throws {
        let town = try await TestTown.peopled()
        let made = try await town.send(.post, "/api/v1/calendars", as: .ada, body: Self.school)
        #expect(made.headers.first("Location") == "/api/v1/calendars/2")
        #expect(made.headers.first("Cache-Control") == "no-store")
        #expect(made.text.contains(#""created_by":1,"#) && made.text.contains(#""next_at":"1970-"#))
        for target in ["/api/v1/calendars/2", "/api/v1/calendars/2/fetch"] {
            let method: HTTP.Method = target.hasSuffix("fetch") ? .post : .get
            #expect(try await town.send(method, target, as: .edda).status.code == 404)
            #expect(try await town.send(method, target, as: .folder).status.code == 200)
        }
        let (own, all) = (
            try await town.send(.get, "/api/v1/calendars", as: .edda),
            try await town.send(.get, "/api/v1/calendars", as: .ada)
        )
        #expect(own.text.contains("library.example") && !own.text.contains("school.example"))
        #expect(all.text.contains("library.example") && all.text.contains("school.example"))
        #expect(own.headers.first("Cache-Control") == "no-store")
        let read = try await town.send(.get, "/api/v1/calendars/2", as: .ada)
        #expect(read.headers.first("ETag") == made.headers.first("ETag"))
        #expect(read.body == made.body)
    }

    @Test func noErrorHasAnAddress() async throws {
        let town = try await TestTown.peopled()
        for (target, body) in [
            (
                "/api/v1/calendars",
                #"{"address":"https://library.example/secret.ics","name":"B","event_type":"sports"}"#
            ),
            ("/api/v1/calendars", #"{"address":"secret","name":"B","event_type":"sports"}"#),
            ("/api/v1/calendar-checks", #"{"address":"ftp://secret"}"#), ("/api/v1/calendar-checks", "{}"),
            ("/api/v1/calendar-checks", #"{"address":"https://secret.example","colour":"red"}"#),
        ] {
            let answer = try await town.send(.post, target, as: .ada, body: body)
            #expect(answer.status.code == 422 && !answer.text.contains("secret"), "\(body): \(answer.text)")
        }
    }

    /// What it would bring, for the one who asked.
    @Test func aCheck() async throws {
        let town = try await TestTown.peopled()
        let body = #"{"address":"webcal://school.example/a.ics","place":"zeds"}"#
        let asked = try await town.send(.post, "/api/v1/calendar-checks", as: .edda, body: body)
        let location = try #require(asked.headers.first("Location"))
        #expect(asked.text.contains(#""state":"waiting","problem":null,"coming":null,"#))
        #expect(try await town.send(.get, location, as: .ada).status.code == 404)
        let request = try #require(town.service.takeFetch())
        #expect(request.address == "https://school.example/a.ics")
        let token = try #require(request.check)
        town.service.receive(FetchedAnswer(.good), forCheck: token, nil) { _, calendar, _, _ in
            #expect(!calendar.eventType.isEmpty)
            var event = Event()
            (event.name, event.eventType, event.location) = ("Play", Slug("sports"), calendar.place?.text)
            event.startsAt = Timestamp(rfc3339: "2035-02-01T18:00:00Z")
            return ([PulledEvent(key: "1", event: event)], ["one has no day"])
        }
        let done = try await town.send(.get, location, as: .edda)
        #expect(done.text.contains(#""state":"done","problem":null,"coming":1,"until":"2035-02-01T18:00:00Z""#))
        #expect(done.text.contains(#""first":[{"name":"Play","#) && done.text.contains(#""location":"zeds""#))
        #expect(done.text.contains(#""left_out":["one has no day"],"twins":[],"links":[]"#))
        #expect(done.headers.first("Cache-Control") == "no-store")
        #expect(town.store.current.town.calendars.count == 1)
        var problem = CalendarPreview()
        problem.links = [(name: "All", address: "https://school.example/b.ics")]
        problem.problem = "this is a web page"
        town.service.receive(FetchedAnswer(.failed), forCheck: token, problem) { _, _, _, _ in nil }
        let page = try await town.send(.get, location, as: .edda)
        #expect(page.text.contains(#""links":[{"name":"All","address":"https://school.example/b.ics"}]"#))
    }

    /// All of the caller's are due at once; one that is paused is not.
    @Test func fetchNow() async throws {
        let town = try await TestTown.peopled()
        let mine = try await town.send(.post, "/api/v1/calendars", as: .ada, body: Self.school)
        #expect(mine.status.code == 201)
        #expect(try await town.send(.post, "/api/v1/calendars/fetch", as: .edda).status.code == 202)
        let paused = #"{"is_paused":true}"#
        let answer = try await town.send(.patch, "/api/v1/calendars/1", as: .edda, body: paused)
        #expect(answer.text.contains(#""next_at":null"#))
        #expect(town.service.takeFetch()?.calendar == 2)
        #expect(town.service.takeFetch() == nil)
    }

    @Test func whatTheCalendarSays() async throws {
        let town = try await TestTown.peopled()
        let taken = try await town.send(
            .post, "/api/v1/events/reading/take-theirs", as: .edda, body: #"{"field":"price"}"#)
        #expect(taken.text.contains(#""price":"7""#) && !taken.text.contains("sources"))
        for field in ["price", "name", "status"] {
            let again = try await town.send(
                .post, "/api/v1/events/reading/take-theirs", as: .edda, body: #"{"field":"\#(field)"}"#)
            #expect(again.status.code == 410, "\(field)")
        }
    }
}
