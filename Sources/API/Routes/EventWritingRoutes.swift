import HTTP
import SookeModel
import Store

/// `/events`: submitting, deciding and changing.
///
/// An event's way: a member submits it (`pending_review`); who looks after its place, or after the town, approves or
/// rejects it with a reason; a rejected one may be changed and resubmitted, also at another place; an approved one may
/// be cancelled. What an owner adds at their own place, or a super admin anywhere, is approved at once.
enum EventWritingRoutes {
    private static let path = "/api/v1/events"
    /// So many events of a person may wait for a decision at once.
    static let pendingLimit = 5

    static func add(to routes: inout RouterBuilder<Route>) {
        routes.post(
            path,
            .change("Submits an event", .member, takes: .one(.event), gives: .one(.event), status: .created, create))
        routes.patch(
            path + "/{slug}",
            .change("Changes an event", .eventEditor, takes: .patch(.event), gives: .one(.event), update))
        routes.delete(
            path + "/{slug}",
            .change("Withdraws or removes an event", .eventEditor, gives: .nothing, status: .noContent, remove))
        routes.post(
            path + "/{slug}/approve",
            .change("Makes an event public", .eventReviewer, gives: .one(.event)) { call throws(HTTPError) in
                try decide(call, from: [.pendingReview, .rejected, .draft], to: .approved)
            })
        routes.post(
            path + "/{slug}/reject",
            .change("Turns an event down", .eventReviewer, takes: .one(.rejection), gives: .one(.event)) {
                call throws(HTTPError) in
                let reason = try call.texts(.rejection)["reason"] ?? ""
                var problems = FieldProblems()
                problems.require(reason.contains { !$0.isWhitespace }, "reason", "must not be empty")
                guard problems.isEmpty else { throw HTTPError(problems) }
                return try decide(call, from: [.pendingReview, .approved], to: .rejected, reason: reason)
            })
        routes.post(
            path + "/{slug}/cancel",
            .change("Says that a public event will not happen", .eventReviewer, gives: .one(.event)) {
                call throws(HTTPError) in
                try decide(call, from: [.approved], to: .cancelled)
            })
        routes.post(
            path + "/{slug}/resubmit",
            .change("Asks for another decision", .eventEditor, gives: .one(.event)) { call throws(HTTPError) in
                try decide(call, from: [.rejected, .draft], to: .pendingReview)
            })
    }

    // MARK: - The event itself

    private static func create(_ call: Call) throws(HTTPError) -> PlannedChange {
        let given = try call.patch(of: Event.self, allowing: fields)
        return PlannedChange { edit in
            var patch = given
            patch.values.submittedBy = call.caller.personID
            patch.values.status =
                try mayPublish(call, at: given.values.business, in: edit.community)
                ? .approved : .pendingReview
            patch.fields.formUnion([.submittedBy, .status])
            if patch.values.status == .pendingReview { try requireRoom(call, in: edit.community) }
            let event = try edit.create(patch)
            return try answer(call, event.id, in: edit.community, status: .created)
        }
    }

    private static func update(_ call: Call) throws(HTTPError) -> PlannedChange {
        let patch = try call.patch(of: Event.self, allowing: fields)
        let slug = try call.slug()
        return PlannedChange { edit in
            let event = try known(slug, in: edit.community)
            try call.requireMatch(call.detail(of: event, in: edit.community))
            // Who may decide at the old place must not put a public event before another's door.
            var patch = patch
            if patch.fields.contains(.business), event.value.status.isPublic,
                patch.values.business != event.value.business,
                try !mayPublish(call, at: patch.values.business, in: edit.community)
            {
                try requireRoom(call, in: edit.community)
                patch.values.status = .pendingReview
                patch.fields.insert(.status)
            }
            _ = try edit.update(event.value.id, patch)
            return try answer(call, event.value.id, in: edit.community)
        }
    }

    private static func remove(_ call: Call) throws(HTTPError) -> PlannedChange {
        let slug = try call.slug()
        return PlannedChange { edit in
            let event = try known(slug, in: edit.community)
            try call.requireMatch(call.detail(of: event, in: edit.community))
            try edit.deleteEvent(event.value.id)
            return Response(.noContent)
        }
    }

    // MARK: - Decisions

    private static func decide(
        _ call: Call, from: Set<Event.Status>, to status: Event.Status, reason: String? = nil
    ) throws(HTTPError) -> PlannedChange {
        let slug = try call.slug()
        return PlannedChange { edit in
            let event = try known(slug, in: edit.community)
            try call.requireMatch(call.detail(of: event, in: edit.community))
            guard from.contains(event.value.status) else {
                throw HTTPError(
                    .conflict, code: "wrong_status",
                    message: "the event is \(event.value.status.rawValue); this goes for "
                        + from.map(\.rawValue).sorted().joined(separator: " or ") + " only")
            }
            if status == .pendingReview { try requireRoom(call, in: edit.community) }
            var patch = Patch<Event>()
            (patch.values.status, patch.values.reason) = (status, reason)
            patch.fields = [.status, .reason]
            _ = try edit.update(event.value.id, patch)
            return try answer(call, event.value.id, in: edit.community)
        }
    }

    /// Whether what the caller adds there needs nobody's consent.
    ///
    /// - Throws: 422 when there is no such business.
    private static func mayPublish(
        _ call: Call, at slug: Slug?, in community: Community
    ) throws(HTTPError) -> Bool {
        if call.caller.isSuperAdmin(in: community) { return true }
        guard let person = call.caller.person(in: community), let slug else { return false }
        var event = Event()
        event.business = slug
        return event.isLookedAfter(by: person, in: community)
    }

    /// - Throws: 429 when as many of the caller's events wait as may.
    private static func requireRoom(_ call: Call, in community: Community) throws(HTTPError) {
        guard let person = call.caller.personID else { return }
        guard community.eventCount(of: .pendingReview, submittedBy: person) >= pendingLimit else { return }
        throw HTTPError(
            .tooManyRequests, code: "too_many_pending",
            message: "\(pendingLimit) of your events wait for a decision; wait for one, or withdraw one",
            headers: ["Retry-After": "3600"])
    }

    private static func known(_ slug: Slug, in community: Community) throws(HTTPError) -> EventRecord {
        guard let event = community.events[slug] else { throw .noSuchEvent }
        return event
    }

    private static func answer(
        _ call: Call, _ id: Int, in community: Community, status: Status = .ok
    ) throws(HTTPError) -> Response {
        guard let event = community.events[id] else { throw .noSuchEvent }
        return .changed(call.detail(of: event, in: community), at: path + "/", event.value.slug, status: status)
    }

    /// What the routes of decisions set, or the server itself, cannot be given.
    private static let fields: FieldSet<Event.Field> = Shape.Noun.event.given()
}
