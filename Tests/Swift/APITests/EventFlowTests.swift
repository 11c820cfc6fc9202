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

    @Test(arguments: steps)
    func stepsLeadFromStatusToStatus(from: Event.Status, step: String, to: Event.Status?) async throws {
        let town = try await TestTown.peopled()
        try await town.put(from, on: "quiz")
        let body = step == "reject" ? #"{"reason":"no room"}"# : step == "approve" ? try town.version(of: "quiz") : ""
        let response = try await town.send(.post, "/api/v1/events/quiz/\(step)", as: .olga, body: body)
        #expect(response.status.code == (to == nil ? 409 : 200))
        #expect(response.errorCode == (to == nil ? "wrong_status" : nil))
        let event = try #require(town.store.current.town.events[Slug("quiz")]?.value)
        #expect(event.status == to ?? from)
        #expect(event.reason == (to == .rejected ? "no room" : nil))
    }

    /// Who may read an event of each status, in its detail and in the list of that status: nobody, Mia who submitted
    /// it, Olga who owns its business, the unrelated Otto, Edda, Ada and the owner of the folder.
    static let visibility: [(status: Event.Status, sees: [Bool])] = [
        (.draft, [false, true, true, false, true, true, true]),
        (.pendingReview, [false, true, true, false, true, true, true]),
        (.rejected, [false, true, true, false, true, true, true]),
        (.approved, [true, true, true, true, true, true, true]),
        (.cancelled, [true, true, true, true, true, true, true]),
    ]

    @Test(arguments: visibility)
    func whoSees(status: Event.Status, sees: [Bool]) async throws {
        let town = try await TestTown.peopled()
        try await town.put(status, on: "quiz")
        for (caller, sees) in zip(TestCaller.allCases, sees) {
            let detail = try await town.send(.get, "/api/v1/events/quiz", as: caller)
            #expect(detail.status.code == (sees ? 200 : 404), "\(caller)")
            let list = try await town.send(.get, "/api/v1/events?status=\(status.rawValue)&per_page=100", as: caller)
            #expect(list.text.contains(#""slug":"quiz""#) == sees, "\(caller)")
            #expect(list.status.code == (caller == .nobody && !status.isPublic ? 401 : 200))
            let calendar = try await town.send(.get, "/api/v1/events?per_page=100", as: caller)
            #expect(calendar.text.contains(#""slug":"quiz""#) == (status == .approved))
        }
        let wrong = try await town.send(.get, "/api/v1/events?status=secret", as: .ada)
        #expect(wrong.errorCode == "invalid_parameter")
    }

    /// An event of a caller who may decide at its place is approved at once; others wait.
    @Test(arguments: [
        (TestCaller.mia, "zeds", Event.Status.pendingReview), (.olga, "zeds", .approved),
        (.otto, "zeds", .pendingReview), (.ada, "zeds", .approved), (.folder, "zeds", .approved),
        (.olga, "", .pendingReview), (.ada, "", .approved), (.edda, "zeds", .approved), (.edda, "", .approved),
    ])
    func aSubmission(by caller: TestCaller, at place: String, becomes status: Event.Status) async throws {
        let town = try await TestTown.peopled()
        let business = place.isEmpty ? "null" : "\"\(place)\""
        let response = try await town.submit("Fair", at: business, as: caller)
        #expect(response.status.code == 201)
        let slug = try town.slug(ofEvent: "Fair")
        #expect(response.headers.first("Location") == "/api/v1/events/" + slug)
        #expect(status == .approved ? slug == "fair" : slug.wholeMatch(of: /fair-[0-9a-f]{16}/) != nil)
        let event = try #require(town.store.current.town.events[Slug(slug)]?.value)
        #expect(event.status == status)
        #expect(event.submittedBy == caller.person)
    }

    /// A business that is not listed is visible to its owner only; for others even the message is the same as for one
    /// that does not exist.
    @Test(arguments: [
        (HTTP.Method.post, "/api/v1/events"), (.patch, "/api/v1/events/gig"), (.patch, "/api/v1/events/quiz"),
    ])
    func aHiddenBusinessIsNotThere(method: HTTP.Method, target: String) async throws {
        let town = try await TestTown.peopled()
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.upsert(.event, #"{"slug":"quiz","submitted_by":3}"#)
            try transaction.upsert(.event, #"{"slug":"gig","business":"anchor"}"#)
        }
        func body(_ business: String, _ fields: String = #""event_type":"sports""#) -> String {
            #"{"name":"Fair",\#(fields),"business":"\#(business)","starts_at":"2035-07-01T10:00:00Z"}"#
        }
        let requestID = /"request_id":"[0-9a-f]+"/
        let bad = #""event_type":"nope","latitude":1,"ends_at":"2035-01-01T00:00:00Z","slug":"a/b""#
        for fields in [#""event_type":"sports""#, bad] {
            let id = [("X-Request-ID", "one")]
            let unknown = try await town.send(method, target, as: .otto, id, body: body("nada", fields))
            let hidden = try await town.send(method, target, as: .otto, id, body: body("den", fields))
            #expect(hidden.status.code == 422)
            #expect(hidden.text.contains(#""business":"there is no business \"den\"""#))
            let (found, expected) = (hidden.text, unknown.text.replacingOccurrences(of: "nada", with: "den"))
            #expect(found.replacing(requestID, with: "") == expected.replacing(requestID, with: ""))
        }
        for caller in [TestCaller.olga, .ada] where method == .post || caller == .ada {
            let seen = try await town.send(method, target, as: caller, body: body("den"))
            #expect(seen.status.code < 300, "\(seen.text)")
            #expect(seen.text.contains(#""business_name":"Den""#))
        }
    }

    /// The slug of a pending event cannot be guessed, and nothing else reveals the event.
    @Test func thePendingAreNotFoundByTheirNames() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.submit("Secret Fair", at: "null", as: .mia).status.code == 201)
        let pending = try town.slug(ofEvent: "Secret Fair")
        #expect(try await town.send(.get, "/api/v1/events/secret-fair", as: .otto).status.code == 404)
        // Neither -2 nor 409 reveals it.
        let body = #"{"name":"Secret Fair","event_type":"sports","business":"zeds","starts_at":"2035-07-01T10:00:00Z"}"#
        let named = try await town.send(.post, "/api/v1/events", as: .olga, body: body)
        #expect(named.headers.first("Location") == "/api/v1/events/secret-fair")
        let set = body.replacingOccurrences(of: "\"name\"", with: #""slug":"fair","name""#)
        #expect(try await town.send(.post, "/api/v1/events", as: .olga, body: set).status.code == 201)
        // A submitter cannot choose the slug.
        for (method, target, given) in [
            (HTTP.Method.post, "/api/v1/events", set), (.patch, "/api/v1/events/" + pending, #"{"slug":"x"}"#),
            (.patch, "/api/v1/events/" + pending, #"{"slug":null}"#),
            (.patch, "/api/v1/events/" + pending, #"{"slug":"gig"}"#),
        ] {
            let refused = try await town.send(method, target, as: .mia, body: given)
            #expect(refused.status.code == 422)
            #expect(refused.text.contains(#""fields":{"slug":"cannot be given"#))
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

    /// A repeated approval gets the same response, although the address has changed.
    @Test func anApprovalMayBeRepeated() async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.submit("Fair", at: #""zeds""#, as: .mia).status.code == 201)
        let pending = try town.slug(ofEvent: "Fair")
        let (body, key) = (try town.version(of: pending), [("Idempotency-Key", "k")])
        let path = "/api/v1/events/\(pending)/approve"
        let first = try await town.send(.post, path, as: .olga, key, body: body)
        #expect(first.status == .ok && first.text.contains(#""slug":"fair""#))
        #expect(try await town.send(.post, path, as: .olga, key, body: body).body == first.body)
    }

    /// An event at a business that was hidden stays there, and may be changed as before.
    @Test func anEventStaysAtABusinessThatIsHidden() async throws {
        let town = try await TestTown.peopled()
        #expect(
            try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: #"{"category":null}"#).status == .ok)
        let body = #"{"business":"zeds","description":"x"}"#
        let changed = try await town.send(.patch, "/api/v1/events/quiz", as: .mia, body: body)
        #expect(changed.status == .ok)
        #expect(changed.text.contains(#""business_slug":"zeds""#))
        #expect(try await town.send(.get, "/api/v1/events/gig").text.contains(#""business_slug":"zeds""#))
    }

    @Test func aRejectedEventGoesElsewhere() async throws {
        let town = try await TestTown.peopled()
        let rejected = try await town.send(
            .post, "/api/v1/events/quiz/reject", as: .olga, body: #"{"reason":"We are full"}"#)
        #expect(rejected.text.contains(#""reason":"We are full""#))
        #expect(try await town.send(.get, "/api/v1/events/quiz", as: .mia).text.contains("We are full"))
        let moved = try await town.send(.patch, "/api/v1/events/quiz", as: .mia, body: #"{"business":"anchor"}"#)
        #expect(moved.status.code == 200)
        #expect(try await town.send(.post, "/api/v1/events/quiz/resubmit", as: .mia).status.code == 200)
        #expect(try await town.approve("quiz", as: .olga).status.code == 404)
        let approved = try await town.approve("quiz", as: .otto)
        #expect(approved.status.code == 200)
        #expect(!approved.text.contains("reason"))
        #expect(try await town.send(.get, "/api/v1/events/quiz").text.contains(#""business_slug":"anchor""#))
    }

    /// A public event that moves to the business of another owner waits for their decision.
    @Test(arguments: [Event.Status.approved, .cancelled], [#""anchor""#, "null"])
    func aPublicEventIsMoved(status: Event.Status, to place: String) async throws {
        let town = try await TestTown.peopled()
        try await town.put(status, on: "gig")
        let body = #"{"business":\#(place)}"#
        #expect(try await town.send(.patch, "/api/v1/events/gig", as: .olga, body: body).status.code == 200)
        #expect(town.store.current.town.events[Slug("gig")]?.value.status == .pendingReview)
        #expect(try await town.send(.get, "/api/v1/events/gig").status.code == 404)
    }

    @Test func fiveEventsOfAPersonMayWait() async throws {
        let town = try await TestTown.peopled()
        for number in 2...5 {
            #expect(try await town.submit("Fair \(number)", at: "null", as: .mia).status.code == 201)
        }
        let before = town.store.current.sequence
        let refused = try await town.submit("Fair 6", at: "null", as: .mia)
        #expect(refused.status.code == 429)
        #expect(refused.errorCode == "too_many_pending")
        #expect(refused.headers.first("Retry-After") == "3600")
        let again = try await town.send(.post, "/api/v1/events/walk/resubmit", as: .mia)
        #expect(again.errorCode == "too_many_pending")
        #expect(town.store.current.sequence == before)
        #expect(try await town.submit("Fair 6", at: "null", as: .otto).status.code == 201)
        // A withdrawn event makes room.
        #expect(try await town.send(.delete, "/api/v1/events/quiz", as: .mia).status.code == 204)
        #expect(try await town.submit("Fair 6", at: "null", as: .mia).status.code == 201)
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
            #expect(moved.errorCode == (number < 6 ? nil : "too_many_pending"))
        }
    }

    /// A general user who owns a business may not manage it without the role of an owner.
    @Test func theRoleOfAnOwnerCounts() async throws {
        let town = try await TestTown.peopled()
        let demoted = try await town.send(
            .post, "/api/v1/users/2/promote", as: .ada, body: #"{"role":"general_user"}"#)
        #expect(demoted.status.code == 200)
        let requests: [(HTTP.Method, String, Int)] = [
            (.patch, "/api/v1/businesses/zeds", 403), (.patch, "/api/v1/businesses/den", 404),
            (.get, "/api/v1/businesses/den", 404), (.post, "/api/v1/events/quiz/approve", 404),
        ]
        for (method, target, status) in requests {
            #expect(try await town.send(method, target, as: .olga, body: "{}").status.code == status, "\(target)")
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
