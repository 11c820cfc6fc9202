import HTTP
import Service
import Store
import JSON

/// The description of the API for programs (OpenAPI 3.1.0), from the values that the dispatcher uses: the routes, and
/// the fields by which bodies are validated.
enum OpenAPI {
    typealias Described = (method: Method, pattern: String, route: Route)

    static func document(of routes: [Described]) -> [UInt8] {
        JSONWriter.object(reservingCapacity: 1 << 17) { write(routes, to: &$0) }
    }

    private static func write(_ routes: [Described], to writer: inout JSONWriter) {
        writer.member("openapi", "3.1.0")
        writer.object("info") { writer in
            writer.member("title", "Sooke")
            writer.member("summary", "A town's directory and calendar")
            writer.member("description", introduction)
            writer.member("version", "1")
        }
        writer.raw("servers", #"[{"url":"/","description":"This server"}]"#)
        writer.objects("tags", RouteGroup.allCases) { group, writer in
            writer.member("name", group.rawValue)
            writer.member("description", group.explanation)
        }
        writer.object("paths") { writer in
            for pattern in routes.map(\.pattern).uniqued {
                writer.object(pattern) { writer in
                    for route in routes where route.pattern == pattern { write(route, to: &writer) }
                }
            }
        }
        writer.object("components") { writer in
            writer.raw("securitySchemes", #"{"token":{"type":"http","scheme":"bearer"}}"#)
            writer.raw("responses", errorResponse)
            writer.key("schemas")
            OpenAPISchemas.write(to: &writer, lists: routes.map(\.route.gives))
        }
    }

    static let introduction =
        "Reading needs no account. Programs send a token as Authorization: Bearer TOKEN; POST /api/v1/session gives "
        + "one to people, `sooke token create` to programs. An error has a status of HTTP and a body with a code for "
        + "programs, a message and, with 422, what is wrong by field."

    private static let errorResponse =
        ##"{"Error":{"description":"What is wrong","content":{"application/json":{"schema":"##
        + ##"{"$ref":"#/components/schemas/failure"}}}}}"##

    private static func write(_ described: Described, to writer: inout JSONWriter) {
        let (method, pattern, route) = described
        writer.object("\(method.name)".lowercased()) { writer in
            writer.member("operationId", operationID(method, pattern))
            writer.member("summary", route.summary)
            writer.member("description", "Access: \(route.access.explanation).")
            writer.raw("tags", #"["\#(RouteGroup(of: pattern).rawValue)"]"#)
            writer.raw("security", route.access == .anyone ? "[]" : #"[{"token":[]}]"#)
            writer.key("parameters")
            writer.beginArray()
            for name in pattern.captures { writePathParameter(name, to: &writer) }
            for parameter in route.parameters { write(parameter, to: &writer) }
            if takesPrecondition(method, route) { writer.raw(precondition.utf8) }
            if method == .post, route.takes.isJSON { writer.raw(idempotencyKey.utf8) }
            if route.gives == .changes { writer.raw(lastEventID.utf8) }
            writer.endArray()
            if route.takes != .nothing { writeRequestBody(route.takes, to: &writer) }
            writer.object("responses") { writer in
                writeGoodResponse(route, to: &writer)
                for status in otherStatuses(method, pattern, route) {
                    switch status {
                    case 301: writer.raw("301", #"{"description":"It has another address now"}"#)
                    case 304: writer.raw("304", #"{"description":"Not changed"}"#)
                    default: writer.raw("\(status)", ##"{"$ref":"#/components/responses/Error"}"##)
                    }
                }
            }
        }
    }

    /// `getBusinessesBySlug`, `getServerMetrics`.
    static func operationID(_ method: Method, _ pattern: String) -> String {
        let place = pattern.hasPrefix(root) ? "" : "Server"
        return parts(of: pattern).reduce("\(method.name)".lowercased() + place) { id, part in
            let words = part.split { "{}-_.".contains($0) }
            return id + (part.hasPrefix("{") ? "By" : "")
                + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
    }

    private static let root = "/api/v1/"

    private static func parts(of pattern: String) -> [Substring] {
        (pattern.hasPrefix(root) ? pattern.dropFirst(root.count) : pattern[...]).split(separator: "/")
    }

    private static func takesPrecondition(_ method: Method, _ route: Route) -> Bool {
        switch route.endpoint.handler {
        case .transaction:
            method == .patch || method == .delete || route.access == .eventReviewer || route.gives == .one(.proposal)
        default: route.gives == .one(CommitUndo.body.schema)
        }
    }

    private static func writePathParameter(_ name: String, to writer: inout JSONWriter) {
        let (meaning, schema) =
            switch name {
            case "slug": ("The slug of the record", #"{"type":"string","minLength":1}"#)
            case "date":
                ("Its day in the series, with the time where a day has two: 2026-12-24T1930", #"{"type":"string"}"#)
            default: ("The ID", #"{"type":"integer","minimum":1}"#)
            }
        writer.object { writer in
            writer.member("name", name)
            writer.member("in", "path")
            writer.member("required", true)
            writer.member("description", meaning)
            writer.raw("schema", schema)
        }
    }

    private static func write(_ parameter: QueryParameter, to writer: inout JSONWriter) {
        let text = #"{"type":"string"}"#
        writer.object { writer in
            writer.member("name", parameter.name)
            writer.member("in", "query")
            writer.member("description", "\(parameter.explanation).")
            writer.raw("schema", parameter.isRepeated ? #"{"type":"array","items":\#(text)}"# : text)
            writer.raw("example", parameter.isRepeated ? "[\(parameter.example)]" : parameter.example.asText)
        }
    }

    private static let precondition =
        #"{"name":"If-Match","in":"header","description":"The entity tag of the version that was read; 412 with "#
        + #"the current record when it has been changed since.","schema":{"type":"string"}}"#

    private static let idempotencyKey =
        #"{"name":"Idempotency-Key","in":"header","description":"A key of your own: sent twice within 24 hours, "#
        + #"the request is done once. Sent again, it gets the record as it is then, or 410 when it is gone.","#
        + #""schema":{"type":"string","maxLength":255}}"#

    private static let lastEventID =
        #"{"name":"Last-Event-ID","in":"header","description":"For events: the position up to which the client "#
        + #"has the changes, before since. An EventSource sends it when it connects again.","#
        + #""schema":{"type":"string"}}"#

    private static func writeRequestBody(_ shape: Shape, to writer: inout JSONWriter) {
        writer.object("requestBody") { writer in
            writer.member("required", true)
            if shape == .file { writer.member("description", importFormats) }
            writer.object("content") { writer in
                if shape == .file {
                    for (type, schema) in importSchemas { writer.raw(type, #"{"schema":\#(schema)}"#) }
                    return
                }
                writer.object(shape.isPatch ? "application/merge-patch+json" : "application/json") { writer in
                    writer.key("schema")
                    OpenAPISchemas.writeGiven(shape, to: &writer)
                }
            }
        }
    }

    private static func writeGoodResponse(_ route: Route, to writer: inout JSONWriter) {
        writer.object("\(route.status.code)") { writer in
            writer.member("description", route.summary)
            if route.gives == .nothing { return }
            writer.object("content") { writer in
                if route.gives == .file {
                    for type in fileTypes { writer.raw(type, "{}") }
                    return
                }
                writer.object("application/json") { writer in
                    writer.key("schema")
                    OpenAPISchemas.writeShown(route.gives, to: &writer)
                    if route.gives == .changes { writer.raw("example", pollExample) }
                }
                if route.gives == .changes { writeEvents(to: &writer) }
                for type in route.endpoint.types.dropFirst() { writer.raw(type.rawValue, "{}") }
            }
        }
    }

    private static func writeEvents(to writer: inout JSONWriter) {
        writer.object("text/event-stream") { writer in
            writer.object("schema") { writer in
                writer.member("type", "string")
                writer.member("description", events)
            }
            writer.member("example", eventsExample)
        }
    }

    private static let events =
        "With Accept: text/event-stream. An event has the kind of a record as its type, and a feed_change as its data. "
        + "The last event of a commit has the position as its ID; an ID without data is a bookmark. The type reset "
        + "means that the client must forget all it has: a snapshot follows. The type revoked ends the stream: "
        + "the rights of the client have changed."

    private static let eventsExample =
        "event: category\nid: 1200.8f3c5a7790d1e2b4\ndata: \(changeExample)\n\n"

    private static let pollExample =
        #"{"reset":false,"changes":[\#(changeExample)],"position":"1200.8f3c5a7790d1e2b4","more":false}"#

    private static let changeExample =
        #"{"kind":"category","action":"updated","id":3,"slug":"pubs","former_slug":"bars","#
        + #""record":{"id":3,"name":"Pubs","slug":"pubs"}}"#

    /// Generators of clients know no types of text in requests, so these describe them.
    private static let importFormats =
        "The bytes of a file, in the format that the parameter format names. A table is text/csv, a calendar "
        + "text/calendar, address cards are text/vcard."

    private static let importSchemas = [
        ("application/octet-stream", #"{"type":"string","format":"binary"}"#),
        (
            "application/json",
            #"{"type":"object","title":"Dataset","description":"A dataset: lists of records by their kind."}"#
        ),
        (
            "application/geo+json",
            #"{"type":"object","title":"FeatureCollection","description":"A FeatureCollection of points: businesses "#
                + #"(RFC 7946)."}"#
        ),
    ]

    /// The summary of a route says which.
    private static let fileTypes = [
        "application/json", "application/x-ndjson", "application/geo+json", "text/csv", "text/calendar", "text/plain",
        "text/html", "application/octet-stream",
    ]

    private static func otherStatuses(_ method: Method, _ pattern: String, _ route: Route) -> [Int] {
        // Every route rejects an invalid token.
        var statuses = [400, 401, 429, 503]
        if method.isSafe { statuses += [304, 412] }
        if route.access != .anyone { statuses += [403] }
        if method == .post || route.access == .anyone && !method.isSafe { statuses += [410] }
        if !pattern.captures.isEmpty { statuses += [404] }
        if method == .get, pattern.captures == ["slug"] { statuses += [301] }
        if takesPrecondition(method, route) { statuses += [409, 412, 428] }
        if route.takes != .nothing { statuses += [413, 415, 422] }
        if route.takes.isJSON { statuses += [409] }
        if !method.isSafe { statuses += [403, 404, 409, 413, 415, 422, 507] }
        if pattern.split(separator: "/").contains("history") { statuses += [404] }
        return Set(statuses).subtracting([Int(route.status.code)]).sorted()
    }
}

extension JSONWriter {
    mutating func raw(_ name: String, _ json: String) { member(name, raw: json.utf8) }
}

extension Access {
    var explanation: String {
        switch self {
        case .anyone: "everybody"
        case .member: "any account"
        case .businessOwner: "the owner of the business, unless they are an editor, and super admins"
        case .businessEditor: "the owner of the business, editors and super admins"
        case .eventEditor:
            "the submitter until the event is public, the owner of its business, editors and super admins"
        case .eventReviewer: "the owner of the business of the event, editors and super admins"
        case .editor: "editors and super admins"
        case .superAdmin: "super admins"
        case .metricsReader: "super admins, also with a token for metrics"
        case .folderOwner: "the owner of the server, through the socket"
        }
    }
}

extension Shape {
    var isJSON: Bool { self != .nothing && self != .file && self != .changes }

    var isPatch: Bool { if case .patch = self { true } else { false } }
}

extension String {
    var captures: [String] {
        split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// As JSON, unless it is a JSON string already.
    fileprivate var asText: String { hasPrefix("\"") ? self : "\"\(self)\"" }
}

extension [String] {
    fileprivate var uniqued: [String] {
        reduce(into: []) { list, text in if !list.contains(text) { list.append(text) } }
    }
}
