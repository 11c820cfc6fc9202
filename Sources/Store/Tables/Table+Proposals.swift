import Bytes
import SookeModel

/// Few are open; there may be any number of others.
package struct ProposalIndexes: TableIndexes {
    package typealias Record = Proposal

    var open = KeyIndex<Int, Proposal> { $0.isOpen ? $0.id : nil }
    /// Those of senders without an account, by a part of the digest of the larger network.
    var bySite = KeyIndex<GroupKey, Proposal> { GroupKey(group: $0.site.map(Self.group), id: $0.id) }
    /// Those that are not open: the brief ones, then the others, by the time of the decision.
    var closedByTime = KeyIndex<PersonMomentKey, Proposal> { proposal in
        if proposal.isOpen { return nil }
        // Not before it was sent, even if the clock was set back: until then it counts for its network.
        let moment = max(proposal.decidedAt ?? proposal.sentAt, proposal.sentAt)
        return PersonMomentKey(
            person: proposal.isBrief ? 0 : 1, moment: MomentKey(moment: moment, id: proposal.id))
    }

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Proposal>) {
        visitor.visit(&open)
        visitor.visit(&bySite)
        visitor.visit(&closedByTime)
    }

    static func group(of site: String) -> Int { site.utf8.prefix(8).reduce(0) { $0 << 7 | Int($1 & 0x7F) } }
}

extension Proposal: TableRecord {
    package static var table: TablePath<Proposal> { \.proposals }

    package typealias Indexes = ProposalIndexes

    package func joined(in town: Town) -> Joined { .proposal(JoinedProposal(self, in: town)) }
    package var memory: Int { [changes, text, email, reason].reduce(600) { $0 + ($1?.utf8.count ?? 0) } }
}

extension Table<Proposal> {
    package var open: some Sequence<Proposal> { indexes.open.records.lazy.map(\.value) }

    /// Those of senders without an account.
    private var waiting: [Proposal] { open.filter(\.isOfStranger) }

    package var firstOpen: Proposal? { indexes.open.records.first?.value }

    package var openCount: Int { indexes.open.records.count }

    package func open(at business: Int) -> [Proposal] { open.filter { $0.business == business } }

    package func openCount(of account: Int) -> Int { open.count { $0.submittedBy == account } }

    /// The open ones first.
    package func of(account: Int) -> [Proposal] {
        let own = inOrderOfID.filter { $0.submittedBy == account }
        return own.filter(\.isOpen) + own.filter { !$0.isOpen }
    }

    func decided(of account: Int, beyond count: Int) -> [Int] {
        of(account: account).filter { !$0.isOpen }.dropLast(count).map(\.id)
    }

    /// The number of those without an account that wait, of a network or a site. There are few in all.
    package func openCount(of network: String?, as path: KeyPath<Proposal, String?>) -> Int {
        guard let network else { return 0 }
        return waiting.count { $0[keyPath: path]?.hasSameBytes(as: network) ?? false }
    }

    /// When the last one was sent from a site, or from another one with the same key, which is rare.
    package func lastSent(fromSite site: String) -> Timestamp? {
        let range = GroupKey.range(of: ProposalIndexes.group(of: site))
        return indexes.bySite.records.elements(in: range).reversed().first?.value.sentAt
    }

    /// Within how many days nine of ten of the last decisions were made; nil after few of them.
    package var usualDays: Int? {
        let start = PersonMomentKey(person: 1, moment: .start(of: .beginningOfTime))
        let end = PersonMomentKey(person: 2, moment: .start(of: .beginningOfTime))
        let closed = indexes.closedByTime.records.elements(in: start..<end).suffix(100).map(\.value)
        let decided = closed.filter { $0.state == .accepted || $0.state == .rejected }.suffix(30)
        let seconds = decided.map { max(0, ($0.decidedAt ?? $0.sentAt).seconds - $0.sentAt.seconds) }.sorted()
        return seconds.count < 30 ? nil : seconds[26] / 86_400 + 1
    }

    package var openOfStrangers: Int { waiting.count }

    /// The open proposal of a sender without an account that yields when one too many waits; it may be the new one.
    ///
    /// It is the newest one of the larger network (`Proposal.site`) that has the most, since one customer of a provider
    /// may have thousands of networks. When none has more than the sender of the new one, and that has no other, it is
    /// one of the newest: those who have waited stay, and some time is left to those who come. IDs ascend, even when
    /// the clock is set back.
    func yielding(_ limits: ProposalLimits) -> Proposal? {
        let waiting = waiting
        let counts = Dictionary(waiting.map { ($0.site ?? "", 1) }, uniquingKeysWith: +)
        func count(_ proposal: Proposal) -> Int { counts[proposal.site ?? ""] ?? 0 }
        guard let new = waiting.last else { return nil }
        let others = waiting.dropFirst(limits.longestWaiting).dropLast()
        if let most = others.map(count).max(), most > count(new) { return others.last { count($0) == most } }
        return count(new) == 1 ? others.suffix(limits.newest).first ?? new : new
    }

    package func displaced(since moment: Timestamp) -> Int {
        let start = PersonMomentKey(person: 0, moment: .start(of: moment))
        let end = PersonMomentKey(person: 1, moment: .start(of: Timestamp(microseconds: .min)))
        let closed = indexes.closedByTime.records.elements(in: start..<end).map(\.value)
        // Those about a business that was deleted have none.
        return closed.count { $0.state == .displaced && ($0.about == .event || $0.business != nil) }
    }

    /// Some proposals that were decided or displaced before a time, or after another one by a clock that was ahead.
    func closed(brief: Bool, before start: Timestamp, after end: Timestamp, limit: Int) -> [Int] {
        let group = brief ? 0 : 1
        func key(_ moment: MomentKey) -> PersonMomentKey { PersonMomentKey(person: group, moment: moment) }
        let (first, last) = (Timestamp.beginningOfTime, Timestamp.endOfTime)
        let closed = indexes.closedByTime.records
        let old = closed.elements(in: key(.start(of: first))..<key(.start(of: start))).prefix(limit)
        let early = closed.elements(
            in: key(MomentKey(moment: end, id: .max))..<key(MomentKey(moment: last, id: .max)))
        return old.map(\.key.moment.id) + early.prefix(limit - old.count).map(\.key.moment.id)
    }
}
