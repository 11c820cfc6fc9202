import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/calendars`: those of others whose events are fetched; `/calendar-checks`: what one would bring.
enum PulledCalendarRoutes {
    private static let path = "/api/v1/calendars"
    private static let checks = "/api/v1/calendar-checks"

    static func add(to routes: inout RouteList) {
        routes.add(
            .get, path, "Lists the calendars that are fetched: an editor's own, to super admins all", .editor,
            gives: .items(.calendar),
            .read { call in
                .plainJSON(
                    .items(call.service.calendars(for: call.caller, in: call.town)) { $1.raw($0.body(for: call)) })
            })
        routes.add(
            .get, path + "/{id}", "Shows a calendar", .editor, gives: .one(.calendar),
            .read { call in
                let id = try call.id()
                let calendar = try call.service.calendar(id, for: call.caller, in: call.town)
                return .changed(calendar.body(for: call), record: RecordValidators(calendar)) { "" }
            })
        routes.add(
            .post, path, "Adds a calendar, which is fetched at once; its first events wait for an acceptance", .editor,
            takes: .one(.calendar), gives: .one(.calendar), status: .created,
            .transaction { call throws(HTTPError) in
                try call.service.createCalendar(call.patch(), for: call.context())
            })
        routes.add(
            .patch, path + "/{id}", "Changes a calendar", .editor, takes: .patch(.calendar), gives: .one(.calendar),
            .transaction { call throws(HTTPError) in
                try call.service.updateCalendar(call.id(), call.patch(), for: call.context())
            })
        routes.add(
            .delete, path + "/{id}", "Removes a calendar; its events stay, but those that it has withdrawn", .editor,
            gives: .nothing, status: .noContent,
            .transaction { call throws(HTTPError) in
                try call.service.deleteCalendar(call.id(), for: call.context())
            })
        for step in TownService.CalendarStep.allCases {
            routes.add(
                .post, "\(path)/{id}/\(step.rawValue)", step.summary, .editor, gives: .one(.calendar),
                .transaction { call throws(HTTPError) in
                    try call.service.take(step, of: call.id(), for: call.context())
                })
        }
        routes.add(
            .post, path + "/fetch", "Has all calendars of the caller fetched now", .editor, gives: .nothing,
            status: .accepted,
            .async { call in
                try call.service.fetchCalendars(of: call.caller)
                return Response(.accepted)
            })
        addChecks(to: &routes)
        addSteps(to: &routes)
    }

    private static func addChecks(to routes: inout RouteList) {
        routes.add(
            .post, checks, "Has a calendar fetched without storing it; Location is the address of the result", .editor,
            takes: .one(.calendarCheck), gives: .one(CalendarFetches.Check.body.schema), status: .accepted,
            .async { call in
                let input = try SettableFields.checked(call.patch(of: PulledCalendar.self))
                let check = try call.service.checkCalendar(input, for: call.context(hasKey: false))
                var response = Response.plainJSON(CalendarFetches.Check.body.json(check), status: .accepted)
                response.headers.add("Location", "\(checks)/\(check.token)")
                return response
            })
        routes.add(
            .get, checks + "/{token}", "Shows what a calendar would bring; a check is there for ten minutes", .editor,
            gives: .one(CalendarFetches.Check.body.schema),
            .read { call throws(HTTPError) in
                let token = try call.captures.text("token")
                guard let check = call.service.fetches.check(token, of: call.caller.personID) else {
                    throw .notFound()
                }
                return .plainJSON(CalendarFetches.Check.body.json(check))
            })
    }

    private static func addSteps(to routes: inout RouteList) {
        let event = "/api/v1/events/{slug}"
        routes.add(
            .post, event + "/take-theirs", "Takes what the event's calendar says, where an edit here differs", .editor,
            takes: .one(.takenField), gives: .one(.event),
            .transaction { call throws(HTTPError) in
                let field = try call.validFields(.takenField)["field"] ?? ""
                return try call.service.takeTheirs(field, of: call.slug(), for: call.context())
            })
        routes.add(
            .post, event + "/tell-apart", "Says that another calendar has another event, not this one", .editor,
            takes: .one(.otherCalendar), gives: .one(.event),
            .transaction { call throws(HTTPError) in
                let calendar = try call.validFields(.otherCalendar)["calendar"].flatMap { Int($0) } ?? 0
                return try call.service.tellApart(call.slug(), from: calendar, for: call.context())
            })
    }
}

extension TownService.CalendarStep {
    fileprivate var summary: String {
        switch self {
        case .accept: "Publishes the events of a calendar that wait, and trusts it from then on"
        case .gone: "Withdraws the events that a calendar lacks, where it lacks most at once"
        case .keep: "Keeps the events that a calendar lacks, where it lacks most at once"
        case .fetch: "Has a calendar fetched now"
        }
    }
}

extension PulledCalendar {
    func body(for call: Call) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeFields(FieldSet { $0.contains(.shown) }, to: &writer)
        writer.member("next_at", call.service.fetches.due(self))
        writer.key("left_out")
        call.service.fetches.state(of: id).leftOut.write(to: &writer)
        writer.endObject()
        return writer.bytes
    }
}

extension CalendarFetches.Check {
    static let body = Body<CalendarFetches.Check>(
        "calendar_check",
        Member("token", "The end of the address of the check") { $0.token },
        Member("state", "Whether an answer has come", kind: .choice(["waiting", "done"])) {
            $0.result == nil ? "waiting" : "done"
        },
        Member("problem", "Why nothing would come") { $0.result?.problem },
        Member("coming", "How many coming events it has", kind: .integer) { $0.result?.coming },
        Member("until", "When the last one begins") { $0.result?.until },
        Member("first", .list("event"), "The first ten, as they would look") { check, writer in
            writer.list(
                check.result?.first ?? [], ["name", "starts_local", "ends_local", "all_day", "location", "url"])
        },
        Member("left_out", "What is left out, and why") { $0.result?.leftOut ?? [] },
        Member("twins", .list("event"), "Those that are here already") { check, writer in
            writer.list(check.result?.twins.map(\.value) ?? [], ["id", "name", "slug", "starts_local"])
        },
        Member("links", .list(link.schema.name), "The calendars of a web page") { check, writer in
            writer.beginArray()
            for found in check.result?.links ?? [] { link.write(found, to: &writer) }
            writer.endArray()
        })

    static let link = Body<(name: String, address: String)>(
        "calendar_link", Member("name", "What the page calls it") { $0.name },
        Member("address", "Where it is fetched from") { $0.address })
}

extension JSONWriter {
    fileprivate mutating func list(_ events: [Event], _ fields: FieldSet<Event>) {
        beginArray()
        for event in events {
            beginObject()
            event.writeFields(fields, empty: .leftOut, to: &self)
            endObject()
        }
        endArray()
    }
}

extension Schema {
    static let pulledDay = Schema(PulledDay.schemaName, of: PulledDay.fields)

    static let calendar = Schema(
        PulledCalendar.self,
        adding: [
            "days": [
                .shown("next_at", .moment, "When it is fetched next; null while it is paused"),
                .shown("left_out", .texts, "What the last answer had that is left out, and why"),
            ]
        ])

    static let calendarCheck = Schema(
        CalendarFetches.Check.body.schema.name,
        CalendarFetches.Check.body.schema.fields
            + PulledCalendar.fields.descriptions.filter(\.isGiven).map { field in
                FieldDescription(
                    field.name, field.kind, use: .given, required: field.name == "address", field.explanation)
            })

    static let takenField = Schema(
        "taken_field",
        .required("field", "Which: name, description, times, place, url, host or price"))

    static let otherCalendar = Schema(
        "other_calendar", .required("calendar", "The ID of the other calendar", kind: .integer))
}
