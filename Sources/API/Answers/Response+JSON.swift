import Bytes
import HTTP
import JSON
import SookeModel

/// The answers that carry JSON.
extension Response {
    /// An answer with a body of JSON; a good one with its entity tag.
    static func json(_ body: [UInt8], status: Status = .ok) -> Response {
        var headers = jsonHeaders
        if status == .ok { headers.add("ETag", bytes: EntityTag(of: body).bytes) }
        return Response(status, headers: headers, body: body)
    }

    /// The same answer, or 304 without a body when it is a good one to a read and the client has just these bytes
    /// (RFC 9110, section 13.1.2).
    consuming func unlessKept(by request: Request) -> Response {
        guard status == .ok, request.method == .get || request.method == .head else { return self }
        let fields = request.headers.all("if-none-match")
        guard !fields.isEmpty, let tag = headers.first("ETag").map(EntityTag.init(_:)),
            fields.contains(where: tag.isListed(in:))
        else { return self }
        var unchanged = self
        (unchanged.status, unchanged.body) = (.notModified, [])
        return unchanged
    }

    /// The answer to a change of a record: what a read of it answers now, with its entity tag.
    ///
    /// - Parameters:
    ///   - path: the address of its kind, with a slash at the end.
    ///   - slug: its own part of the address.
    static func changed(_ body: [UInt8], at path: String, _ slug: Slug, status: Status = .ok) -> Response {
        var headers = plainHeaders
        headers.add("ETag", bytes: EntityTag(of: body).bytes)
        if status == .created { headers.add("Location", path + slug.escaped) }
        return Response(status, headers: headers, body: body)
    }

    /// 301 to the address that a record has now.
    static func moved(to path: String, _ slug: Slug) -> Response {
        Response(.movedPermanently, headers: ["Location": path + slug.escaped, "Cache-Control": "no-cache"])
    }

    /// An answer with JSON that nobody keeps.
    static func plainJSON(_ body: [UInt8], status: Status = .ok) -> Response {
        Response(status, headers: plainHeaders, body: body)
    }

    /// The answer to a request that cannot be served: `{"error":{"code":…,"message":…,"fields":{…}}}`, the last only
    /// when fields are at fault.
    ///
    /// This is the one place that turns an error into an answer.
    static func error(_ error: HTTPError) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("error")
        writer.beginObject()
        writer.member("code", error.code)
        writer.member("message", error.message)
        if !error.fields.isEmpty {
            writer.key("fields")
            writer.beginObject()
            for (name, message) in error.fields {
                writer.key(name)
                writer.string(message)
            }
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
        var headers = error.headers
        headers.add("Content-Type", "application/json")
        return Response(error.status, headers: headers, body: writer.bytes)
    }

    /// The fields of an answer with JSON that nobody keeps, to which others may be added.
    static let plainHeaders: ResponseHeaders = [
        "Content-Type": "application/json", "Cache-Control": "no-store",
    ]

    /// Whoever keeps an answer asks before using it again: what is open changes with the clock.
    private static let jsonHeaders: ResponseHeaders = [
        "Content-Type": "application/json", "Cache-Control": "no-cache",
    ]
}

extension Slug {
    /// The slug as it stands in an address.
    var escaped: String { PercentCoding.encode(text.utf8) }
}
