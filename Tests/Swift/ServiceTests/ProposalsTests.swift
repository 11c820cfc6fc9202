import Bytes
import SookeModel
import Store
import Testing

@testable import Service

/// Sending proposals.
@Suite struct ProposalsTests {
    @Test func aStrangerProposesAnEvent() async throws {
        let town = try await ServiceTown()
        let before = town.store.current
        let id = try await town.proposedEvent(ServiceTown.event(at: "zeds"))
        let proposal = try #require(town.town.proposals[id])
        #expect(proposal.about == .event && proposal.isOpen && proposal.isOfStranger)
        #expect(proposal.business == town.town.businesses[Slug("zeds")]?.id)
        #expect(proposal.text == "canary words" && proposal.email == "canary@far.example")
        #expect(proposal.sentAt == town.clock.now)
        var problems = FieldProblems()
        let patch = proposal.changes(of: Event.self, &problems)
        #expect(problems.isEmpty && patch.values.name == "Fair" && !patch.fields.contains("business"))
        // Nothing of it is public, and no address is stored.
        #expect(town.town.events.count == before.town.events.count)
        #expect(town.store.current.publicRevision == before.publicRevision)
        #expect(proposal.network?.utf8.count == 32 && proposal.network != proposal.site)
        #expect(!String(decoding: proposal.written, as: UTF8.self).contains("192."))
    }

    /// The fields of events that cannot be proposed, and all other problems at once.
    @Test func aSenderGetsAllProblems() async throws {
        let town = try await ServiceTown()
        func event(_ message: ProposalMessage, _ set: (inout Event) -> Void) async -> String {
            await town.result(of: .nobody) { [input = PatchInput<Event>(set)] in
                town.service.propose(event: input, message, for: $0)
            }
        }
        let long = ProposalMessage(text: String(repeating: "x", count: 2_001), email: "nobody")
        #expect(await event(long) { _ in } == "invalid event_type message.email message.text name slug starts_at")
        let none = ProposalMessage(text: " ", email: "")
        let refused = await event(none) { event in
            event = ServiceTown.event().patch.values
            (event.slug, event.status, event.submittedBy) = (Slug("fair"), .approved, 1)
            (event.timeZone, event.endsLocal) = ("Mars/Base", LocalTime(instant: Timestamp(clampingSeconds: 1)))
        }
        #expect(refused == "invalid ends_at slug status submitted_by time_zone")
        let invalid = "invalid business event_type name slug starts_at"
        #expect(await event(none) { $0.business = Slug("nowhere") } == invalid)
        // One that is not listed is as one that does not exist.
        #expect(await event(none) { $0.business = Slug("den") } == invalid)
        let large = await event(none) { event in
            event = ServiceTown.event().patch.values
            event.description = String(repeating: "é", count: 10_000)
        }
        #expect(large == "invalid description")
        // Escaped, each has six bytes.
        let escaped = await event(none) { event in
            event = ServiceTown.event().patch.values
            event.description = String(repeating: "\u{1}", count: 1_990)
        }
        #expect(escaped == "invalid changes")
        #expect(town.town.proposals.count == 0)
    }

    @Test func aStrangerReportsWhatIsWrong() async throws {
        let town = try await ServiceTown()
        let id = try await town.proposedChange { $0.phone = "250-555-0101" }
        let proposal = try #require(town.town.proposals[id])
        #expect(proposal.about == .business && proposal.changes == #"{"phone":"250-555-0101"}"#)
        #expect(town.town.businesses[Slug("zeds")]?.value.phone == nil)
        let words = try await town.proposedChange { _ in }
        #expect(town.town.proposals[words]?.changes == nil)

        func change(
            _ slug: String, _ message: ProposalMessage = ServiceTown.message, as caller: TestCaller = .nobody,
            _ set: (inout Business) -> Void
        ) async -> String {
            await town.result(of: caller) { [input = PatchInput<Business>(set)] in
                town.service.propose(changeTo: Slug(slug), input, message, for: $0)
            }
        }
        #expect(await change("zeds", ProposalMessage(text: "\n")) { _ in } == "invalid message.text")
        #expect(await change("nowhere") { _ in } == "notFound")
        #expect(await change("den") { _ in } == "notFound")
        #expect(await change("den", as: .mia) { _ in } == "notFound")
        #expect(await change("den", as: .olga) { _ in } == "created")
        let refused = await change("zeds") { business in
            (business.slug, business.ownerID, business.category) = (Slug("x"), 4, Slug("bars"))
            (business.email, business.confirmedBy, business.timeZone) = ("x", 4, "Mars/Base")
        }
        #expect(refused == "invalid category confirmed_by email owner_id slug time_zone")
    }

    @Test func anAccountHasAQuotaOfItsOwn() async throws {
        let town = try await ServiceTown()
        for _ in 1...5 { #expect(await town.propose(as: .mia) == "created") }
        #expect(await town.propose(as: .mia) == "limited openProposals")
        #expect(await town.propose(as: .otto) == "created")
        #expect(await town.propose() == "created")
        let own = town.town.proposals.of(account: 4)
        #expect(own.count == 5 && own.allSatisfy { $0.submittedBy == 4 && $0.network == nil })
        #expect(await town.reject(own[0].id, as: .ada) == "updated")
        #expect(await town.propose(as: .mia) == "created")
        let states = town.town.proposals.of(account: 4).map(\.state)
        #expect(states == [.open, .open, .open, .open, .open, .rejected])
    }
}
