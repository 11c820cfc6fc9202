import Foundation
import HTTP
import SookeModel
import Store
import Testing

@testable import API

/// An event from its submission to publication. Permissions are in `AccessTests`.
@Suite struct EventFlowTests {
    /// The status after each step from each status; nil is 409 `wrong_status`.
    static let steps: [(from: Event.Status, step: String, to: Event.Status?)] = [
        (.draft, "approve", .approved), (.draft, "reject", nil), (.draft, "cancel", nil),
        (.draft, "resubmit", .pendingReview),
        (.pendingReview, "approve", .approved), (.pendingReview, "reject", .rejected),
        (.pendingReview, "cancel", nil), (.pendingReview, "resubmit", nil),
        (.approved, "approve", nil), (.approved, "reject", .rejected), (.approved, "cancel", .cancelled),
        (.approved, "resubmit", nil),
        (.rejected, "approve", .approved), (.rejected, "reject", nil), (.rejected, "cancel", nil),
        (.rejected, "resubmit", .pendingReview),
        (.cancelled, "approve", nil), (.cancelled, "reject", nil), (.cancelled, "cancel", nil),
        (.cancelled, "resubmit", nil),
    ]

    @Test func stepsLeadFromStatusToStatus() async throws {
        let town = try await TestTown.peopled()
        for (from, step, to) in Self.steps {
            let cell: Comment = "\(step) of \(from)"
            try await town.put(from, on: "quiz")
            let version = try town.version(of: "quiz")
            let body = step == "reject" ? #"{"reason":"no room"}"# : step == "approve" ? version : ""
            let response = try await town.send(.post, "/api/v1/events/quiz/\(step)", as: .olga, body: body)
            #expect(response.status.code == (to == nil ? 409 : 200), cell)
            #expect(response.errorCode == (to == nil ? "wrong_status" : nil), cell)
            let event = try #require(town.store.current.town.events[Slug("quiz")]?.value)
            #expect(event.status == to ?? from, cell)
            if to != nil { #expect(event.reason == (to == .rejected ? "no room" : nil), cell) }
        }
    }

    /// Who may read an event of each status, in its detail and in lists.
    @Test(arguments: [
        (Event.Status.draft, Rights.hiddenEvent), (.pendingReview, .hiddenEvent), (.rejected, .hiddenEvent),
        (.approved, .everyone), (.cancelled, .everyone),
    ])
    func whoSees(status: Event.Status, rights: Rights) async throws {
        let town = try await TestTown.peopled()
        try await town.put(status, on: "quiz")
        for caller in TestCaller.allCases {
            let expected = rights.status(caller, otherwise: 200)
            #expect(try await town.send(.get, "/api/v1/events/quiz", as: caller).status.code == expected, "\(caller)")
            let list = try await town.send(.get, "/api/v1/events?status=\(status.rawValue)&per_page=100", as: caller)
            #expect(list.text.contains(#""slug":"quiz""#) == (expected == 200), "\(caller)")
            #expect(list.status.code == (caller == .nobody && !status.isPublic ? 401 : 200))
            let calendar = try await town.send(.get, "/api/v1/events?per_page=100", as: caller)
            #expect(calendar.text.contains(#""slug":"quiz""#) == (status == .approved))
        }
        let wrong = try await town.send(.get, "/api/v1/events?status=secret", as: .ada)
        #expect(wrong.errorCode == "invalid_parameter")
    }

    /// A business that is not listed is visible to its owner only; for others even the message is the same as for one
    /// that does not exist.
    @Test(arguments: [(HTTP.Method.post, "/api/v1/events"), (.patch, "/api/v1/events/quiz")])
    func aHiddenBusinessIsNotThere(method: HTTP.Method, target: String) async throws {
        let town = try await TestTown.peopled()
        _ = try await town.store.write(by: .local) { try $0.upsert(.event, #"{"slug":"quiz","submitted_by":3}"#) }
        func body(_ business: String, _ fields: String) -> String {
            #"{"name":"Fair",\#(fields),"business":"\#(business)","starts_at":"2035-07-01T10:00:00Z"}"#
        }
        let bad = #""event_type":"nope","latitude":1,"ends_at":"2035-01-01T00:00:00Z","slug":"a/b""#
        for fields in [#""event_type":"sports""#, bad] {
            let id = [("X-Request-ID", "one")]
            let unknown = try await town.send(method, target, as: .otto, id, body: body("nada", fields))
            let hidden = try await town.send(method, target, as: .otto, id, body: body("den", fields))
            #expect(hidden.status.code == 422)
            #expect(hidden.text.contains(#""business":"there is no business \"den\"""#))
            #expect(hidden.text == unknown.text.replacingOccurrences(of: "nada", with: "den"))
        }
        let seen = try await town.send(method, target, as: .ada, body: body("den", #""event_type":"sports""#))
        #expect(seen.status.code < 300 && seen.text.contains(#""business_name":"Den""#), "\(seen.text)")
    }

    /// The slug of a pending event cannot be guessed, and nothing else reveals the event.
    @Test func thePendingAreNotFoundByTheirNames() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.submit("Secret Fair", at: "null", as: .mia).status.code == 201)
        let pending = try town.slug(ofEvent: "Secret Fair")
        #expect(pending.wholeMatch(of: /secret-fair-[0-9a-f]{16}/) != nil)
        #expect(try await town.send(.get, "/api/v1/events/secret-fair", as: .otto).status.code == 404)
        // Neither -2 nor 409 reveals it.
        let body = #"{"name":"Secret Fair","event_type":"sports","business":"zeds","starts_at":"2035-07-01T10:00:00Z"}"#
        let named = try await town.send(.post, "/api/v1/events", as: .olga, body: body)
        #expect(named.headers.first("Location") == "/api/v1/events/secret-fair")
        // A submitter cannot choose the slug.
        for slug in [#""x""#, "null", #""gig""#] {
            let refused = try await town.send(
                .patch, "/api/v1/events/" + pending, as: .mia, body: #"{"slug":\#(slug)}"#)
            #expect(refused.status.code == 422 && refused.text.contains(#""fields":{"slug":"cannot be given"#))
        }
        let same = try await town.send(
            .patch, "/api/v1/events/" + pending, as: .mia, body: #"{"name":"Fete","slug":"\#(pending)"}"#)
        #expect(same.status == .ok)
        // Approval assigns the next free slug of the name; the old address redirects those who know it.
        let approved = try await town.approve(pending, as: .ada)
        #expect(approved.status == .ok && approved.text.contains(#""slug":"fete""#))
        for (caller, status) in [(TestCaller.nobody, 404), (.otto, 404), (.mia, 301), (.ada, 301), (.folder, 301)] {
            let old = try await town.send(.get, "/api/v1/events/" + pending, as: caller)
            #expect(old.status.code == status, "\(caller)")
            #expect(old.headers.first("Location") == (status == 301 ? "/api/v1/events/fete" : nil))
            #expect(try await town.send(.get, "/api/v1/events/fete", as: caller).status.code == 200)
            let history = try await town.send(.get, "/api/v1/history?of=events/" + pending, as: caller)
            #expect(history.status.code == (caller == .nobody ? 401 : status == 404 ? 404 : 200), "\(caller)")
        }
        #expect(try await town.send(.delete, "/api/v1/events/" + pending, as: .otto).status.code == 404)
        #expect(try await town.send(.delete, "/api/v1/events/fete", as: .otto).status.code == 403)
        #expect(town.store.current.town.events[Slug("fete")]?.value.formerSlugs == [])
    }

    /// The former address of a public event redirects to it, also when other events have its name.
    @Test func aFormerAddressIsNotTakenOver() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.patch, "/api/v1/events/gig", as: .ada, body: #"{"slug":"jam"}"#).status == .ok)
        #expect(try await town.submit("Gig", at: "null", as: .mia).status.code == 201)
        let pending = try #require(
            town.store.current.town.events.inOrderOfID.map(\.value.slug.text).first { $0.hasPrefix("gig-") })
        _ = try await town.store.write(by: .local) { transaction in
            // An imported one keeps its slug, and is hidden there, too.
            try transaction.upsert(
                .event, #"{"name":"Gig","slug":"gig","event_type":"sports","starts_at":"2035-07-01T10:00:00Z"}"#)
        }
        for _ in 1...2 {
            let former = try await town.send(.get, "/api/v1/events/gig")
            #expect(former.status.code == 301)
            #expect(former.headers.first("Location") == "/api/v1/events/jam")
        }
        #expect(try await town.send(.delete, "/api/v1/events/gig", as: .ada).status.code == 204)
        #expect(try await town.approve(pending, as: .ada).text.contains(#""slug":"gig-2""#))
        #expect(try await town.send(.get, "/api/v1/events/gig").headers.first("Location") == "/api/v1/events/jam")
    }

    /// Only the version that was read can be approved.
    @Test func anApprovalNamesTheVersionThatWasRead() async throws {
        let town = try await TestTown.peopled()
        let path = "/api/v1/events/quiz/approve"
        let read = try #require(try await town.send(.get, "/api/v1/events/quiz", as: .olga).headers.first("ETag"))
        let version = try town.version(of: "quiz")
        #expect(read.hasPrefix("\"" + version.dropFirst(12).prefix(16) + "."))
        let before = town.store.current.sequence
        for (field, body) in [(nil, ""), (nil, "{}"), ("*", ""), ("*", "{}")] as [(String?, String)] {
            let none = try await town.send(.post, path, as: .olga, field.map { [("If-Match", $0)] } ?? [], body: body)
            #expect(none.status.code == 428 && none.errorCode == "precondition_required")
        }
        #expect(town.store.current.sequence == before)
        #expect(
            try await town.send(.patch, "/api/v1/events/quiz", as: .mia, body: #"{"description":"!"}"#).status == .ok)
        for (field, body) in [(read, ""), (read, "{}"), ("\"x\"", try town.version(of: "quiz"))] {
            let stale = try await town.send(.post, path, as: .olga, [("If-Match", field)], body: body)
            #expect(stale.status.code == 412)
        }
        for body in [version, #"{"version":""}"#, #"{"version":"\""}"#, #"{"version":"."}"#] {
            #expect(try await town.send(.post, path, as: .olga, body: body).status.code == 412, "\(body)")
        }
        let now = try #require(try await town.send(.get, "/api/v1/events/quiz", as: .olga).headers.first("ETag"))
        #expect(try await town.send(.post, path, as: .olga, [("If-Match", "W/" + now)]).status == .ok)
        #expect(town.store.current.town.events[Slug("quiz")]?.value.status == .approved)
    }

    /// Moving approved events to another owner's business counts for the limit.
    @Test func movingCountsAsSubmitting() async throws {
        let town = try await TestTown.peopled()
        for number in 1...6 {
            #expect(try await town.submit("Fair \(number)", at: #""zeds""#, as: .olga).status.code == 201)
        }
        for number in 1...6 {
            let moved = try await town.send(
                .patch, "/api/v1/events/fair-\(number)", as: .olga, body: #"{"business":"anchor"}"#)
            #expect(moved.status.code == (number < 6 ? 200 : 429))
            #expect(moved.errorCode == (number < 6 ? nil : "too_many_pending"))
            #expect(moved.headers.first("Retry-After") == (number < 6 ? nil : "3600"))
        }
    }
}

extension TestTown {
    /// Sets the status of an event in the store.
    func put(_ status: Event.Status, on slug: String) async throws {
        _ = try await store.write(by: .local) { transaction in
            try transaction.upsert(.event, #"{"slug":"\#(slug)","status":"\#(status.rawValue)"}"#)
        }
    }

    /// Submits an event; the place is JSON.
    func submit(_ name: String, at place: String, as caller: TestCaller) async throws -> Response {
        let body =
            #"{"name":"\#(name)","event_type":"sports","business":\#(place),"starts_at":"2035-07-01T10:00:00Z"}"#
        return try await send(.post, "/api/v1/events", as: caller, body: body)
    }
}
