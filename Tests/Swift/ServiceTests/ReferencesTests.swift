import Bytes
import SookeModel
import Testing

@testable import Service
@testable import Store

/// The link by which the sender of a proposal comes back.
@Suite struct ReferencesTests {
    private static let day = 86_400

    /// Proposes an event with a new reference.
    private func sent(
        _ input: PatchInput<Event> = ServiceTown.event(), in town: ServiceTown, with token: Token? = nil
    ) async throws -> (id: Int, token: Token) {
        let token = try token ?? Token(.reference)
        let message = ProposalMessage(text: "canary words", email: "canary@far.example", reference: token)
        return (try await town.record(of: .nobody) { town.service.propose(event: input, message, for: $0) }.id, token)
    }

    private func correct(
        _ token: Token, in town: ServiceTown, _ input: PatchInput<Event>
    ) async -> String {
        let message = ProposalMessage(text: "corrected words", reference: token, isCorrection: true)
        return await town.result(of: .nobody, from: [198, 51, 100, 7]) {
            town.service.propose(event: input, message, for: $0)
        }
    }

    private func found(_ token: Token, in town: ServiceTown) -> Proposal? {
        try? town.service.proposal(by: token, in: town.town).joined.record
    }

    /// Only who has the whole secret, and not the digest that is stored.
    @Test func nobodyElseFindsIt() async throws {
        let town = try await ServiceTown()
        let (id, token) = try await sent(in: town)
        #expect(found(token, in: town)?.id == id)
        #expect(found(try Token(.reference), in: town) == nil)
        let stored = try #require(Array(town.town.credentials.inOrderOfID).last)
        #expect(stored.purpose == .reference && stored.proposal == id && stored.person == nil)
        #expect(stored.digest == token.digest && !String(decoding: stored.written, as: UTF8.self).contains("sooke_ref"))
        // It opens nothing else, and no other link opens it.
        #expect(throws: ServiceError.self) { try town.service.authenticate(token, in: town.store.current) }
        #expect(throws: ServiceError.self) { try town.service.link(token.reveal(), for: .confirmation, in: town.town) }
        let confirmation = try await town.service.issueConfirmationLink(Slug("zeds"), for: town.context(.ada)).token
        #expect(found(confirmation, in: town) == nil)
    }

    @Test func itEndsAfterAMonth() async throws {
        let town = try await ServiceTown()
        let (_, token) = try await sent(in: town)
        town.clock.advance(bySeconds: 30 * Self.day - 1)
        #expect(found(token, in: town) != nil)
        town.clock.advance(bySeconds: 1)
        #expect(found(token, in: town) == nil)
        #expect(await correct(token, in: town, ServiceTown.event("Other")) == "notFound")
        #expect(await town.result(of: .nobody) { town.service.withdrawProposal(by: token, for: $0) } == "notFound")
    }

    /// Also from another network, such as that of a phone.
    @Test func aFormThatIsSentTwiceMakesOneProposal() async throws {
        let town = try await ServiceTown()
        let (id, token) = try await sent(in: town)
        let again = try await sent(ServiceTown.event("Fair at Noon"), in: town, with: token)
        #expect(again.id == id && town.town.proposals.count == 1 && town.town.receipts.count == 0)
        #expect(found(token, in: town)?.changes?.contains("Fair at Noon") == true)
        #expect(await town.reject(id, as: .ada) == "updated")
        let message = ProposalMessage(reference: token)
        await town.expect("keyReused", of: .nobody) {
            town.service.propose(event: ServiceTown.event(), message, for: $0)
        }
    }

    @Test func aCorrectionBeforeTheDecisionTakesItsPlace() async throws {
        let town = try await ServiceTown()
        let (id, token) = try await sent(in: town)
        let first = try #require(found(token, in: town))
        #expect(await correct(token, in: town, ServiceTown.event("Feast", at: "zeds")) == "created")
        let proposal = try #require(found(token, in: town))
        #expect(proposal.id == id && proposal.text == "corrected words" && proposal.email == "canary@far.example")
        #expect(proposal.sentAt == first.sentAt && proposal.network == first.network)
        #expect(proposal.business == town.town.businesses[Slug("zeds")]?.id)
        #expect(await correct(token, in: town, PatchInput { $0.name = "" }) == "invalid event_type name slug starts_at")
        // A report is another form.
        let message = ProposalMessage(text: "x", reference: token, isCorrection: true)
        await town.expect("notFound", of: .nobody) {
            town.service.propose(changeTo: Slug("zeds"), PatchInput { _ in }, message, for: $0)
        }
        #expect(try await town.accept(id, as: .olga) == "updated")
        #expect(town.town.events[Slug("feast")]?.value.business == Slug("zeds"))
    }

    /// What is published stays until somebody has decided.
    @Test func aCorrectionAfterwardsIsANewProposal() async throws {
        let town = try await ServiceTown()
        let (id, token) = try await sent(ServiceTown.event(at: "zeds"), in: town)
        #expect(try await town.accept(id, as: .olga) == "updated")
        let published = try #require(town.town.events[Slug("fair")])
        let empty = ProposalMessage(reference: token, isCorrection: true)
        await town.expect("invalid message.text", of: .nobody) {
            town.service.propose(event: PatchInput { _ in }, empty, for: $0)
        }
        #expect(await correct(token, in: town, PatchInput { $0.name = "Fête" }) == "created")
        let correction = try #require(found(token, in: town))
        #expect(correction.id != id && correction.isOpen && correction.event == published.id)
        #expect(correction.business == published.businessID && correction.changes == #"{"name":"Fête"}"#)
        #expect(town.town.events[published.id]?.value.written == published.value.written)
        #expect(town.town.proposals[id]?.state == .accepted)
        // Once more, before it is decided.
        #expect(await correct(token, in: town, PatchInput { $0.price = "free" }) == "created")
        #expect(found(token, in: town)?.id == correction.id && town.town.proposals.openCount == 1)
        // Who decides at the place does, in the version of the event that they saw.
        #expect(try await town.accept(correction.id, as: .otto) == "notFound")
        let version = try town.version(of: correction.id)
        await town.expect("preconditionFailed", of: .olga) { context in
            town.service.acceptProposal(
                correction.id, versions: version, compared: Precondition.Versions(digests: [1]), for: context)
        }
        #expect(try await town.accept(correction.id, as: .olga) == "updated")
        let event = try #require(town.town.events[published.id]?.value)
        #expect(event.name == "Fair" && event.price == "free" && event.slug == Slug("fair"))
        #expect(found(token, in: town)?.state == .accepted)
    }

    /// Nobody publishes at a place of others by a correction.
    @Test func aCorrectionToAnotherPlaceIsForBoth() async throws {
        let town = try await ServiceTown()
        let (id, token) = try await sent(ServiceTown.event(at: "zeds"), in: town)
        #expect(try await town.accept(id, as: .olga) == "updated")
        #expect(await correct(token, in: town, PatchInput { $0.business = Slug("anchor") }) == "created")
        let correction = try #require(found(token, in: town)).id
        #expect(try await town.accept(correction, as: .otto) == "notFound")
        #expect(try await town.accept(correction, as: .olga) == "forbidden")
        #expect(try await town.accept(correction, as: .ada) == "updated")
        #expect(town.town.events[Slug("fair")]?.value.business == Slug("anchor"))
    }

    @Test func whatWasRejectedOrRemovedHasNothingToCorrect() async throws {
        let town = try await ServiceTown()
        let (rejected, token) = try await sent(in: town)
        #expect(await town.reject(rejected, as: .ada, reason: "Too far away.") == "updated")
        #expect(await correct(token, in: town, ServiceTown.event()) == "alreadyDecided")
        #expect(found(token, in: town)?.reason == "Too far away.")
        let (removed, other) = try await sent(in: town)
        #expect(try await town.accept(removed, as: .ada) == "updated")
        #expect(await correct(other, in: town, PatchInput { $0.name = "Fête" }) == "created")
        let correction = try #require(found(other, in: town)).id
        #expect(await town.result(of: .ada) { town.service.deleteEvent(Slug("fair"), for: $0) } == "deleted")
        #expect(try await town.accept(correction, as: .ada) == "notFound")
        #expect(await town.reject(correction, as: .ada) == "updated")
    }

    @Test func aSenderWithdraws() async throws {
        let town = try await ServiceTown()
        let (id, token) = try await sent(in: town)
        func withdraw(_ token: Token) async -> String {
            await town.result(of: .nobody, from: [198, 51, 100, 7]) {
                town.service.withdrawProposal(by: token, for: $0)
            }
        }
        #expect(await withdraw(try Token(.reference)) == "notFound")
        #expect(await withdraw(token) == "updated")
        let withdrawn = try #require(town.town.proposals[id])
        #expect(withdrawn.state == .withdrawn && withdrawn.decidedBy == nil)
        #expect(withdrawn.text == nil && withdrawn.email == nil && withdrawn.changes == nil)
        #expect(await withdraw(token) == "alreadyDecided")
        #expect(try await town.accept(id, as: .ada) == "alreadyDecided")
        // A day later it is deleted with its link.
        town.clock.advance(bySeconds: Self.day + 1)
        let (accepted, other) = try await sent(in: town)
        #expect(town.town.proposals[id] == nil && found(token, in: town) == nil)
        #expect(town.town.credentials[digest: token.digest] == nil)
        #expect(try await town.accept(accepted, as: .ada) == "updated")
        #expect(await withdraw(other) == "alreadyDecided")
    }

    /// What histories and undo are made of has nothing of the sender: the log says what a private record is, and not what
    /// it was.
    @Test func noHistoryHasTheAddressOfASender() async throws {
        let town = try await ServiceTown()
        let (id, _) = try await sent(in: town)
        let before = town.store.current.position
        #expect(try await town.accept(id, as: .ada) == "updated")
        let commit = try #require(town.store.current.commits(after: before)?.first)
        #expect(!String(decoding: commit.payload, as: UTF8.self).contains("canary@"))
        #expect(try await town.store.history(of: .proposal, id: id).entries.isEmpty)
    }
}
