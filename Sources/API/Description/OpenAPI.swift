import HTTP
import Service
import JSON

/// The description of the API for programs (OpenAPI 3.1.0). It is rendered from the values that the dispatcher uses:
/// the routes, and the fields by which bodies are validated.
struct OpenAPI {
    typealias Described = (method: Method, pattern: String, route: Route)

    private var writer = JSONWriter(reservingCapacity: 1 << 17)

    /// The document that describes some routes.
    static func document(of routes: [Described]) -> [UInt8] {
        var document = OpenAPI()
        document.write(routes)
        return document.writer.bytes
    }

    private mutating func write(_ routes: [Described]) {
        writer.beginObject()
        writer.member("openapi", "3.1.0")
        writer.key("info")
        writer.beginObject()
        writer.member("title", "Sooke")
        writer.member("summary", "A town's directory and calendar")
        writer.member("description", Self.introduction)
        writer.member("version", "1")
        writer.endObject()
        writer.key("servers")
        writer.raw(#"[{"url":"/","description":"This server"}]"#.utf8)
        writer.key("tags")
        writer.beginArray()
        for group in RouteGroup.allCases {
            writer.beginObject()
            writer.member("name", group.rawValue)
            writer.member("description", group.explanation)
            writer.endObject()
        }
        writer.endArray()
        writer.key("paths")
        writer.beginObject()
        for pattern in routes.map(\.pattern).uniqued {
            writer.key(pattern)
            writer.beginObject()
            for route in routes where route.pattern == pattern { write(route) }
            writer.endObject()
        }
        writer.endObject()
        writer.key("components")
        writer.beginObject()
        writer.key("securitySchemes")
        writer.raw(#"{"token":{"type":"http","scheme":"bearer"}}"#.utf8)
        writer.key("responses")
        writer.raw(Self.errorResponse.utf8)
        writer.key("schemas")
        OpenAPISchemas.write(to: &writer, lists: routes.map(\.route.gives))
        writer.endObject()
        writer.endObject()
    }

    static let introduction =
        "Reading needs no account. Programs send a token as Authorization: Bearer TOKEN; POST /api/v1/session gives "
        + "one to people, `sooke token create` to programs. An error has a status of HTTP and a body with a code for "
        + "programs, a message and, with 422, what is wrong by field."

    private static let errorResponse =
        ##"{"Error":{"description":"What is wrong","content":{"application/json":{"schema":"##
        + ##"{"$ref":"#/components/schemas/error"}}}}}"##

    // MARK: - Operations

    private mutating func write(_ described: Described) {
        let (method, pattern, route) = described
        writer.key("\(method.name)".lowercased())
        writer.beginObject()
        writer.member("operationId", Self.operationID(method, pattern))
        writer.member("summary", route.summary)
        writer.member("description", "Access: \(route.access.explanation).")
        writer.key("tags")
        writer.beginArray()
        writer.string(RouteGroup(of: pattern).rawValue)
        writer.endArray()
        writer.key("security")
        writer.raw((route.access == .anyone ? "[]" : #"[{"token":[]}]"#).utf8)
        writer.key("parameters")
        writer.beginArray()
        for name in pattern.captures { writePathParameter(name) }
        for parameter in route.parameters { write(parameter) }
        if Self.takesPrecondition(method, route) { writePrecondition() }
        if method == .post, route.takes.isJSON { writeIdempotencyKey() }
        if route.gives == .changes { writeLastEventID() }
        writer.endArray()
        if route.takes != .nothing { writeRequestBody(route.takes) }
        writer.key("responses")
        writer.beginObject()
        writeGoodResponse(route)
        for status in Self.otherStatuses(method, pattern, route) {
            writer.key("\(status)")
            if status == 301 || status == 304 {
                writer.raw(#"{"description":"\#(status == 301 ? "It has another address now" : "Not changed")"}"#.utf8)
            } else {
                writer.raw(##"{"$ref":"#/components/responses/Error"}"##.utf8)
            }
        }
        writer.endObject()
        writer.endObject()
    }

    /// The method and the words of the path: `getBusinessesBySlug`, `getServerMetrics`.
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
        default: false
        }
    }

    // MARK: - Parameters

    private mutating func writePathParameter(_ name: String) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("in", "path")
        writer.member("required", true)
        writer.member("description", name == "slug" ? "The slug of the record" : "The ID")
        writer.key("schema")
        writer.raw((name == "slug" ? #"{"type":"string","minLength":1}"# : #"{"type":"integer","minimum":1}"#).utf8)
        writer.endObject()
    }

    private mutating func write(_ parameter: QueryParameter) {
        writer.beginObject()
        writer.member("name", parameter.name)
        writer.member("in", "query")
        writer.member("description", "\(parameter.explanation).")
        writer.key("schema")
        writer.raw((parameter.isRepeated ? #"{"type":"array","items":{"type":"string"}}"# : #"{"type":"string"}"#).utf8)
        writer.key("example")
        writer.raw((parameter.isRepeated ? "[\(parameter.example)]" : parameter.example.asText).utf8)
        writer.endObject()
    }

    private mutating func writePrecondition() {
        let text =
            #"{"name":"If-Match","in":"header","description":"The entity tag of the version that was read; 412 with "#
            + #"the current record when it has been changed since.","schema":{"type":"string"}}"#
        writer.raw(text.utf8)
    }

    private mutating func writeIdempotencyKey() {
        let text =
            #"{"name":"Idempotency-Key","in":"header","description":"A key of your own: sent twice within 24 hours, "#
            + #"the request is done once. Sent again, it gets the record as it is then, or 410 when it is gone.","#
            + #""schema":{"type":"string","maxLength":255}}"#
        writer.raw(text.utf8)
    }

    private mutating func writeLastEventID() {
        let text =
            #"{"name":"Last-Event-ID","in":"header","description":"For events: the position up to which the client "#
            + #"has the changes, before since. An EventSource sends it when it connects again.","#
            + #""schema":{"type":"string"}}"#
        writer.raw(text.utf8)
    }

    // MARK: - Bodies

    private mutating func writeRequestBody(_ shape: Shape) {
        writer.key("requestBody")
        writer.beginObject()
        writer.member("required", true)
        if shape == .file { writer.member("description", Self.importFormats) }
        writer.key("content")
        writer.beginObject()
        if shape == .file {
            for (type, schema) in Self.importSchemas { writer.key(type); writer.raw(#"{"schema":\#(schema)}"#.utf8) }
        } else {
            writer.key(shape.isPatch ? "application/merge-patch+json" : "application/json")
            writer.beginObject()
            writer.key("schema")
            OpenAPISchemas.writeGiven(shape, to: &writer)
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
    }

    private mutating func writeGoodResponse(_ route: Route) {
        writer.key("\(route.status.code)")
        writer.beginObject()
        writer.member("description", route.summary)
        if route.gives != .nothing {
            writer.key("content")
            writer.beginObject()
            if route.gives == .file {
                for type in Self.fileTypes { writer.key(type); writer.raw("{}".utf8) }
            } else {
                writer.key("application/json")
                writer.beginObject()
                writer.key("schema")
                OpenAPISchemas.writeShown(route.gives, to: &writer)
                if route.gives == .changes { writer.key("example"); writer.raw(Self.pollExample.utf8) }
                writer.endObject()
                if route.gives == .changes { writeEvents() }
                for type in route.endpoint.types.dropFirst() { writer.key(type.rawValue); writer.raw("{}".utf8) }
            }
            writer.endObject()
        }
        writer.endObject()
    }

    private mutating func writeEvents() {
        writer.key("text/event-stream")
        writer.beginObject()
        writer.key("schema")
        writer.beginObject()
        writer.member("type", "string")
        writer.member("description", Self.events)
        writer.endObject()
        writer.member("example", Self.eventsExample)
        writer.endObject()
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

    /// Generators of clients know no types of text in requests, so those are named in words.
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

    /// The media types of files; the summary of a route says which.
    private static let fileTypes = [
        "application/json", "application/x-ndjson", "application/geo+json", "text/csv", "text/calendar", "text/plain",
        "text/html", "application/octet-stream",
    ]

    // MARK: - Statuses

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

extension Access {
    /// The callers that have permission, in words.
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
    /// The names of the captures of a pattern.
    var captures: [String] {
        split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The JSON itself if it is a string, else its source as a JSON string.
    fileprivate var asText: String { hasPrefix("\"") ? self : "\"\(self)\"" }
}

extension [String] {
    /// The elements without duplicates, in their order.
    fileprivate var uniqued: [String] {
        reduce(into: []) { list, text in if !list.contains(text) { list.append(text) } }
    }
}
