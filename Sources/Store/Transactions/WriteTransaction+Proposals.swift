import Bytes
import SookeModel

/// Proposals. They are not validated: the use cases that make them are responsible for their content.
extension WriteTransaction {
    /// Beyond the limit of senders without an account, others of theirs are displaced, or the new one itself.
    ///
    /// - Parameter now: the time of the clock, which becomes that of the displaced ones.
    /// - Returns: the proposal; if its ID was 0, with a new ID.
    @discardableResult
    package mutating func put(_ proposal: Proposal, at now: Timestamp, limits: ProposalLimits = .standard) -> Proposal {
        var proposal = proposal
        if proposal.id == 0 { proposal.id = nextID(.proposal) }
        if town.proposals[proposal.id] != proposal { append(.put(AnyRecord(proposal))) }
        while town.proposals.openOfStrangers > limits.openOfStrangers, let yielding = town.proposals.yielding(limits) {
            append(.put(AnyRecord(yielding.closed(as: .displaced, at: now))))
        }
        if let account = proposal.submittedBy {
            for id in town.proposals.decided(of: account, beyond: limits.decidedOfAccount) { deleteProposal(id) }
        }
        return proposal
    }

    /// Deletes proposals that were decided or displaced long ago, or by a clock that was ahead: some at a time, but
    /// more than one new one can add.
    ///
    /// - Parameter tolerance: how far in the future of the clock they may have been decided, in seconds.
    package mutating func deleteClosedProposals(at now: Timestamp, tolerance: Int, limits: ProposalLimits = .standard) {
        let end = now.advanced(bySeconds: tolerance)
        for (isBrief, seconds) in [(true, limits.briefSeconds), (false, limits.decidedSeconds)] {
            let closed = town.proposals.closed(
                brief: isBrief, before: now.advanced(bySeconds: -seconds), after: end, limit: limits.deletedAtATime)
            for id in closed { deleteProposal(id) }
        }
    }

    /// With the link of its sender.
    mutating func deleteProposal(_ id: Int) {
        if town.proposals[id] != nil { append(.delete(.proposal, id: id)) }
        for reference in town.credentials.referring(to: id) { deleteCredential(reference.id) }
    }

    /// Closes the open proposals to change a business that is being deleted, or that becomes a part of another one.
    /// Events are to take place there, or stay open without a place. All still count for the networks that sent them.
    mutating func moveProposals(from business: Int, to other: Int?) {
        for proposal in town.proposals.open(at: business) {
            var moved = proposal
            moved.business = proposal.about == .event ? other : nil
            if proposal.about == .business { moved = moved.closed(as: .displaced, at: at) }
            append(.put(AnyRecord(moved)))
        }
    }
}
