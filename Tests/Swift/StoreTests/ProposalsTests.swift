import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Store

/// Proposals in the town: their indexes, and how they make room for others.
@Suite struct ProposalsTests {
    private static func proposal(from site: String?, network: String? = nil, of account: Int? = nil) -> Proposal {
        var proposal = Proposal()
        (proposal.site, proposal.network, proposal.submittedBy) = (site, network ?? site, account)
        (proposal.text, proposal.email) = ("closed on Mondays", "ann@sooke.example")
        proposal.changes = #"{"phone":"1"}"#
        return proposal
    }

    /// Compared with scans of all proposals, while they come, are decided, displaced and deleted.
    @Test(arguments: 1...UInt64(Cases.count(1, of: 4)))
    func indexesFindWhatAScanFinds(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var table = Table<Proposal>()
        for step in 0..<600 {
            let id = random.below(40) + 1
            if random.once(in: 5) {
                table.remove(id: id)
            } else {
                let account = random.once(in: 3) ? random.below(3) + 1 : nil
                let site = account == nil ? random.pick(["a", "b", "c", nil]) : nil
                var proposal = Self.proposal(from: site, network: site.map { $0 + "\(random.below(2))" }, of: account)
                proposal.id = id
                proposal.business = random.pick([nil, 1, 2])
                proposal.sentAt = Timestamp(clampingSeconds: random.below(20))
                proposal.state = random.pick([.open, .open, .accepted, .rejected, .displaced, .withdrawn])
                proposal.decidedAt = proposal.isOpen ? nil : Timestamp(clampingSeconds: random.below(30))
                table.put(proposal)
            }
            if step.isMultiple(of: 7) {
                expectSameResults(table, &random)
                var again = Table<Proposal>()
                for proposal in Array(table.inOrderOfID).shuffled(using: &random) { again.put(proposal) }
                expectSameResults(again, &random)
            }
        }
    }

    /// From the last 30 decisions, of which nine of ten took no longer.
    @Test func usualDays() {
        var table = Table<Proposal>()
        for id in 1...64 {
            var proposal = Self.proposal(from: nil)
            (proposal.id, proposal.sentAt) = (id, Timestamp(clampingSeconds: id * 1_000_000))
            let hours = id == 40 ? 400 : id % 2 == 0 ? 47 : 12
            proposal.state = id < 35 ? .withdrawn : .rejected
            proposal.decidedAt = proposal.sentAt.advanced(bySeconds: hours * 3600)
            if id == 64 { #expect(table.usualDays == nil, "29 are few") }
            table.put(proposal)
        }
        #expect(table.usualDays == 2)
    }

    private func expectSameResults(_ table: Table<Proposal>, _ random: inout SplitMix64) {
        let all = Array(table.inOrderOfID)
        let open = all.filter(\.isOpen)
        #expect(table.open.map(\.id) == open.map(\.id) && table.openCount == open.count)
        #expect(table.open(at: 1).map(\.id) == open.filter { $0.business == 1 }.map(\.id))
        let account = random.below(4) + 1
        let own = all.filter { $0.submittedBy == account }
        #expect(table.openCount(of: account) == own.count(where: \.isOpen))
        #expect(table.of(account: account).map(\.id) == (own.filter(\.isOpen) + own.filter { !$0.isOpen }).map(\.id))
        #expect(table.decided(of: account, beyond: 2) == own.filter { !$0.isOpen }.map(\.id).dropLast(2))

        let network = random.pick(["a0", "a1", "b0", "c1", "d"])
        #expect(table.openCount(of: network, as: \.network) == open.count { $0.network == network })
        #expect(table.openCount(of: "a", as: \.site) == open.count { $0.site == "a" })
        #expect(table.lastSent(fromSite: "a") == all.last { $0.site == "a" }?.sentAt)

        let strangers = Dictionary(grouping: open.filter(\.isOfStranger)) { $0.site ?? "" }
        #expect(table.openOfStrangers == strangers.values.reduce(0) { $0 + $1.count })
        let since = Timestamp(clampingSeconds: random.below(25))
        let displaced = all.filter { proposal in
            guard proposal.isOfStranger, proposal.state == .displaced else { return false }
            return max(proposal.decidedAt ?? proposal.sentAt, proposal.sentAt) >= since
        }
        #expect(table.displaced(since: since) == displaced.count)

        let (start, end) = (
            Timestamp(clampingSeconds: random.below(10)), Timestamp(clampingSeconds: 20 + random.below(10))
        )
        for isBrief in [true, false] {
            let found = table.closed(brief: isBrief, before: start, after: end, limit: 99)
            let expected = all.filter { proposal in
                let isLeft = proposal.isOfStranger && [.displaced, .withdrawn].contains(proposal.state)
                guard !proposal.isOpen, isLeft == isBrief else { return false }
                let decided = max(proposal.decidedAt ?? proposal.sentAt, proposal.sentAt)
                return decided < start || decided > end
            }
            #expect(found.sorted() == expected.map(\.id))
            let some = table.closed(brief: isBrief, before: start, after: end, limit: 2)
            #expect(some == Array(found.prefix(2)))
        }
    }

    /// Who yields when one more comes to eight of these sites, in the order in which they came. The first two never do,
    /// and of those who have as many as others, one of the last three. Nobody yields to whom has more.
    @Test(arguments: [
        ("abcdefgh", "i", "f6"), ("abbbcdef", "i", "b4"), ("bbbacdef", "i", "b3"), ("bbacdefg", "i", "e6"),
        ("abcdefgg", "i", "g8"), ("aabbccdd", "i", "d8"), ("aabbccdd", "d", "d9"), ("abcdefgh", "h", "h9"),
        ("aaabbbcc", "c", "c9"), ("aaaabbcc", "c", "a4"), ("aaaaaaaa", "b", "a8"), ("aaaaaaaa", "a", "a9"),
    ])
    func whoeverHasTheMostYields(sites: String, new: String, yielding: String) throws {
        var transaction = try TransactionTown.transaction()
        var limits = ProposalLimits()
        (limits.openOfStrangers, limits.longestWaiting, limits.newest) = (8, 2, 3)
        for site in sites + new {
            transaction.put(Self.proposal(from: "\(site)"), at: Timestamp(clampingSeconds: 1), limits: limits)
        }
        let displaced = transaction.town.proposals.inOrderOfID.filter { $0.state == .displaced }
        #expect(displaced.map { "\($0.site ?? "")\($0.id)" } == [yielding])
    }

    /// What yields loses what its sender wrote. Accounts never yield.
    @Test func whatYieldsIsClosed() throws {
        var transaction = try TransactionTown.transaction()
        var limits = ProposalLimits()
        (limits.openOfStrangers, limits.longestWaiting) = (4, 1)
        let now = Timestamp(clampingSeconds: 100)
        for site in ["b", "a", "a", "a"] { transaction.put(Self.proposal(from: site), at: now, limits: limits) }
        for _ in 1...3 { transaction.put(Self.proposal(from: nil, of: 2), at: now, limits: limits) }
        #expect(transaction.town.proposals.openCount == 7)
        transaction.put(Self.proposal(from: "c"), at: now, limits: limits)
        let displaced = try #require(transaction.town.proposals[4])
        #expect(displaced.state == .displaced)
        #expect(displaced.text == nil && displaced.email == nil && displaced.changes == nil)
        #expect(displaced.decidedAt == now && displaced.network == "a")
        #expect(transaction.town.proposals.displaced(since: now) == 1)
        #expect(transaction.town.proposals.displaced(since: now.advanced(bySeconds: 1)) == 0)
        #expect(transaction.town.proposals.open.map(\.id) == [1, 2, 3, 5, 6, 7, 8])
        #expect(try transaction.isRebuilt(from: TransactionTown.transaction().town))
    }

    @Test func whatIsDecidedIsDeletedAfterAWhile() throws {
        var transaction = try TransactionTown.transaction()
        let (start, day) = (Timestamp(clampingSeconds: 1_000_000), 86_400)
        for (site, account) in [("a", nil), ("b", nil), (nil, 2), (nil, 2)] {
            transaction.put(Self.proposal(from: site, of: account), at: start)
        }
        for (id, state) in [(1, Proposal.State.withdrawn), (3, .accepted)] {
            let proposal = try #require(transaction.town.proposals[id])
            transaction.put(proposal.closed(as: state, by: 1, event: 1, at: start), at: start)
        }
        func left(after seconds: Int) -> [Int] {
            transaction.deleteClosedProposals(at: start.advanced(bySeconds: seconds), tolerance: 300)
            return transaction.town.proposals.inOrderOfID.map(\.id)
        }
        #expect(left(after: day) == [1, 2, 3, 4])
        #expect(left(after: day + 1) == [2, 3, 4])
        #expect(left(after: 30 * day) == [2, 3, 4])
        // The clock was ahead when it was decided.
        #expect(left(after: -300) == [2, 3, 4])
        #expect(left(after: -301) == [2, 4])
        // An account keeps the newest ones only.
        var limits = ProposalLimits()
        limits.decidedOfAccount = 2
        for _ in 1...4 {
            let proposal = transaction.put(Self.proposal(from: nil, of: 2), at: start)
            transaction.put(proposal.closed(as: .rejected, reason: "no", at: start), at: start, limits: limits)
        }
        #expect(transaction.town.proposals.inOrderOfID.map(\.id) == [2, 4, 7, 8])
    }

    /// Proposals to change a business end with it; events that were to take place there wait without a place.
    @Test func aDeletedBusinessHasNoProposals() throws {
        var transaction = try TransactionTown.transaction()
        for about in [Proposal.Subject.business, .event] {
            var proposal = Self.proposal(from: "a")
            (proposal.about, proposal.business) = (about, 1)
            transaction.put(proposal, at: Timestamp(clampingSeconds: 1))
        }
        try transaction.deleteBusiness(1)
        let proposals = transaction.town.proposals
        #expect(proposals[1]?.state == .displaced && proposals[1]?.text == nil && proposals[1]?.network == "a")
        #expect(proposals[2]?.isOpen == true && proposals[2]?.business == nil && proposals[2]?.text != nil)
        #expect(proposals.open(at: 1).isEmpty)
    }

    @Test func proposedFieldsAreReadAgain() throws {
        var proposal = Proposal()
        let patch = try TransactionTown.patch(
            Event.self, #"{"name":"Fête","starts_at":"2027-01-01T20:00:00Z","rrule":null,"exdates":[]}"#)
        proposal.setChanges(patch)
        var problems = FieldProblems()
        let read = proposal.changes(of: Event.self, &problems)
        #expect(problems.isEmpty && read.fields == patch.fields && read.values == patch.values)
        proposal.changes = #"{"name":"Fête"} x"#
        #expect(proposal.changes(of: Event.self, &problems).fields.isEmpty)
        #expect(problems.all.map(\.field) == ["changes"])
        proposal.setChanges(Patch<Event>())
        #expect(proposal.changes == nil)
        // As it is stored, quotation marks are two bytes.
        proposal.submittedBy = nil
        proposal.changes = String(repeating: "x", count: ProposalLimits.strangerBytes - 1)
        proposal.text = "y"
        #expect(proposal.problemsBeforeStoring.isEmpty)
        proposal.text = "yy"
        #expect(proposal.problemsBeforeStoring.all.map(\.field) == ["changes"])
        (proposal.submittedBy, proposal.text) = (1, nil)
        proposal.changes = String(repeating: "x", count: ProposalLimits.changesBytes)
        #expect(proposal.problemsBeforeStoring.isEmpty)
        // The commits in memory are bounded by what their records take.
        #expect(proposal.memory > ProposalLimits.changesBytes)
        proposal.changes?.append("x")
        (proposal.text, proposal.email) = (String(repeating: "é", count: 2_001), "nobody")
        #expect(proposal.problemsBeforeStoring.all.map(\.field) == ["text", "email", "changes"])
    }
}
