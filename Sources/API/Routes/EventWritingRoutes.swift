import HTTP
import Service
import SookeModel

/// `/events`: submitting, changing and deciding.
enum EventWritingRoutes {
    private static let path = "/api/v1/events"

    static func add(to routes: inout RouterBuilder<Route>) {
        routes.post(
            path,
            .transaction(
                "Submits an event", .member, takes: .one(.event), gives: .one(.event), status: .created, create))
        routes.patch(
            path + "/{slug}",
            .transaction("Changes an event", .eventEditor, takes: .patch(.event), gives: .one(.event), update))
        routes.delete(
            path + "/{slug}",
            .transaction("Withdraws or removes an event", .eventEditor, gives: .nothing, status: .noContent, remove))
        routes.post(
            path + "/{slug}/approve",
            .transaction(
                "Approves an event in the version that was read", .eventReviewer, takes: .one(.approval),
                gives: .one(.event),
                approve))
        routes.post(
            path + "/{slug}/reject",
            .transaction("Rejects an event", .eventReviewer, takes: .one(.rejection), gives: .one(.event)) {
                call throws(HTTPError) in
                let reason = try call.validFields(.rejection, maximumBytes: Event.longestReason)["reason"] ?? ""
                return try call.town.rejectEvent(call.slug(), reason: reason, for: call.context())
            })
        routes.post(
            path + "/{slug}/cancel",
            .transaction("Cancels a public event", .eventReviewer, gives: .one(.event)) {
                call throws(HTTPError) in
                try call.town.cancelEvent(call.slug(), for: call.context())
            })
        routes.post(
            path + "/{slug}/resubmit",
            .transaction("Resubmits an event", .eventEditor, gives: .one(.event)) { call throws(HTTPError) in
                try call.town.resubmitEvent(call.slug(), for: call.context())
            })
    }

    private static func create(_ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        try call.town.createEvent(call.patch(), for: call.context())
    }

    private static func update(_ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        try call.town.updateEvent(call.slug(), call.patch(), for: call.context())
    }

    private static func remove(_ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        try call.town.deleteEvent(call.slug(), for: call.context())
    }

    /// The version is given by `If-Match` or in the body.
    private static func approve(_ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        let version = call.request.body.isEmpty ? nil : try call.validFields(.approval)["version"]
        return try call.town.approveEvent(
            call.slug(), versions: version.map(Precondition.Versions.init(named:)), for: call.context())
    }
}
