import Bytes
import Platform
import SookeModel
import Store

/// Proposals: what people send in for a decision, with or without an account. What a sender can use up is bounded by
/// the network that they come from, which is stored as a digest.
extension TownService {
    /// Nobody sees it before a decision but those who decide, and whoever has its reference.
    ///
    /// The transaction throws `limited` when the sender has used up their quota, else `invalid` with all problems, else
    /// `blockedLink`.
    /// Those of the message have the fields `message.text` and `message.email`.
    package func propose(
        event input: PatchInput<Event>, times: EventTimes = EventTimes(),
        _ message: ProposalMessage = ProposalMessage(),
        for context: RequestContext
    ) -> Transaction<Outcome> {
        propose(.event, message, for: context) { [self] proposal, transaction, problems in
            let town = transaction.town
            let corrected = JoinedProposal(proposal, in: town).corrected
            proposal.event = corrected?.id
            var (patch, refused) = input.restricted(to: SettableFields.proposedEvent)
            times.set(in: &patch, of: corrected, at: eventClock(of: town, at: clock()), in: town, &refused)
            checkTimeZone(patch.values.timeZone, &refused)
            if proposal.isOfStranger { checkNearness(of: patch.values, &refused) }
            refused.add(consequences: problems)
            let texts = [patch.values.name, patch.values.description, proposal.text]
            let (count, most) = (texts.reduce(0) { $0 + ($1?.unicodeScalars.count ?? 0) }, ProposalLimits.strangerText)
            refused.require(
                !proposal.isOfStranger || count <= most, proposal.text == nil ? "description" : "message.text",
                "has \(count) characters together with the other texts, at most \(most) are allowed without an account")
            let isEmpty = corrected != nil && patch.fields.isEmpty && proposal.text == nil
            refused.require(!isEmpty, "message.text", "must not be empty without a change")
            let write = { [patch] (trial: inout WriteTransaction) throws(WriteError) in
                if let corrected { try trial.update(corrected.id, patch) } else { try trial.create(patch) }
            }
            try transaction.requireNone(of: refused, hiding: context.caller.hiddenBusiness(in: patch, town)) {
                trial throws(WriteError) in
                _ = try write(&trial)
            }
            var trial = transaction
            let after = try write(&trial)
            // By its ID, because the slug may have changed when it is decided.
            proposal.business = corrected?.businessID ?? patch.values.business.flatMap { town.businesses[$0]?.id }
            if corrected != nil { return proposal.setChanges(patch) }
            // What the sender meant, on the clocks of today.
            let times: FieldSet<Event> = ["starts_local", "ends_local", "all_day", "starts_at", "ends_at"]
            patch.values.take(
                times.union(patch.fields.intersection(["rrule", "exdates", "rdates", "overrides"])),
                from: after)
            patch.fields.formUnion(times)
            patch.fields = patch.fields.subtracting(["business"])
            proposal.setChanges(patch)
        }
    }

    /// Of the dates of strangers.
    private static let farthestYears = 5

    private func checkNearness(of event: Event, _ problems: inout FieldProblems) {
        let end = clock().advanced(bySeconds: Self.farthestYears * 366 * 86_400)
        let advice = "is more than \(Self.farthestYears) years ahead; that takes an account"
        for (field, times) in [
            ("starts_at", [event.startsLocal]), ("ends_at", [event.endsLocal]),
            ("rdates", event.rdates.map(Optional.some)),
        ] where times.contains(where: { $0.map { $0.clock > end } ?? false }) {
            problems.add(field, advice)
        }
    }

    /// Or reports in words what is wrong about the business.
    package func propose(
        changeTo slug: Slug, _ input: PatchInput<Business>, _ message: ProposalMessage = ProposalMessage(),
        for context: RequestContext
    ) -> Transaction<Outcome> {
        propose(.business, message, for: context) { [self] proposal, transaction, problems in
            let business = try current(slug, for: context.caller, in: transaction.town)
            var (patch, refused) = input.restricted(to: SettableFields.ownBusiness)
            checkTimeZone(patch.values.timeZone, &refused)
            refused.add(consequences: patch.values.problemsWithIDs(of: business))
            refused.add(consequences: problems)
            let isEmpty = patch.fields.isEmpty && refused.isEmpty && proposal.text == nil && proposal.concern == nil
            refused.require(!isEmpty, "message.text", "must not be empty without a change")
            try transaction.requireNone(of: refused) { [patch] trial throws(WriteError) in
                try trial.update(business.id, patch)
            }
            var trial = transaction
            try trial.update(business.id, patch)
            (proposal.about, proposal.business) = (.business, business.id)
            proposal.setChanges(patch)
        }
    }

    /// The shortest time in which a person fills in a form, and the longest for which one is good.
    private static let formSeconds = 3...86_400

    package func formStamp() -> String { key.stamp(at: expiryClock.now()) }

    /// It was shown here some seconds ago: programs fill it in at once.
    package func isFormOfPerson(_ stamp: String) -> Bool {
        key.moment(of: stamp).map { Self.formSeconds.contains(expiryClock.now().seconds - $0.seconds) } ?? false
    }

    /// The end of the cookie of a session: the server knows its own, also when the session has ended.
    package func stamp(of token: Token) -> String { key.stamp(of: token) }

    /// `fill` sets the content. It gets the problems of the message, to be reported with its own.
    private func propose(
        _ about: Proposal.Subject, _ message: ProposalMessage, for context: RequestContext,
        _ fill: @escaping @Sendable (inout Proposal, WriteTransaction, FieldProblems) throws -> Void
    ) -> Transaction<Outcome> {
        // Even if others have used up the bytes of all proposals, one a day of each site is taken.
        let site = key.digest(of: context.clientNetwork.site)
        let last = store.current.town.proposals.lastSent(fromSite: site)
        let isFirst = !message.isCorrection && last.map(lastDay(at: expiryClock.now()).contains) != true
        let payers = context.proposalPayers.filter { !isFirst || $0 != .proposals }
        return Transaction(for: context, .anyone, payers: payers) { [self] transaction in
            let now = expiryClock.now()
            guard context.caller.mayWrite else { throw ServiceError.insufficientScope }
            if context.caller.personID != nil, context.caller.person(in: transaction.town) == nil {
                throw ServiceError.invalidToken
            }
            var proposal = signed(Proposal(message, at: now), for: context)
            let link = try refer(message, about, &proposal, in: transaction.town)
            if proposal.id == 0 { try requireQuota(of: proposal, in: transaction.town) }
            var problems = FieldProblems()
            for problem in proposal.problemsBeforeStoring.all {
                problems.add("message.\(problem.field)", problem.message)
            }
            try fill(&proposal, transaction, problems)
            let consequences = proposal.problemsBeforeStoring
            guard consequences.isEmpty else { throw ServiceError.invalid(consequences) }
            let blocked = Set(transaction.town.settings.value.blockedLinks.map(ByteText.init))
            if !blocked.isEmpty, let link = proposal.links.lazy.compactMap({ $0.entry(of: blocked) }).first {
                throw ServiceError.blockedLink(link)
            }
            transaction.deleteClosedProposals(at: now, tolerance: Self.clockTolerance)
            let stored = transaction.put(proposal, at: now)
            guard transaction.town.proposals[stored.id]?.isOpen == true else {
                throw ServiceError.limited(.waitingProposals(ProposalLimits.standard.openOfStrangers), seconds: 3600)
            }
            if let token = message.reference, link?.proposal != stored.id {
                let seconds = ProposalLimits.standard.decidedSeconds
                var reference = link ?? Credential(.reference, token, at: now, lasting: seconds)
                (reference.proposal, reference.expiresAt) = (stored.id, now.advanced(bySeconds: seconds))
                reference = transaction.put(reference)
                if link == nil {
                    sendReference(reference, of: stored, from: context.clientNetwork, in: &transaction, at: now)
                }
            }
            if proposal.id == 0 {
                let place = stored.business.flatMap { transaction.town.businesses[$0] }
                tellDeciders(at: place, notTo: stored.submittedBy, in: &transaction, at: now)
            }
            return .created(stored.joined(in: transaction.town))
        }
    }

    private func signed(_ proposal: Proposal, for context: RequestContext) -> Proposal {
        var proposal = proposal
        proposal.submittedBy = context.caller.personID
        if proposal.isOfStranger {
            proposal.network = key.digest(of: context.clientNetwork)
            proposal.site = key.digest(of: context.clientNetwork.site)
        }
        return proposal
    }

    private func requireQuota(of proposal: Proposal, in town: Town) throws(ServiceError) {
        let (limits, proposals) = (ProposalLimits.standard, town.proposals)
        if let account = proposal.submittedBy {
            guard proposals.openCount(of: account) >= limits.openOfAccount else { return }
            throw .limited(.openProposals(limits.openOfAccount), seconds: 3600)
        }
        for (path, limit) in [(\Proposal.network, limits.openOfNetwork), (\.site, limits.openOfSite)]
        where proposals.openCount(of: proposal[keyPath: path], as: path) >= limit {
            throw .limited(.networkProposals(limit), seconds: 3600)
        }
    }

    /// Those of a clock that was ahead do not count for years.
    private func lastDay(at now: Timestamp) -> Range<Timestamp> {
        now.advanced(bySeconds: -86_400)..<now.advanced(bySeconds: Self.clockTolerance)
    }

    private func current(_ slug: Slug, for caller: Caller, in town: Town) throws(ServiceError) -> BusinessRecord {
        switch try business(slug, for: caller, in: town) {
        case .found(let business): return business
        case .moved(let slug):
            guard let business = town.businesses[slug] else { throw .notFound(.record(.business)) }
            return business
        }
    }
}

package struct ProposalMessage: Sendable {
    package let text: String?
    package let email: String?
    package let concern: Proposal.Concern?
    /// The secret of the link by which the sender comes back, perhaps that of a proposal that this one corrects.
    package let reference: Token?
    package let isCorrection: Bool

    /// Blank texts count as none.
    package init(
        text: String? = nil, email: String? = nil, concern: Proposal.Concern? = nil, reference: Token? = nil,
        isCorrection: Bool = false
    ) {
        (self.concern, self.reference, self.isCorrection) = (concern, reference, isCorrection)
        func isBlank(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
        self.text = text.flatMap { isBlank($0) ? nil : $0 }
        self.email = email.flatMap { isBlank($0) ? nil : $0 }
    }
}

extension Proposal {
    fileprivate init(_ message: ProposalMessage, at now: Timestamp) {
        self.init()
        (text, email, concern, sentAt) = (message.text, message.email, message.concern, now)
    }
}

extension SettableFields {
    /// The slug is made from the name when the event becomes public.
    static let proposedEvent = event.subtracting(["slug"])
}
