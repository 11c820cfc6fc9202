import Bytes
import SookeModel
import Store
import Testing

@testable import Service

/// Submitting events, and decisions on them.
@Suite struct EventsTests {
    private static func event(at business: String? = nil) -> PatchInput<Event> {
        PatchInput { event in
            (event.name, event.eventType, event.startsAt) = ("Dance", Slug("sports"), ServiceTown.later)
            event.business = business.map(Slug.init(_:))
        }
    }

    /// An owner has at most 300 events that are not over; those of imports and administrators are not counted.
    @Test func futureEventsAreBounded() async throws {
        let town = try await ServiceTown()
        let limit = AccountLimits.standard.futureEvents
        _ = try await town.store.write(by: .local) { transaction in
            for number in 0..<limit {
                try transaction.create(
                    Patch<Event> { event in
                        (event.name, event.eventType, event.business) = ("E \(number)", Slug("sports"), Slug("zeds"))
                        (event.startsAt, event.submittedBy) = (ServiceTown.later, TestCaller.olga.rawValue)
                        event.status = .approved
                        if number.isMultiple(of: 2) { event.rrule = "FREQ=DAILY" }
                    })
            }
        }
        func create(_ caller: TestCaller, at moment: Timestamp, rrule: String? = nil) async -> String {
            await town.result(of: caller) { context in
                let input = PatchInput<Event> { event in
                    (event.name, event.eventType, event.business) = ("New", Slug("sports"), Slug("zeds"))
                    (event.startsAt, event.rrule) = (moment, rrule)
                }
                return town.service.createEvent(input, for: context)
            }
        }
        let past = town.clock.now.advanced(bySeconds: -86_400)
        #expect(await create(.olga, at: ServiceTown.later) == "limited futureEvents")
        #expect(await create(.olga, at: past, rrule: "FREQ=DAILY") == "limited futureEvents")
        #expect(await create(.olga, at: past) == "created")
        #expect(await create(.olga, at: past.advanced(bySeconds: -86_400), rrule: "FREQ=DAILY;COUNT=2") == "created")
        #expect(await create(.ada, at: ServiceTown.later) == "created")
        #expect(await create(.edda, at: ServiceTown.later) == "created")
        // One that is over may not be moved to the future; one that is not over may be changed.
        func move(_ slug: String, to moment: Timestamp) async -> String {
            await town.result(of: .olga) { context in
                town.service.updateEvent(Slug(slug), PatchInput<Event> { $0.startsAt = moment }, for: context)
            }
        }
        #expect(await move("new", to: ServiceTown.later) == "limited futureEvents")
        #expect(await move("e-1", to: ServiceTown.later.advanced(bySeconds: 60)) == "updated")
        #expect(await town.result(of: .olga) { town.service.deleteEvent(Slug("e-1"), for: $0) } == "deleted")
        #expect(await create(.olga, at: ServiceTown.later) == "created")
        #expect(await create(.olga, at: ServiceTown.later) == "limited futureEvents")
        // One that is cancelled does not count.
        #expect(await town.result(of: .olga) { town.service.cancelEvent(Slug("e-3"), for: $0) } == "updated")
        #expect(await create(.olga, at: ServiceTown.later) == "created")
    }

    /// Submitter and place of an event, and its status then.
    @Test(arguments: [
        (TestCaller.ada, nil, Event.Status.approved), (.ada, "anchor", .approved), (.local, "den", .approved),
        (.olga, "zeds", .approved), (.olga, "anchor", .pendingReview), (.olga, nil, .pendingReview),
        (.olga, "den", .approved), (.mia, "zeds", .pendingReview),
    ])
    func approval(caller: TestCaller, business: String?, status: Event.Status) async throws {
        let town = try await ServiceTown()
        let event = try await town.record(of: caller) {
            town.service.createEvent(Self.event(at: business), for: $0)
        }.event
        #expect(event?.status == status)
        #expect(event?.submittedBy == caller.caller.personID)
        // The address of a pending event cannot be guessed.
        #expect((event?.slug == Slug("dance")) == (status == .approved))
    }

    @Test func refusals() async throws {
        let town = try await ServiceTown()
        var slugged = Self.event()
        (slugged.patch.values.slug, slugged.patch.values.status) = (Slug("mine"), .approved)
        slugged.patch.fields.formUnion(["slug", "status"])
        #expect(await town.result(of: .mia) { town.service.createEvent(slugged, for: $0) } == "invalid slug status")
        await town.expect("invalid business", of: .mia) { town.service.createEvent(Self.event(at: "den"), for: $0) }
        #expect(await town.result(of: .nobody) { town.service.createEvent(Self.event(), for: $0) } == "loginRequired")
    }

    @Test func soManyMayWait() async throws {
        let town = try await ServiceTown()
        let waiting = town.town.hiddenEventCount(of: .pendingReview, submittedBy: TestCaller.mia.rawValue)
        for _ in waiting..<TownService.pendingEventLimit {
            #expect(await town.result(of: .mia) { town.service.createEvent(Self.event(), for: $0) } == "created")
        }
        await town.expect("limited pendingEvents", of: .mia) { town.service.createEvent(Self.event(), for: $0) }
        await town.expect("limited pendingEvents", of: .mia) { town.service.resubmitEvent(Slug("walk"), for: $0) }
        #expect(await town.result(of: .mia) { town.service.deleteEvent(Slug("quiz"), for: $0) } == "deleted")
        #expect(await town.result(of: .mia) { town.service.resubmitEvent(Slug("walk"), for: $0) } == "updated")
    }

    /// An owner who moves a public event to the business of another owner asks for a decision.
    @Test func aMovedEventWaits() async throws {
        let town = try await ServiceTown()
        let input = PatchInput<Event> { $0.business = Slug("anchor") }
        let moved = try await town.record(of: .olga) { town.service.updateEvent(Slug("gig"), input, for: $0) }.event
        #expect(moved?.status == .pendingReview && moved?.business == Slug("anchor"))
    }
}
