import SookeModel
import Store

/// A member submits an event (`pending_review`). The owner of the business where it happens, or an editor, approves it
/// or rejects it with a reason. A rejected one may be changed and resubmitted, also at another place; an approved one
/// may be cancelled. An event that an owner adds at their own business, or an editor anywhere, is approved at once.
extension TownService {
    package static let pendingEventLimit = 5

    /// In the version that the caller has read, so that no unread text is published. `versions` is the one in the body;
    /// nil when it is in the precondition.
    package func approveEvent(
        _ slug: Slug, versions: Precondition.Versions?, for context: RequestContext
    ) -> Transaction<Outcome> {
        decide(slug, from: [.pendingReview, .rejected, .draft], to: .approved, for: context) {
            event, town throws(ServiceError) in
            if let versions {
                try Precondition(required: versions).require(event, in: town)
            } else if context.precondition.required?.namesVersions != true {
                throw .preconditionRequired
            }
        }
    }

    package func rejectEvent(_ slug: Slug, reason: String, for context: RequestContext) -> Transaction<Outcome> {
        decide(slug, from: [.pendingReview, .approved], to: .rejected, reason: reason, for: context) {
            _, _ throws(ServiceError) in
            if !reason.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) {
                throw .invalid("reason", "must not be empty")
            }
        }
    }

    package func cancelEvent(_ slug: Slug, for context: RequestContext) -> Transaction<Outcome> {
        decide(slug, from: [.approved], to: .cancelled, for: context)
    }

    package func resubmitEvent(_ slug: Slug, for context: RequestContext) -> Transaction<Outcome> {
        decide(slug, .eventEditor, from: [.rejected, .draft], to: .pendingReview, for: context)
    }

    private func decide(
        _ slug: Slug, _ access: Access = .eventReviewer, from allowed: Set<Event.Status>, to status: Event.Status,
        reason: String? = nil, for context: RequestContext,
        requiring check: @escaping @Sendable (EventRecord, Town) throws(ServiceError) -> Void = { _, _ in }
    ) -> Transaction<Outcome> {
        once(for: context, access, at: slug) { [self] transaction in
            let event = try event(slug, matching: context.precondition, in: transaction.town)
            try check(event, transaction.town)
            guard allowed.contains(event.value.status) else {
                throw ServiceError.wrongStatus(event.value.status, allowed: allowed)
            }
            if status == .pendingReview { try context.caller.requirePendingEvents(in: transaction.town) }
            var patch = Patch<Event>()
            (patch.values.status, patch.values.reason) = (status, reason)
            patch.fields = ["status", "reason"]
            if status == .cancelled {
                (patch.values.cancelledAt, patch.values.cancelledBy) = (clock(), context.caller.personID)
                patch.fields.formUnion(["cancelled_at", "cancelled_by"])
            }
            let isFirstTime = status.isPublic && event.value.slug == event.value.pendingSlug
            if isFirstTime, !Slug.make(from: event.value.name).isEmpty { patch.fields.insert("slug") }
            try transaction.update(event.value.id, patch)
            try requireFutureEvents(event.id, after: event, for: context.caller, in: transaction.town)
            if status == .pendingReview {
                let place = transaction.town.business(of: event)
                tellDeciders(at: place, notTo: context.caller.personID, in: &transaction, at: clock())
            }
            tellSubmitter(of: event.id, notTo: context.caller.personID, in: &transaction, at: clock())
            return .updated(try transaction.town.joined(Event.self, id: event.value.id))
        }
    }
}
