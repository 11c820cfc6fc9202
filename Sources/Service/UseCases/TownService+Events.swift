import Bytes
import Platform
import SookeModel
import Store

extension TownService {
    /// One that is not public, or has no date left, is visible to its submitter and those who may decide on it only.
    package func event(
        _ slug: Slug, for caller: Caller, in town: Town
    ) throws(ServiceError) -> Located<EventRecord> {
        if let event = town.events[slug], event.value.isVisible(to: caller, in: town) {
            let hasDates = event.hasDates(at: eventClock(of: town, at: clock()), town.business(of: event))
            guard hasDates || event.value.isKnown(to: caller, in: town) else { throw .notFound(.record(.event)) }
            return .found(event)
        }
        // A public event takes precedence over one that is not.
        if let moved = town.events.publicEvent(formerly: slug) { return .moved(moved.value.slug) }
        if let moved = town.events[pending: slug], moved.value.isKnown(to: caller, in: town) {
            return .moved(moved.value.slug)
        }
        guard let composed = slug.composed else { throw .notFound(.record(.event)) }
        switch try event(composed, for: caller, in: town) {
        case .found(let event): return .moved(event.value.slug)
        case .moved(let slug): return .moved(slug)
        }
    }

    package func events(
        of status: Event.Status, page: PageRequest, for caller: Caller, in town: Town
    ) throws(ServiceError) -> Page<EventRecord> {
        guard status.isPublic || caller.isKnown else { throw .loginRequired }
        if status.isPublic || caller.isEditor(in: town) { return town.page(page, of: EventStatusQuery(status)) }
        guard let person = caller.person(in: town) else { throw .invalidToken }
        let reader = EventStatusQuery.Reader(id: person.id, isOwner: person.role != .generalUser)
        return town.page(page, of: EventStatusQuery(status, visibleTo: reader))
    }

    /// It waits for a decision, unless the caller may publish at its place. See `EventTimes`.
    package func createEvent(
        _ input: PatchInput<Event>, times: EventTimes = EventTimes(), for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .member) { [self] transaction in
            let caller = context.caller
            var (patch, problems) = input.restricted(to: SettableFields.event)
            times.set(
                in: &patch, of: nil, at: eventClock(of: transaction.town, at: clock()), in: transaction.town, &problems)
            checkTimeZone(patch.values.timeZone, &problems)
            checkExceptions(of: patch, after: nil, in: transaction.town, &problems)
            let isPublished = caller.mayPublish(at: patch.values.business, in: transaction.town)
            patch.values.submittedBy = caller.personID
            patch.values.status = isPublished ? .approved : .pendingReview
            patch.fields.formUnion(["submitted_by", "status"])
            if !isPublished {
                try caller.requirePendingEvents(in: transaction.town)
                if !patch.values.slug.isEmpty { problems.add("slug", Self.slugBeforeApproval) }
                let slug = try Self.pendingSlug(for: patch.values.name)
                (patch.values.slug, patch.values.pendingSlug) = (slug, slug)
                patch.fields.formUnion(["slug", "pending_slug"])
            }
            let hidden = caller.hiddenBusiness(in: patch, transaction.town)
            try transaction.requireNone(of: problems, hiding: hidden) { [patch] trial throws(WriteError) in
                try trial.create(patch)
            }
            let id = try transaction.create(patch).id
            try requireFutureEvents(id, after: nil, for: caller, in: transaction.town)
            if !isPublished {
                let place = transaction.town.events[id].flatMap { transaction.town.business(of: $0) }
                tellDeciders(at: place, notTo: caller.personID, in: &transaction, at: clock())
            }
            return .created(try transaction.town.joined(Event.self, id: id))
        }
    }

    /// A public one that moves to a business where the caller may not publish waits for a decision.
    package func updateEvent(
        _ slug: Slug, _ input: PatchInput<Event>, times: EventTimes = EventTimes(), for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .eventEditor, at: slug) { [self] transaction in
            let caller = context.caller
            let event = try event(slug, matching: context.precondition, in: transaction.town)
            var (patch, problems) = input.restricted(to: SettableFields.event)
            times.set(
                in: &patch, of: event, at: eventClock(of: transaction.town, at: clock()), in: transaction.town,
                &problems)
            checkTimeZone(patch.values.timeZone, &problems)
            moveExceptions(of: event, with: &patch, in: transaction.town)
            checkExceptions(of: patch, after: event, in: transaction.town, &problems)
            if patch.fields.contains("slug"), patch.values.slug != event.value.slug, !event.value.status.isPublic {
                if !caller.mayPublish(at: event.value.business, in: transaction.town) {
                    problems.add("slug", Self.slugBeforeApproval)
                }
                // It is made from the name when the event becomes public.
                if patch.values.slug.isEmpty { patch.fields = patch.fields.subtracting(["slug"]) }
            }
            // The reviewer of the old place must not publish an event at another owner's business.
            if patch.fields.contains("business"), event.value.status.isPublic,
                patch.values.business != event.value.business,
                !caller.mayPublish(at: patch.values.business, in: transaction.town)
            {
                try caller.requirePendingEvents(in: transaction.town)
                patch.values.status = .pendingReview
                patch.fields.insert("status")
            }
            let isMoved = patch.values.business != event.value.business
            let hidden = isMoved ? caller.hiddenBusiness(in: patch, transaction.town) : nil
            try transaction.requireNone(of: problems, hiding: hidden) { [patch] trial throws(WriteError) in
                try trial.update(event.value.id, patch)
            }
            try transaction.update(event.value.id, patch)
            try requireFutureEvents(event.id, after: event, for: caller, in: transaction.town)
            return .updated(try transaction.town.joined(Event.self, id: event.value.id))
        }
    }

    package func deleteEvent(_ slug: Slug, for context: RequestContext) -> Transaction<Outcome> {
        once(for: context, .eventEditor, at: slug) { [self] transaction in
            let event = try event(slug, matching: context.precondition, in: transaction.town).value
            try transaction.removeForNow(event)
            return .deleted
        }
    }

    func event(
        _ slug: Slug, matching precondition: Precondition, in town: Town
    ) throws(ServiceError) -> EventRecord {
        guard let event = town.event(at: slug) else { throw .notFound(.record(.event)) }
        try precondition.require(event, in: town)
        return event
    }

    /// Checks, after a change that makes an event one of the listed ones that are not over, that its submitter does not
    /// have too many of them. Editors may go beyond.
    func requireFutureEvents(
        _ id: Int, after before: EventRecord?, for caller: Caller, in town: Town
    ) throws(ServiceError) {
        if caller.isEditor(in: town) { return }
        let (clock, limit) = (eventClock(of: town, at: clock()), AccountLimits.standard.futureEvents)
        guard let event = town.events[id], event.isFuture(at: clock, in: town),
            before?.isFuture(at: clock, in: town) != true,
            let person = event.value.submittedBy ?? caller.personID,
            town.hasFutureEvents(above: limit, submittedBy: person, at: clock)
        else { return }
        throw .limited(.futureEvents(limit), seconds: 3600)
    }

    private static let slugBeforeApproval =
        "cannot be given before the event is public; approval makes it from the name"

    /// Random, so that neither an error nor a number at the end of a slug reveals pending events.
    private static func pendingSlug(for name: String) throws(ServiceError) -> Slug {
        let plain = Slug.make(from: name)
        if plain.isEmpty { return plain }
        guard let random = try? RandomSource.bytes(8) else { throw .internalError }
        return Slug("\(plain.text)-\(Hex.encode(random))")
    }
}

extension Caller {
    /// Submitting an event at a business that is not visible to the caller must not reveal its name and place: the
    /// event is rejected as if there were no such business.
    func hiddenBusiness(in patch: Patch<Event>, _ town: Town) -> BusinessRecord? {
        guard patch.fields.contains("business"), let slug = patch.values.business,
            let business = town.businesses[slug], !business.isVisible(to: self, in: town)
        else { return nil }
        return business
    }

    package func mayPublish(at slug: Slug?, in town: Town) -> Bool {
        if isEditor(in: town) { return true }
        guard let person = person(in: town), let slug else { return false }
        return town.businesses[slug]?.isManaged(by: person) ?? false
    }

    /// That one more event of the caller may wait for a decision.
    func requirePendingEvents(in town: Town) throws(ServiceError) {
        guard let personID else { return }
        let limit = TownService.pendingEventLimit
        guard town.hiddenEventCount(of: .pendingReview, submittedBy: personID) >= limit else { return }
        throw .limited(.pendingEvents(limit), seconds: 3600)
    }
}
