import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// `/events`: submitting, changing and deciding.
enum EventWritingRoutes {
    private static let path = "/api/v1/events"

    static func add(to routes: inout RouteList) {
        routes.add(
            .post, path, "Submits an event", .member, takes: .one(.event), gives: .one(.event), status: .created,
            .transaction { call in
                let (fields, times) = try call.eventFields()
                return try call.service.createEvent(fields, times: times, for: call.context())
            })
        routes.add(
            .patch, path + "/{slug}", "Changes an event", .eventEditor, takes: .patch(.event), gives: .one(.event),
            .transaction { call in
                let (fields, times) = try call.eventFields()
                return try call.service.updateEvent(call.slug(), fields, times: times, for: call.context())
            })
        routes.add(
            .delete, path + "/{slug}", "Withdraws or removes an event", .eventEditor, gives: .nothing,
            status: .noContent,
            .transaction { try $0.service.deleteEvent($0.slug(), for: $0.context()) })
        routes.add(
            .post, path + "/{slug}/approve", "Approves an event in the version that was read", .eventReviewer,
            takes: .one(.approval), gives: .one(.event), .transaction(approve))
        routes.add(
            .post, path + "/{slug}/reject", "Rejects an event", .eventReviewer, takes: .one(.rejection),
            gives: .one(.event),
            .transaction { call in
                let reason = try call.validFields(.rejection, maximumBytes: Event.longestReason)["reason"] ?? ""
                return try call.service.rejectEvent(call.slug(), reason: reason, for: call.context())
            })
        routes.add(
            .post, path + "/{slug}/cancel", "Cancels a public event", .eventReviewer, gives: .one(.event),
            .transaction { try $0.service.cancelEvent($0.slug(), for: $0.context()) })
        routes.add(
            .post, path + "/{slug}/resubmit", "Resubmits an event", .eventEditor, gives: .one(.event),
            .transaction { try $0.service.resubmitEvent($0.slug(), for: $0.context()) })
    }

    /// The version is given by `If-Match` or in the body.
    private static func approve(_ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        let version = call.request.body.isEmpty ? nil : try call.validFields(.approval)["version"]
        return try call.service.approveEvent(
            call.slug(), versions: version.map(Precondition.Versions.init(named:)), for: call.context())
    }
}

extension Call {
    fileprivate func eventFields() throws(HTTPError) -> (PatchInput<Event>, EventTimes) {
        try read { reader throws(JSONError) in try reader.readEventFields() }
    }
}

extension JSONReader {
    mutating func readEventFields() throws(JSONError) -> (PatchInput<Event>, EventTimes) {
        var again = self
        var (times, problems) = (EventTimes(), FieldProblems())
        var patch = try Patch<Event>(from: &self, ignoring: EventTimes.names, &problems)
        problems.remove(EventTimes.names)
        patch.fields = patch.fields.subtracting(["starts_at", "ends_at", "starts_local", "ends_local"])
        guard try again.peek() == .object else { return (PatchInput(patch, problems), times) }
        try again.beginObject()
        while let name = try again.nextKey() {
            guard let known = EventTimes.names.first(where: name.hasSameBytes(as:)) else {
                try again.skipValue()
                continue
            }
            var found = FieldProblems()
            times.given[known] = try Optional<LocalTime>.read("", .any, from: &again, &found)
            // An app that sends instants is told of instants.
            let shape = "must be \(LocalTime.shape)"
            for problem in found.all {
                let isShape = known.hasSuffix("_at") && problem.message.hasPrefix(shape)
                let rest = problem.message.dropFirst(shape.count)
                problems.add(known, isShape ? "must be \(Timestamp.shape)\(rest)" : problem.message)
            }
        }
        return (PatchInput(patch, problems), times)
    }
}

extension Schema {
    static let rejection = Schema("rejection", .required("reason", "Why; not empty"))
    static let approval = Schema(
        "approval",
        .given(
            "version",
            "Which version was read: the part of its entity tag before the dot; may be left out with If-Match"))
}
