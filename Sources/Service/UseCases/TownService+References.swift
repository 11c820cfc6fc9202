import SookeModel
import Store

/// References: links with which the sender of a proposal reads what became of it, corrects it and withdraws it, without
/// an account.
extension TownService {
    /// - Throws: `notFound` when the link is not valid: it has expired, or its proposal was deleted.
    package func proposal(
        by reference: Token, in town: Town
    ) throws(ServiceError) -> (link: Credential, joined: JoinedProposal) {
        guard let link = try? link(reference.reveal(), for: .reference, in: town),
            let proposal = link.proposal.flatMap({ town.proposals[$0] })
        else { throw .notFound(.reference) }
        return (link, JoinedProposal(proposal, in: town))
    }

    /// Before the decision.
    package func withdrawProposal(by reference: Token, for context: RequestContext) -> Transaction<Outcome> {
        Transaction(for: context, .anyone, payers: []) { [self] transaction in
            let (proposal, now) = (try proposal(by: reference, in: transaction.town).joined.record, expiryClock.now())
            guard proposal.isOpen else { throw ServiceError.alreadyDecided(proposal.state) }
            let closed = transaction.put(proposal.closed(as: .withdrawn, at: now), at: now)
            return .updated(closed.joined(in: transaction.town))
        }
    }

    /// What somebody sends, in the place of the open proposal that they sent before with the same reference; so a form
    /// may be sent twice. The correction of a published event is a new proposal to change that.
    ///
    /// - Returns: the link that there is already.
    /// - Throws: `notFound` and `alreadyDecided`; `keyReused` when a new one has the reference of one that is decided.
    func refer(
        _ message: ProposalMessage, _ about: Proposal.Subject, _ proposal: inout Proposal, in town: Town
    ) throws(ServiceError) -> Credential? {
        guard let token = message.reference else { return nil }
        if !message.isCorrection, town.credentials[digest: token.digest] == nil { return nil }
        let (link, joined) = try self.proposal(by: token, in: town)
        guard joined.record.about == about else { throw .notFound(.reference) }
        if joined.record.isOpen {
            let sent = proposal
            proposal = joined.record
            (proposal.text, proposal.concern, proposal.changes) = (sent.text, sent.concern, nil)
            if !message.isCorrection { proposal.email = sent.email }
        } else if !message.isCorrection {
            throw .keyReused
        } else if joined.publishedEvent != nil {
            proposal.event = joined.record.event
        } else {
            throw .alreadyDecided(joined.record.state)
        }
        return link
    }
}

extension JoinedProposal {
    /// The public event that came of it, or that it corrects.
    package var publishedEvent: EventRecord? { event.flatMap { $0.value.status == .approved ? $0 : nil } }

    /// The event that it is to change; nil for a new one, and after the decision.
    package var corrected: EventRecord? { record.isOpen ? publishedEvent : nil }
}
