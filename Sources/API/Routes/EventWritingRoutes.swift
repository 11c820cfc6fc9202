import Bytes
import Credentials
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
            .change(
                "Makes an event public, as it was read", .eventReviewer, takes: .one(.approval), gives: .one(.event),
                approve))
        routes.post(
            path + "/{slug}/reject",
            .change("Turns an event down", .eventReviewer, takes: .one(.rejection), gives: .one(.event)) {
                call throws(HTTPError) in
                let reason = try call.fields(.rejection, maximumBytes: Event.longestReason)["reason"] ?? ""
                var problems = FieldProblems()
                problems.require(
                    reason.unicodeScalars.contains { !$0.properties.isWhitespace }, "reason", "must not be empty")
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
        let pendingSlug = try pendingSlug(for: given.values.name)
        return PlannedChange { edit in
            var patch = given
            patch.values.submittedBy = call.caller.personID
            patch.values.status =
                mayPublish(call, at: given.values.business, in: edit.community) ? .approved : .pendingReview
            patch.fields.formUnion(["submitted_by", "status"])
            if patch.values.status == .pendingReview {
                try requireRoom(call, in: edit.community)
                (patch.values.slug, patch.values.pendingSlug) = (pendingSlug, pendingSlug)
                patch.fields.formUnion(["slug", "pending_slug"])
            }
            let setsSlug = patch.values.status == .pendingReview && !given.values.slug.isEmpty
            let hidden = hiddenBusiness(patch, from: call, in: edit.community)
            try refuse(settingSlug: setsSlug, at: hidden, in: edit) { [patch] edit throws(EditError) in
                try edit.create(patch)
            }
            let event = try edit.create(patch)
            return try answer(call, event.id, in: edit.community, status: .created)
        }
    }

    private static func update(_ call: Call) throws(HTTPError) -> PlannedChange {
        let patch = try call.patch(of: Event.self, allowing: fields)
        let slug = try call.slug()
        return PlannedChange { edit in
            let event = try known(slug, in: edit.community)
            try call.requireMatch(event.digest)
            var patch = patch
            var setsSlug = false
            if patch.fields.contains("slug"), patch.values.slug != event.value.slug, !event.value.status.isPublic {
                setsSlug = !mayPublish(call, at: event.value.business, in: edit.community)
                // Made from the name when it is public.
                if patch.values.slug.isEmpty { patch.fields = patch.fields.subtracting(["slug"]) }
            }
            // Who may decide at the old place must not put a public event before another's door.
            if patch.fields.contains("business"), event.value.status.isPublic,
                patch.values.business != event.value.business,
                !mayPublish(call, at: patch.values.business, in: edit.community)
            {
                try requireRoom(call, in: edit.community)
                patch.values.status = .pendingReview
                patch.fields.insert("status")
            }
            let isMoved = patch.values.business != event.value.business
            let hidden = isMoved ? hiddenBusiness(patch, from: call, in: edit.community) : nil
            try refuse(settingSlug: setsSlug, at: hidden, in: edit) { [patch] edit throws(EditError) in
                try edit.update(event.value.id, patch)
            }
            try edit.update(event.value.id, patch)
            return try answer(call, event.value.id, in: edit.community)
        }
    }

    private static func remove(_ call: Call) throws(HTTPError) -> PlannedChange {
        let slug = try call.slug()
        return PlannedChange { edit in
            let event = try known(slug, in: edit.community)
            try call.requireMatch(event.digest)
            try edit.deleteEvent(event.value.id)
            return Response(.noContent)
        }
    }

    /// The slug of an event that waits for a decision: nobody can guess it, so no refusal and no number behind a slug
    /// says what is waiting.
    ///
    /// - Throws: 500 when the system has no random bytes.
    private static func pendingSlug(for name: String) throws(HTTPError) -> Slug {
        let plain = Slug.make(from: name)
        if plain.isEmpty { return plain }
        do {
            return Slug("\(plain.text)-\(Hex.encode(try RandomBytes.make(8)))")
        } catch {
            throw HTTPError(error)
        }
    }

    /// Refuses a step that sets a slug which is not the caller's to choose, or that puts an event at a business which
    /// does not exist for the caller. Nothing to do in other cases.
    ///
    /// - Throws: 422 with everything that is wrong with the event.
    private static func refuse(
        settingSlug: Bool, at hidden: BusinessRecord?, in edit: Edit,
        trying step: (inout Edit) throws(EditError) -> Void
    ) throws(HTTPError) {
        if !settingSlug, hidden == nil { return }
        var trial = hidden.map(edit.without) ?? Edit(edit.community)
        var problems = FieldProblems()
        do {
            try step(&trial)
        } catch {
            // Not whether the slug is taken.
            if case .invalid(let found) = error { problems = found }
        }
        if settingSlug {
            problems.add("slug", "cannot be given before the event is public; approval makes it from the name")
        }
        throw HTTPError(problems)
    }

    // MARK: - Decisions

    /// Approves what was read: `If-Match` or the body names the version, so that the text that becomes public is not
    /// another than that on which somebody decided.
    private static func approve(_ call: Call) throws(HTTPError) -> PlannedChange {
        let version = call.request.body.isEmpty ? nil : try call.fields(.approval)["version"]
        return try decide(call, from: [.pendingReview, .rejected, .draft], to: .approved) {
            event throws(HTTPError) in
            try call.requireVersion(version, of: event.digest)
        }
    }

    private static func decide(
        _ call: Call, from: Set<Event.Status>, to status: Event.Status, reason: String? = nil,
        requiring check: @escaping @Sendable (EventRecord) throws(HTTPError) -> Void = { _ in }
    ) throws(HTTPError) -> PlannedChange {
        let slug = try call.slug()
        return PlannedChange { edit in
            let event = try known(slug, in: edit.community)
            try call.requireMatch(event.digest)
            try check(event)
            guard from.contains(event.value.status) else {
                throw HTTPError(
                    .conflict, code: "wrong_status",
                    message: "the event is \(event.value.status.rawValue); this goes for "
                        + from.map(\.rawValue).sorted().joined(separator: " or ") + " only")
            }
            if status == .pendingReview { try requireRoom(call, in: edit.community) }
            var patch = Patch<Event>()
            (patch.values.status, patch.values.reason) = (status, reason)
            patch.fields = ["status", "reason"]
            let isFirstTime = status.isPublic && event.value.slug == event.value.pendingSlug
            if isFirstTime, !Slug.make(from: event.value.name).isEmpty { patch.fields.insert("slug") }
            _ = try edit.update(event.value.id, patch)
            return try answer(call, event.value.id, in: edit.community)
        }
    }

    /// The business that an event is put at, when the caller may not know of it: nobody learns its name and place by
    /// submitting an event there. Without that business the event is then refused.
    private static func hiddenBusiness(
        _ patch: Patch<Event>, from call: Call, in community: Community
    ) -> BusinessRecord? {
        guard patch.fields.contains("business"), let slug = patch.values.business,
            let business = community.businesses[slug], !business.isVisible(to: call.caller, in: community)
        else { return nil }
        return business
    }

    /// Whether what the caller adds there needs nobody's consent.
    private static func mayPublish(_ call: Call, at slug: Slug?, in community: Community) -> Bool {
        if call.caller.isSuperAdmin(in: community) { return true }
        guard let person = call.caller.person(in: community), let slug else { return false }
        var event = Event()
        event.business = slug
        return event.isLookedAfter(by: person, in: community)
    }

    /// - Throws: 429 when as many of the caller's events wait as may.
    private static func requireRoom(_ call: Call, in community: Community) throws(HTTPError) {
        guard let person = call.caller.personID else { return }
        guard community.hiddenEventCount(of: .pendingReview, submittedBy: person) >= pendingLimit else { return }
        throw HTTPError(
            .tooManyRequests, code: "too_many_pending",
            message: "\(pendingLimit) of your events wait for a decision; wait for one, or withdraw one",
            headers: ["Retry-After": "3600"])
    }

    private static func known(_ slug: Slug, in community: Community) throws(HTTPError) -> EventRecord {
        guard let event = community.event(at: slug) else { throw .noSuchEvent }
        return event
    }

    private static func answer(
        _ call: Call, _ id: Int, in community: Community, status: Status = .ok
    ) throws(HTTPError) -> Response {
        guard let event = community.events[id] else { throw .noSuchEvent }
        return .changed(
            call.detail(of: event, in: community), record: ShownRecord(event), at: path + "/", event.value.slug,
            status: status)
    }

    /// What the routes of decisions set, or the server itself, cannot be given.
    private static let fields = FieldSet<Event> { $0.isGiven }
}
