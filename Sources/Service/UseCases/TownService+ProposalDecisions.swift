import Bytes
import SookeModel
import Store

/// Super admins decide on all proposals, editors on what concerns no business with an owner, or waits for the owner too
/// long. The owner of a business decides on what concerns it.
extension TownService {
    /// The open ones, the oldest first.
    package func proposals(visibleTo caller: Caller, page: PageRequest, in town: Town) -> Page<JoinedProposal> {
        let page = Page(of: Decider(caller, in: town, at: clock()).open, page)
        return page.map { JoinedProposal($0, in: town) }
    }

    /// - Throws: `notFound`; `forbidden` for one of the caller's own.
    package func proposal(_ id: Int, for caller: Caller, in town: Town) throws(ServiceError) -> JoinedProposal {
        JoinedProposal(try Decider(caller, in: town, at: clock()).proposal(id), in: town)
    }

    package func waitingCount(for caller: Caller, in town: Town) -> Int {
        waitingCount(of: Decider(caller, in: town, at: clock())) + noticesToConfirm(for: caller, in: town).count
    }

    func waitingCount(of decider: Decider) -> Int {
        let town = decider.town
        if decider.isEditor { return town.eventCount(of: .pendingReview) + decider.openCount }
        return decider.ownBusinesses.reduce(decider.openCount) { count, business in
            count + town.hiddenEventCount(of: .pendingReview, atBusiness: business)
        }
    }

    /// In the version that the caller has read, so that no unread text is published: creates the event or changes the
    /// business. The words, the changes and the address of the sender are deleted.
    ///
    /// The transaction throws `notFound`, `alreadyDecided`, `preconditionRequired`, `preconditionFailed`, `forbidden`
    /// for an event that the caller moved to a place where they do not decide, and `invalid`.
    ///
    /// - Parameters:
    ///   - versions: the version in the body; nil when it is in the precondition.
    ///   - compared: the version of the business or event with which the caller has compared the changes; nil for any.
    package func acceptProposal(
        _ id: Int, with edited: ProposedChanges? = nil, versions: Precondition.Versions?,
        compared: Precondition.Versions? = nil, for context: RequestContext
    ) -> Transaction<Outcome> {
        decide(id, for: context) { [self] proposal, decider, now, transaction in
            if let versions {
                try Precondition(required: versions).require(proposal, in: transaction.town)
            } else if context.precondition.required?.namesVersions != true {
                throw ServiceError.preconditionRequired
            }
            var event: Int?
            switch proposal.about {
            case .event: event = try publish(proposal, edited, compared, by: decider, for: context, &transaction)
            case .business: try changeBusiness(of: proposal, edited, compared, by: decider, &transaction)
            }
            return proposal.closed(as: .accepted, by: context.caller.personID, event: event, at: now)
        }
    }

    /// Its words, its changes and the address of its sender are deleted.
    ///
    /// The transaction throws `notFound`, `alreadyDecided`, `preconditionFailed` and `invalid`.
    ///
    /// - Parameters:
    ///   - reason: only for a sender without an account, who cannot read it, it may be empty.
    ///   - link: the host or the address of one of its links, with which nothing is taken any more; only for editors.
    package func rejectProposal(
        _ id: Int, reason: String, blocking link: String? = nil, for context: RequestContext
    ) -> Transaction<Outcome> {
        decide(id, for: context) { proposal, decider, now, transaction in
            let isBlank = reason.unicodeScalars.allSatisfy(\.properties.isWhitespace)
            if isBlank, !proposal.isOfStranger { throw ServiceError.invalid("reason", "must not be empty") }
            let rejected = proposal.closed(
                as: .rejected, reason: isBlank ? nil : reason, by: context.caller.personID, at: now)
            let problems = rejected.problemsBeforeStoring
            guard problems.isEmpty else { throw ServiceError.invalid(problems) }
            if let link { try transaction.block(link, of: proposal, by: decider) }
            return rejected
        }
    }

    private func decide(
        _ id: Int, for context: RequestContext,
        _ decision: @escaping @Sendable (Proposal, Decider, Timestamp, inout WriteTransaction) throws -> Proposal
    ) -> Transaction<Outcome> {
        once(for: context, .member) { [self] transaction in
            let now = expiryClock.now()
            let decider = Decider(context.caller, in: transaction.town, at: now)
            let proposal = try decider.proposal(id)
            guard proposal.isOpen else { throw ServiceError.alreadyDecided(proposal.state) }
            try context.precondition.require(proposal, in: transaction.town)
            let closed = transaction.put(try decision(proposal, decider, now, &transaction), at: now)
            return .updated(closed.joined(in: transaction.town))
        }
    }

    private func publish(
        _ proposal: Proposal, _ edited: ProposedChanges?, _ versions: Precondition.Versions?, by decider: Decider,
        for context: RequestContext, _ transaction: inout WriteTransaction
    ) throws -> Int {
        let town = transaction.town
        let corrected = JoinedProposal(proposal, in: town).corrected
        if let corrected {
            try Precondition(required: versions).require(corrected, in: town)
            guard decider.mayDecide(at: town.business(of: corrected), sentAt: proposal.sentAt) else {
                throw ServiceError.forbidden
            }
        } else if proposal.event != nil {
            throw ServiceError.notFound(.record(.event))
        }
        var (patch, problems) = (Patch<Event>(), FieldProblems())
        switch edited {
        case .event(let input, let times):
            (patch, problems) = input.restricted(to: SettableFields.event)
            times.set(in: &patch, of: corrected, at: eventClock(of: town, at: clock()), in: town, &problems)
        case .business: throw ServiceError.invalid("changes", "are those of a business, not of an event")
        case nil:
            let proposed = PatchInput(proposal.changes(of: Event.self, &problems), problems)
            (patch, problems) = proposed.restricted(to: SettableFields.proposedEvent)
        }
        checkTimeZone(patch.values.timeZone, &problems)
        if let corrected {
            moveExceptions(of: corrected, with: &patch, in: town)
            checkExceptions(of: patch, after: corrected, in: town, &problems)
        } else {
            if !patch.fields.contains("business"), let business = proposal.business.flatMap({ town.businesses[$0] }) {
                patch.values.business = business.slug
                patch.fields.insert("business")
            }
            (patch.values.submittedBy, patch.values.status) = (proposal.submittedBy, .approved)
            patch.fields.formUnion(["submitted_by", "status"])
        }
        let write = { [patch] (transaction: inout WriteTransaction) throws(WriteError) -> Int in
            guard let corrected else { return try transaction.create(patch).id }
            try transaction.update(corrected.id, patch)
            return corrected.id
        }
        try transaction.requireNone(of: problems, hiding: context.caller.hiddenBusiness(in: patch, town)) {
            trial throws(WriteError) in
            _ = try write(&trial)
        }
        // The sender, or the one who decides, may have moved it.
        let place = patch.values.business.flatMap { town.businesses[$0] }
        if patch.fields.contains("business"), !decider.mayDecide(at: place, sentAt: proposal.sentAt) {
            throw ServiceError.forbidden
        }
        let id = try write(&transaction)
        try requireFutureEvents(id, after: corrected, for: context.caller, in: transaction.town)
        if corrected == nil { tellSubmitter(of: id, notTo: context.caller.personID, in: &transaction, at: clock()) }
        return id
    }

    /// One as text changes nothing unless the caller has edited it.
    private func changeBusiness(
        of proposal: Proposal, _ edited: ProposedChanges?, _ versions: Precondition.Versions?, by decider: Decider,
        _ transaction: inout WriteTransaction
    ) throws {
        guard let business = proposal.business.flatMap({ transaction.town.businesses[$0] }) else {
            throw ServiceError.notFound(.record(.business))
        }
        try Precondition(required: versions).require(business, in: transaction.town)
        var problems = FieldProblems()
        let input: PatchInput<Business>
        switch edited {
        case .business(let given): input = given
        case .event: throw ServiceError.invalid("changes", "are those of an event, not of a business")
        case nil: input = PatchInput(proposal.changes(of: Business.self, &problems), problems)
        }
        var patch: Patch<Business>
        (patch, problems) = input.restricted(
            to: edited == nil ? SettableFields.ownBusiness : decider.settableFields)
        checkTimeZone(patch.values.timeZone, &problems)
        problems.add(consequences: patch.values.problemsWithIDs(of: business))
        try transaction.requireNone(of: problems) { [patch] trial throws(WriteError) in
            try trial.update(business.id, patch)
        }
        try transaction.update(business.id, patch)
    }
}

package enum ProposedChanges: Sendable {
    case event(PatchInput<Event>, times: EventTimes = EventTimes())
    case business(PatchInput<Business>)
}

struct Decider {
    let isSuperAdmin: Bool
    /// For the town, except for what concerns a business with an owner, who has some days to decide.
    let isEditor: Bool
    /// Nil for the owner of the data folder.
    let person: Person?
    let town: Town
    let now: Timestamp

    init(_ caller: Caller, in town: Town, at now: Timestamp) {
        self.init(
            isSuperAdmin: caller.isSuperAdmin(in: town), isEditor: caller.isEditor(in: town), caller.person(in: town),
            in: town, at: now)
    }

    init(_ person: Person, in town: Town, at now: Timestamp) {
        let isSuperAdmin = person.role == .superAdmin
        self.init(
            isSuperAdmin: isSuperAdmin, isEditor: isSuperAdmin || person.role == .editor, person, in: town, at: now)
    }

    init(isSuperAdmin: Bool, isEditor: Bool, _ person: Person?, in town: Town, at now: Timestamp) {
        (self.isSuperAdmin, self.isEditor, self.person) = (isSuperAdmin, isEditor, person)
        (self.town, self.now) = (town, now)
    }

    var settableFields: FieldSet<Business> {
        if isSuperAdmin { return SettableFields.business }
        return isEditor ? SettableFields.editedBusiness : SettableFields.ownBusiness
    }

    func mayDecide(on proposal: Proposal) -> Bool {
        mayDecide(at: proposal.business.flatMap { town.businesses[$0] }, sentAt: proposal.sentAt)
    }

    func mayDecide(at business: BusinessRecord?, sentAt: Timestamp) -> Bool {
        if isSuperAdmin { return true }
        guard let person else { return false }
        guard let business else { return isEditor }
        if business.isManaged(by: person) { return true }
        let owner = business.ownerID.flatMap { town.people[$0] }
        let hasOwner = owner.map(business.isManaged) ?? false
        let end = sentAt.advanced(bySeconds: ProposalLimits.standard.ownersSeconds)
        return isEditor && (!hasOwner || end <= now)
    }

    func proposal(_ id: Int) throws(ServiceError) -> Proposal {
        guard let proposal = town.proposals[id] else { throw .notFound(.record(.proposal)) }
        if mayDecide(on: proposal) { return proposal }
        let isOwn = proposal.submittedBy != nil && proposal.submittedBy == person?.id
        throw isOwn ? .forbidden : .notFound(.record(.proposal))
    }

    var ownBusinesses: [Int] {
        guard let person, person.role != .generalUser else { return [] }
        return town.businesses.owned(by: person.id)
    }

    var open: [Proposal] {
        if isSuperAdmin { return Array(town.proposals.open) }
        if isEditor { return town.proposals.open.filter(mayDecide) }
        return ownBusinesses.flatMap(town.proposals.open(at:)).sorted { $0.id < $1.id }
    }

    var openCount: Int { isSuperAdmin ? town.proposals.openCount : open.count }
}

extension WriteTransaction {
    fileprivate mutating func block(_ link: String, of proposal: Proposal, by decider: Decider) throws {
        guard decider.isEditor || decider.isSuperAdmin else { throw ServiceError.forbidden }
        guard proposal.links.contains(where: { [$0.host, $0.address].contains(where: link.hasSameBytes) }) else {
            throw ServiceError.invalid("block", "must be one of its links")
        }
        let others = town.settings.value.blockedLinks.filter { !$0.hasSameBytes(as: link) }
        var patch = Patch<Settings>()
        patch.values.blockedLinks = others.suffix(Settings.mostBlockedLinks - 1) + [link]
        patch.fields = ["blocked_links"]
        try upsert(patch)
    }
}

extension Caller {
    func mayRepeat(_ proposal: Proposal, in town: Town) -> Bool {
        if proposal.submittedBy != nil, proposal.submittedBy == personID { return true }
        return Decider(self, in: town, at: proposal.decidedAt ?? proposal.sentAt).mayDecide(on: proposal)
    }
}
