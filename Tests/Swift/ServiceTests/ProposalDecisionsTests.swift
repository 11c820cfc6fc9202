import Bytes
import SookeModel
import Store
import Testing

@testable import Service

/// Decisions on proposals.
@Suite struct ProposalDecisionsTests {
    /// Who decides on an event at a place, or at none, and on a change of a business.
    @Test(arguments: [
        (TestCaller.ada, "updated", "updated", "updated"), (.local, "updated", "updated", "updated"),
        (.edda, "notFound", "updated", "notFound"), (.olga, "updated", "notFound", "updated"),
        (.otto, "notFound", "notFound", "notFound"), (.mia, "forbidden", "forbidden", "forbidden"),
        (.nobody, "loginRequired", "loginRequired", "loginRequired"),
    ])
    func whoDecides(caller: TestCaller, atZeds: String, atNone: String, ofZeds: String) async throws {
        let town = try await ServiceTown()
        let placed = try await town.proposedEvent(as: .mia, ServiceTown.event(at: "zeds"))
        let free = try await town.proposedEvent(as: .mia)
        let change = try await town.proposedChange(as: .mia) { $0.phone = "1" }
        let visible = town.service.proposals(visibleTo: caller.caller, page: PageRequest(), in: town.town)
        #expect(visible.total == [atZeds, atNone, ofZeds].count { $0 == "updated" })
        #expect(visible.records.map(\.record.id) == visible.records.map(\.record.id).sorted())
        let events = [TestCaller.ada, .local, .edda, .olga].contains(caller) ? 1 : 0
        #expect(town.service.waitingCount(for: caller.caller, in: town.town) == visible.total + events)
        #expect(try await town.accept(placed, as: caller) == atZeds)
        #expect(try await town.accept(free, as: caller) == atNone)
        #expect(try await town.accept(change, as: caller) == ofZeds)
        #expect(town.service.waitingCount(for: caller.caller, in: town.town) == events)
    }

    @Test func anAcceptedEventIsPublic() async throws {
        let town = try await ServiceTown()
        let id = try await town.proposedEvent(ServiceTown.event(at: "zeds"))
        #expect(try await town.accept(id, as: .olga) == "updated")
        let event = try #require(town.town.events[Slug("fair")]?.value)
        #expect(event.status == .approved && event.business == Slug("zeds") && event.submittedBy == nil)
        #expect(event.description == "canary description")
        let closed = try #require(town.town.proposals[id])
        #expect(closed.state == .accepted && closed.event == event.id && closed.decidedBy == 2)
        #expect(closed.text == nil && closed.email == nil && closed.changes == nil)
        #expect(closed.decidedAt == town.clock.now)
        // That of a member is theirs.
        let own = try await town.proposedEvent(as: .mia)
        #expect(try await town.accept(own, as: .ada) == "updated")
        #expect(town.town.events[Slug("fair-2")]?.value.submittedBy == 4)
    }

    /// The place is the one that was meant, regardless of its slug.
    @Test func aPlaceMayBeRenamedOrDeletedMeanwhile() async throws {
        let town = try await ServiceTown()
        let id = try await town.proposedEvent(ServiceTown.event(at: "zeds"))
        let renamed = PatchInput<Business> { $0.slug = Slug("zeds-bar") }
        _ = try await town.record(of: .ada) { town.service.updateBusiness(Slug("zeds"), renamed, for: $0) }
        #expect(try await town.accept(id, as: .olga) == "updated")
        #expect(town.town.events[Slug("fair")]?.value.business == Slug("zeds-bar"))

        let homeless = try await town.proposedEvent(ServiceTown.event(at: "anchor"))
        let report = try await town.proposedChange(to: "anchor") { $0.phone = "1" }
        #expect(await town.result(of: .ada) { town.service.deleteBusiness(Slug("anchor"), for: $0) } == "deleted")
        #expect(try await town.accept(report, as: .ada) == "alreadyDecided")
        #expect(try await town.accept(homeless, as: .otto) == "notFound")
        #expect(try await town.accept(homeless, as: .ada) == "updated")
        #expect(town.town.events[Slug("fair-2")]?.value.business == nil)
    }

    @Test func anAcceptedChangeIsApplied() async throws {
        let town = try await ServiceTown()
        let id = try await town.proposedChange { ($0.phone, $0.email) = ("1", "zed@town.example") }
        #expect(try await town.accept(id, as: .olga) == "updated")
        let zeds = try #require(town.town.businesses[Slug("zeds")]?.value)
        #expect(zeds.phone == "1" && zeds.email == "zed@town.example" && zeds.ownerID == 2)
        // Words alone change nothing; but who reads them may.
        let before = zeds.written
        let words = try await town.proposedChange { _ in }
        #expect(try await town.accept(words, as: .olga) == "updated")
        #expect(town.town.businesses[Slug("zeds")]?.value.written == before)
        let more = try await town.proposedChange { _ in }
        #expect(try await town.accept(more, as: .olga, with: .business(PatchInput { $0.phone = "2" })) == "updated")
        #expect(town.town.businesses[Slug("zeds")]?.value.phone == "2")
    }

    /// Who compared a change with the business as it was does not overwrite what changed since.
    @Test func aChangeIsComparedWithTheBusiness() async throws {
        let town = try await ServiceTown()
        let id = try await town.proposedChange { $0.phone = "1" }
        let read = Precondition.Versions(digests: [try #require(town.town.businesses[Slug("zeds")]).digest])
        let version = try town.version(of: id)
        func accept(_ business: Precondition.Versions) async -> String {
            await town.result(of: .olga) {
                town.service.acceptProposal(id, versions: version, compared: business, for: $0)
            }
        }
        let phone = PatchInput<Business> { $0.phone = "2" }
        _ = try await town.record(of: .olga) { town.service.updateBusiness(Slug("zeds"), phone, for: $0) }
        #expect(await accept(read) == "preconditionFailed")
        #expect(town.town.proposals[id]?.isOpen == true)
        let current = Precondition.Versions(digests: [try #require(town.town.businesses[Slug("zeds")]).digest])
        #expect(await accept(current) == "updated")
        #expect(town.town.businesses[Slug("zeds")]?.value.phone == "1")
    }

    /// What is proposed may be edited, by the rules for the one who decides.
    @Test func whatIsEditedCounts() async throws {
        let town = try await ServiceTown()
        let id = try await town.proposedEvent(ServiceTown.event(at: "zeds"))
        func accept(as caller: TestCaller, _ set: (inout Event) -> Void) async throws -> String {
            try await town.accept(id, as: caller, with: .event(PatchInput(set)))
        }
        #expect(try await accept(as: .olga) { $0.name = "Ball" } == "invalid event_type starts_at")
        let fair = ServiceTown.event().patch.values
        #expect(try await accept(as: .olga) { ($0, $0.status) = (fair, .approved) } == "invalid status")
        #expect(try await accept(as: .olga) { ($0, $0.business) = (fair, Slug("anchor")) } == "forbidden")
        #expect(try await accept(as: .otto) { ($0, $0.business) = (fair, Slug("anchor")) } == "notFound")
        #expect(
            try await town.accept(id, as: .olga, with: .business(PatchInput { $0.phone = "1" })) == "invalid changes")
        #expect(try await accept(as: .olga) { ($0, $0.name) = (fair, "Ball") } == "updated")
        #expect(town.town.events[Slug("ball")]?.value.business == Slug("zeds"))

        let change = try await town.proposedChange { $0.phone = "1" }
        func edit(as caller: TestCaller) async throws -> String {
            try await town.accept(change, as: caller, with: .business(PatchInput { $0.category = Slug("unused") }))
        }
        #expect(try await edit(as: .olga) == "invalid category")
        #expect(try await edit(as: .ada) == "updated")
        let zeds = try #require(town.town.businesses[Slug("zeds")]?.value)
        #expect(zeds.category == Slug("unused") && zeds.phone == nil)
    }

    @Test func acceptingAnOutdatedProposalNamesTheInvalidField() async throws {
        let town = try await ServiceTown()
        let id = try await town.proposedEvent()
        let renamed = PatchInput<EventType> { $0.slug = Slug("games") }
        _ = try await town.record(of: .ada) { town.service.updateRecord(Slug("sports"), renamed, for: $0) }
        #expect(try await town.accept(id, as: .ada) == "invalid event_type")
        #expect(town.town.proposals[id]?.isOpen == true)
    }

    @Test func aDecisionIsOneInTheVersionThatWasRead() async throws {
        let town = try await ServiceTown()
        let id = try await town.proposedEvent(as: .mia)
        func accept(_ versions: Precondition.Versions?) async -> String {
            await town.result(of: .ada) { town.service.acceptProposal(id, versions: versions, for: $0) }
        }
        #expect(await accept(nil) == "preconditionRequired")
        #expect(await accept(Precondition.Versions(digests: [1])) == "preconditionFailed")
        #expect(await town.reject(id, as: .ada, reason: " \n") == "invalid reason")
        #expect(await town.reject(id, as: .ada, reason: String(repeating: "x", count: 2_001)) == "invalid reason")
        // Of many at once, one decides.
        let version = try town.version(of: id)
        let (service, context) = (town.service, town.context(.ada))
        let words = await withTaskGroup(of: String.self) { group in
            for number in 0..<16 {
                let decision =
                    number.isMultiple(of: 2)
                    ? service.acceptProposal(id, versions: version, for: context)
                    : service.rejectProposal(id, reason: "no", for: context)
                group.addTask {
                    do throws(ServiceError) {
                        return try await service.run(decision, for: context).word
                    } catch {
                        return error.word
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(words.count { $0 == "updated" } == 1 && words.count { $0 == "alreadyDecided" } == 15)
        #expect(town.town.events.inOrderOfID.count { $0.value.name == "Fair" } <= 1)
        #expect(await town.reject(99, as: .ada) == "notFound")
    }

    /// An owner has some days before somebody else decides on what concerns their business.
    @Test func ownersDecideFirst() async throws {
        let town = try await ServiceTown()
        let version = town.town
        let mia = try #require(version.people[4])
        func mayDecide(_ business: String?, after days: Int) -> Bool {
            var proposal = Proposal()
            (proposal.business, proposal.sentAt) = (
                business.flatMap { version.businesses[Slug($0)]?.id }, town.clock.now
            )
            let now = town.clock.now.advanced(bySeconds: days * 86_400)
            return Decider(isSuperAdmin: false, isEditor: true, mia, in: version, at: now).mayDecide(on: proposal)
        }
        #expect(mayDecide(nil, after: 0))
        #expect(!mayDecide("zeds", after: 0) && !mayDecide("zeds", after: 2) && mayDecide("zeds", after: 3))
    }

    /// The address of a sender is for those who decide, and only until they have.
    @Test func theAddressGoesWithTheDecision() async throws {
        let town = try await ServiceTown()
        let id = try await town.proposedEvent(ServiceTown.event(at: "zeds"))
        for caller in [TestCaller.otto, .mia, .nobody] {
            #expect(throws: ServiceError.self) { try town.service.proposal(id, for: caller.caller, in: town.town) }
        }
        let seen = try town.service.proposal(id, for: TestCaller.olga.caller, in: town.town)
        #expect(seen.record.email == "canary@far.example" && seen.business?.slug == Slug("zeds"))
        #expect(await town.reject(id, as: .olga, reason: "") == "updated")
        let closed = try #require(town.town.proposals[id])
        #expect(closed.email == nil && closed.text == nil && closed.changes == nil)
        #expect(closed.reason == nil && closed.decidedBy == 2)
    }
}
