import Bytes
import Platform
import SookeModel
import Store
import Testing

@testable import Service

/// What one network, and many, cannot do with proposals.
@Suite struct ProposalLimitsTests {
    private static let day = 86_400

    /// What waits counts, by network and by site.
    @Test func aNetworkHasAFewWaiting() async throws {
        let town = try await ServiceTown()
        var results: [String] = []
        for _ in 1...25 { results.append(await town.propose()) }
        #expect(results.prefix(20).allSatisfy { $0 == "created" })
        #expect(results.dropFirst(20).allSatisfy { $0 == "limited networkProposals" })
        #expect(town.town.proposals.count == 20)
        // Another one at the same site, and an account in the same one, are not concerned.
        for _ in 1...20 { #expect(await town.propose(from: [192, 0, 2, 9]) == "created") }
        #expect(await town.propose(as: .mia) == "created")
        #expect(await town.propose(from: [192, 0, 2, 10]) == "limited networkProposals")
        #expect(await town.propose(from: [192, 0, 3, 10]) == "created")
        // Decided ones do not count.
        #expect(await town.reject(1, as: .ada, reason: "") == "updated")
        #expect(await town.propose() == "created")
        #expect(await town.propose() == "limited networkProposals")
    }

    /// What people decided stays for the link of the sender; what was displaced counts for its site for a day.
    @Test func decidedOnesStayForAMonth() async throws {
        let town = try await ServiceTown()
        #expect(await town.propose() == "created")
        #expect(await town.reject(1, as: .ada, reason: "Too far away.") == "updated")
        town.clock.advance(bySeconds: 30 * Self.day)
        #expect(await town.propose() == "created")
        #expect(town.town.proposals[1]?.reason == "Too far away.")
        town.clock.advance(bySeconds: 2)
        #expect(await town.propose() == "created")
        #expect(town.town.proposals.inOrderOfID.map(\.id) == [2, 3])
    }

    /// Nobody who decides should have to look at the year.
    @Test func aDateOfAStrangerIsNear() async throws {
        let town = try await ServiceTown()
        let far = LocalTime(instant: ServiceTown.later.advanced(bySeconds: 3 * 365 * Self.day))
        let inputs = [
            PatchInput<Event> { ($0.startsLocal, $0.endsLocal) = (.init(instant: ServiceTown.later), far) },
            PatchInput<Event> { $0.startsLocal = far },
            PatchInput<Event> { ($0.startsLocal, $0.rdates) = (.init(instant: ServiceTown.later), [far]) },
        ]
        for (input, field) in zip(inputs, ["ends_at", "starts_at", "rdates"]) {
            var input = input
            (input.patch.values.name, input.patch.values.eventType) = ("Fair", Slug("sports"))
            input.patch.fields.formUnion(["name", "event_type"])
            do throws(ServiceError) {
                let context = town.context(.nobody)
                _ = try await town.service.run(town.service.propose(event: input, for: context), for: context)
                Issue.record("\(field) is accepted")
            } catch {
                guard case .invalid(let problems) = error else { throw error }
                #expect(problems.all.map(\.field) == [field])
                #expect(problems.all[0].message.contains("5 years ahead"))
            }
            #expect(await town.result(of: .mia) { town.service.propose(event: input, for: $0) } == "created")
        }
    }

    @Test func aRestartForgetsNothing() async throws {
        let town = try await ServiceTown()
        for _ in 1...20 { #expect(await town.propose() == "created") }
        for _ in 1...2 {
            try await town.restart()
            #expect(await town.propose() == "limited networkProposals")
            #expect(town.town.proposals.openOfStrangers == 20)
        }
        #expect(await town.propose(from: [192, 0, 2, 2]) == "created")
    }

    /// However many networks fill the list, another one and an account get in, and the list stays as long as it is.
    @Test func manyNetworksKeepNobodyOut() async throws {
        let town = try await ServiceTown()
        for network in 1...20 {
            for _ in 1...20 { #expect(await town.propose(from: [10, 0, UInt8(network), 1]) == "created") }
        }
        #expect(town.town.proposals.openOfStrangers == 400)
        #expect(await town.propose(from: [192, 0, 2, 1]) == "created")
        let own = try #require(town.town.proposals.inOrderOfID.map(\.id).max())
        #expect(await town.propose(as: .mia) == "created")
        // Those with the most yield.
        for network in 1...30 { #expect(await town.propose(from: [10, 1, UInt8(network), 1]) == "created") }
        let proposals = town.town.proposals
        #expect(proposals.openOfStrangers == 400 && proposals.openCount == 401)
        #expect(proposals[own]?.isOpen == true && proposals[own + 1]?.isOpen == true)
        #expect(proposals[400]?.state == .displaced && proposals[400]?.text == nil)
        #expect(proposals.displaced(since: town.clock.source.wall()) == 31)
        // The table is bounded: a day later each new one deletes many of those.
        town.clock.advance(bySeconds: Self.day + 1)
        #expect(await town.propose(from: [192, 0, 2, 1]) == "created")
        #expect(town.town.proposals.count <= 403)
    }

    /// Two hundred networks displace none of those that waited, with all they send, and no one who comes after them. What is
    /// not taken adds nothing to the log, so that they do not close the list for a day either.
    @Test(arguments: [(each: 2, isOneNetwork: false), (3, true)])
    func twoHundredNetworksDisplaceNobody(each: Int, isOneNetwork: Bool) async throws {
        let town = try await ServiceTown()
        let honest = (1...5).map { [192, 0, isOneNetwork ? 2 : UInt8($0), 1] as [UInt8] }
        for sender in honest { #expect(await town.propose(from: sender) == "created") }
        for network in 1...200 {
            for _ in 1...each { _ = await town.propose(from: [10, 0, UInt8(network), 1]) }
        }
        #expect((1...5).allSatisfy { town.town.proposals[$0]?.isOpen == true })
        #expect(town.town.proposals.openOfStrangers == 400)
        let sequence = town.store.current.sequence
        #expect(await town.propose(from: [10, 0, 100, 2]) == "limited waitingProposals")
        #expect(town.store.current.sequence == sequence)
        let last = try #require(town.town.proposals.inOrderOfID.map(\.id).max())
        for site in 1...5 as ClosedRange<UInt8> { #expect(await town.propose(from: [198, 51, site, 1]) == "created") }
        #expect(town.town.proposals.open.count { $0.id > last } == 5)
    }

    /// One customer of a provider has thousands of networks, and still displaces only what is theirs.
    @Test func manyNetworksOfOneSiteAreOne() async throws {
        let town = try await ServiceTown()
        func address(_ site: UInt8, _ network: UInt8) -> [UInt8] {
            [0x20, 1, 0xD, 0xB8, 0, site, 0, network, 0, 0, 0, 0, 0, 0, 0, 1]
        }
        var created = 0
        for network in UInt8(0)..<60 where await town.propose(from: address(1, network)) == "created" { created += 1 }
        #expect(created == ProposalLimits.standard.openOfSite)
        #expect(await town.propose(from: address(2, 0)) == "created")
    }

    /// Proposals have bytes of their own in the log, so that they keep nobody from logging in. The first one of a site is
    /// taken all the same.
    @Test func theirBytesInTheLogAreBounded() async throws {
        let town = try await ServiceTown { $0 == .proposals ? 8_000 : $0.bytesPerDay }
        let large = PatchInput<Event> { event in
            event = ServiceTown.event().patch.values
            event.description = String(repeating: "x", count: 1_900)
        }
        var results: [String] = []
        for network in 1...6 {
            results.append(
                await town.result(of: .nobody, from: [10, 0, 1, UInt8(network)]) {
                    town.service.propose(event: large, for: $0)
                })
        }
        #expect(results == Array(repeating: "created", count: 5) + ["limited logBytes"])
        #expect(await town.propose(from: [10, 0, 2, 1]) == "created")
        #expect(await town.propose(from: [10, 0, 2, 1]) == "limited logBytes")
        try town.service.limits.requireBytes(of: [.strangers])
        #expect(await town.propose(as: .mia) == "created")
    }

    /// Fewer than 500 networks cannot use up what all may add to the log in a day: not even with the dearest that they can
    /// send, again and again.
    @Test func aNetworkHasItsShareOfTheBytes() async throws {
        let town = try await ServiceTown { $0 == .proposals ? $0.bytesPerDay / 499 : $0.bytesPerDay }
        func dear(_ number: Int) -> PatchInput<Event> {
            PatchInput { event in
                event = ServiceTown.event("Fair \(number)").patch.values
                event.description = String(repeating: "\u{1}", count: 1_900)
            }
        }
        let message = ProposalMessage(reference: try Token(.reference))
        var results: [String] = []
        while results.last ?? "created" == "created", results.count < 100 {
            let event = dear(results.count)
            results.append(await town.result(of: .nobody) { town.service.propose(event: event, message, for: $0) })
        }
        #expect(results.count > 5 && results.last == "limited logBytes")
        try town.service.limits.requireBytes(of: [.proposals])
        #expect(town.town.proposals.count == 1)
    }
}
