import Bytes
import HTTP
import JSON

/// The answers that carry JSON.
extension Response {
    /// An answer with a body of JSON, or 304 without one when the client has just these bytes.
    static func json(_ call: Call, _ body: [UInt8], status: Status = .ok) -> Response {
        var headers = jsonHeaders
        guard status == .ok else { return Response(status, headers: headers, body: body) }
        let entityTag = EntityTag(of: body)
        headers.add("ETag", bytes: entityTag.bytes)
        guard call.request.headers.all("if-none-match").contains(where: entityTag.isListed(in:)) else {
            return Response(headers: headers, body: body)
        }
        return Response(.notModified, headers: headers)
    }

    /// The answer to a request that cannot be served: `{"error":{"code":…,"message":…}}`.
    ///
    /// This is the one place that turns an error into an answer.
    static func error(_ error: HTTPError) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("error")
        writer.beginObject()
        writer.member("code", error.code)
        writer.member("message", error.message)
        writer.endObject()
        writer.endObject()
        var headers = error.headers
        headers.add("Content-Type", "application/json")
        return Response(error.status, headers: headers, body: writer.bytes)
    }

    /// Whoever keeps an answer asks before using it again: what is open changes with the clock.
    private static let jsonHeaders: ResponseHeaders = [
        "Content-Type": "application/json", "Cache-Control": "no-cache",
    ]
}
