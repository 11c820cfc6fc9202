import Bytes
import SookeModel
import Store
import Testing

@testable import Service

/// Proposals in the tests of use cases.
extension ServiceTown {
    static func event(_ name: String = "Fair", at business: String? = nil) -> PatchInput<Event> {
        PatchInput { event in
            (event.name, event.eventType, event.startsAt) = (name, Slug("sports"), later)
            (event.description, event.business) = ("canary description", business.map(Slug.init(_:)))
        }
    }

    static let message = ProposalMessage(text: "canary words", email: "canary@far.example")

    /// Proposes an event, by default at no place. Returns the result in short.
    func propose(
        as caller: TestCaller = .nobody, from address: [UInt8] = [192, 0, 2, 1], at business: String? = nil
    ) async -> String {
        await result(of: caller, from: address) {
            service.propose(event: Self.event(at: business), Self.message, for: $0)
        }
    }

    /// The ID of a new proposal of an event, by default of a stranger, at no place.
    func proposedEvent(
        as caller: TestCaller = .nobody, _ input: PatchInput<Event> = ServiceTown.event()
    ) async throws -> Int {
        try await record(of: caller) { service.propose(event: input, Self.message, for: $0) }.id
    }

    /// The ID of a new proposal to change a business.
    func proposedChange(
        as caller: TestCaller = .nobody, to slug: String = "zeds", _ set: (inout Business) -> Void
    ) async throws -> Int {
        let input = PatchInput<Business>(set)
        return try await record(of: caller) {
            service.propose(changeTo: Slug(slug), input, Self.message, for: $0)
        }.id
    }

    /// The version of a proposal, to accept it.
    func version(of proposal: Int) throws -> Precondition.Versions {
        Precondition.Versions(digests: [try #require(town.proposals[proposal]).digest])
    }

    /// Accepts a proposal. Returns the result in short.
    func accept(_ id: Int, as caller: TestCaller, with edited: ProposedChanges? = nil) async throws -> String {
        let version = try version(of: id)
        return await result(of: caller) { service.acceptProposal(id, with: edited, versions: version, for: $0) }
    }

    func reject(_ id: Int, as caller: TestCaller, reason: String = "no") async -> String {
        await result(of: caller) { service.rejectProposal(id, reason: reason, for: $0) }
    }
}
