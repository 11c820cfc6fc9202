import HTTP
import SookeModel
import Store
import Testing

@testable import API

/// The way of an event from its submission to the public. What each caller may is in `AccessTests`.
@Suite struct EventFlowTests {
    /// From each status, the status that each step leads to; nil is 409 `wrong_status`.
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
        let body = step == "reject" ? #"{"reason":"no room"}"# : ""
        let response = try await town.send(.post, "/api/v1/events/quiz/\(step)", as: .olga, body: body)
        #expect(response.status.code == (to == nil ? 409 : 200))
        #expect(response.errorCode == (to == nil ? "wrong_status" : nil))
        let event = try #require(town.store.current.community.events[Slug("quiz")]?.value)
        #expect(event.status == to ?? from)
        #expect(event.reason == (to == .rejected ? "no room" : nil))
    }

    /// Who sees an event of each status, in its detail and in the list of that status: nobody, Mia who submitted it,
    /// Olga whose place it is, Otto who has nothing to do with it, Ada and the owner of the folder.
    static let visibility: [(status: Event.Status, sees: [Bool])] = [
        (.draft, [false, true, true, false, true, true]),
        (.pendingReview, [false, true, true, false, true, true]),
        (.rejected, [false, true, true, false, true, true]),
        (.approved, [true, true, true, true, true, true]),
        (.cancelled, [true, true, true, true, true, true]),
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

    /// Who decides at a place need not ask; everybody else waits for who does.
    @Test(arguments: [
        (TestCaller.mia, "zeds", Event.Status.pendingReview), (.olga, "zeds", .approved),
        (.otto, "zeds", .pendingReview), (.ada, "zeds", .approved), (.folder, "zeds", .approved),
        (.olga, "", .pendingReview), (.ada, "", .approved),
    ])
    func aSubmission(by caller: TestCaller, at place: String, becomes status: Event.Status) async throws {
        let town = try await TestTown.peopled()
        let business = place.isEmpty ? "null" : "\"\(place)\""
        let response = try await town.submit("Fair", at: business, as: caller)
        #expect(response.status.code == 201)
        #expect(response.headers.first("Location") == "/api/v1/events/fair")
        let event = try #require(town.store.current.community.events[Slug("fair")]?.value)
        #expect(event.status == status)
        #expect(event.submittedBy == caller.person)
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
        #expect(try await town.send(.post, "/api/v1/events/quiz/approve", as: .olga).status.code == 404)
        let approved = try await town.send(.post, "/api/v1/events/quiz/approve", as: .otto)
        #expect(approved.status.code == 200)
        #expect(!approved.text.contains("reason"))
        #expect(try await town.send(.get, "/api/v1/events/quiz").text.contains(#""business_slug":"anchor""#))
    }

    /// An event that is public at one's own place does not come to another's without a word from there.
    @Test(arguments: [Event.Status.approved, .cancelled], [#""anchor""#, "null"])
    func aPublicEventIsMoved(status: Event.Status, to place: String) async throws {
        let town = try await TestTown.peopled()
        try await town.put(status, on: "gig")
        let body = #"{"business":\#(place)}"#
        #expect(try await town.send(.patch, "/api/v1/events/gig", as: .olga, body: body).status.code == 200)
        #expect(town.store.current.community.events[Slug("gig")]?.value.status == .pendingReview)
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
        // One that is withdrawn makes room.
        #expect(try await town.send(.delete, "/api/v1/events/quiz", as: .mia).status.code == 204)
        #expect(try await town.submit("Fair 6", at: "null", as: .mia).status.code == 201)
    }

    /// Moving what was approved at once to another's door is no way around the limit.
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

    /// A general user to whom a business was given does not look after it until they are an owner by role as well.
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
    /// Gives an event a status, by hand.
    func put(_ status: Event.Status, on slug: String) async throws {
        _ = try await store.write(by: .local) { edit in
            try edit.upsert(.event, #"{"slug":"\#(slug)","status":"\#(status.rawValue)"}"#)
        }
    }

    /// Submits an event; the place is JSON.
    func submit(_ name: String, at place: String, as caller: TestCaller) async throws -> Response {
        let body =
            #"{"name":"\#(name)","event_type":"sports","business":\#(place),"starts_at":"2035-07-01T10:00:00Z"}"#
        return try await send(.post, "/api/v1/events", as: caller, body: body)
    }
}
