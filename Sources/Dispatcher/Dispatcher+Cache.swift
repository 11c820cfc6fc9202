import Bytes
import HTTP
import Platform
import Service

/// Serves reads from earlier responses: those without an account from the server's own, without a query, and those of a
/// client that already has the response with 304. What is stored for clients that take gzip is compressed once.
///
/// Responses are stored for canonical targets. A request is looked up before it is routed, by its target as it is but
/// for needless escapes in the query; so a canonical one costs no more than that. What is not found is looked up again
/// by its canonical form, when its route is known.
extension Dispatcher {
    func cached(
        _ request: Request, next: () throws(HTTPError) -> EventualResponse
    ) throws(HTTPError) -> EventualResponse {
        guard request.method == .get || request.method == .head else { return try next() }
        if let response = storedResponse(to: request) {
            return .now(try response.applyingPreconditions(of: request))
        }
        let answer = try next()
        if case .now(let response) = answer { return .now(try response.applyingPreconditions(of: request)) }
        return try answer.map { response throws(HTTPError) in try response.applyingPreconditions(of: request) }
    }

    private func storedResponse(to request: Request) -> Response? {
        guard isAnonymous(request), MediaType.isDefault(preferredBy: request) else { return nil }
        return responses.response(
            to: Self.withoutNeedlessEscapes(request.target), isCoded: request.takesGzip,
            of: service.store.current.publicRevision, at: service.clock())
    }

    /// Other cookies than that of a session, which some programs set for the whole host, change nothing.
    private func isAnonymous(_ request: Request) -> Bool {
        let headers = request.headers
        if request.isLocal || headers.first("authorization") != nil { return false }
        return !sessionCookie.isPresent(in: headers)
    }

    /// Escapes no character of the query that a canonical one has as it is. JavaScript sends `tz=America%2FVancouver`,
    /// Foundation `tz=America/Vancouver`.
    static func withoutNeedlessEscapes(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let query = target.firstIndex(of: UInt8(ascii: "?")), target[query...].contains(UInt8(ascii: "%")) else {
            return target
        }
        return target[..<query] + PercentCoding.decode(Call.plainInQuery, in: target[query...])
    }

    /// The stored response, or a new one, which is stored if the caller has no account and it may be cached.
    func cached(_ call: Call, _ read: () throws(HTTPError) -> CacheableResponse) throws(HTTPError) -> Response {
        guard call.caller == .anonymous, let target = call.canonicalTarget else { return try read().response }
        let revision = call.version.publicRevision
        // What the client prefers counts only as far as the endpoint has it.
        let types = call.endpoint.types
        let isCoded = call.request.takesGzip
        if MediaType.preferred(by: call.request, of: types) == types[0],
            let response = responses.response(to: target[...], isCoded: isCoded, of: revision, at: call.now)
        {
            return response
        }
        let shown = try read()
        guard let until = shown.until else { return shown.response }
        let response = (isCoded ? shown.response.coded() : nil) ?? shown.response
        responses.store(response, to: target[...], isCoded: isCoded, of: revision, for: call.now...until)
        return response
    }
}

package struct CacheableResponse: Sendable {
    package var response: Response
    /// Until then it is valid for all clients without an account, as long as the public revision stays the same; nil
    /// when it is not worth caching.
    package let until: Timestamp?

    package init(response: Response, until: Timestamp?) {
        (self.response, self.until) = (response, until)
    }

    package static func uncached(_ response: Response) -> CacheableResponse {
        CacheableResponse(response: response, until: nil)
    }
}

extension Response {
    /// 304 when the client already has these bytes (RFC 9110, section 13.2.2); 412 when `If-Match` lacks the tag.
    fileprivate consuming func applyingPreconditions(of request: Request) throws(HTTPError) -> Response {
        guard status == .ok else { return self }
        let wanted = request.headers.all("if-match")
        let known = request.headers.all("if-none-match")
        if wanted.isEmpty, known.isEmpty { return self }
        let tag = headers.first("ETag").map(EntityTag.init(_:))
        if !wanted.isEmpty, !wanted.contains(where: { $0.isAsterisk || tag?.isSameRecord(asIn: $0) == true }) {
            var error = HTTPError.preconditionFailed
            error.route = route
            throw error
        }
        guard let tag, known.contains(where: tag.isListed(in:)) else { return self }
        var unchanged = self
        (unchanged.status, unchanged.body) = (.notModified, [])
        return unchanged
    }
}

/// Responses in gzip (RFC 9110, section 8.4.1.3), for clients that take it.
///
/// Only what is the same for all clients without an account is coded: a response to a person may have a secret beside
/// what somebody else chose, and its length would tell of it (BREACH).
extension Response {
    private static let fewestBytes = 1_000

    func coded() -> Response? {
        guard status == .ok, case .bytes(let body) = content, body.count >= Self.fewestBytes,
            headers.first("Content-Encoding") == nil, isText, let compressed = Gzip.compress(body)
        else { return nil }
        var coded = self
        coded.content = .bytes(compressed)
        coded.headers.add("Content-Encoding", "gzip")
        if let tag = headers.first("ETag") { coded.headers.set("ETag", EntityTag.coded(tag)) }
        return coded
    }

    private var isText: Bool {
        guard let type = headers.first("Content-Type") else { return false }
        return type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
    }
}

extension EntityTag {
    /// The tag of the coded form. The coding belongs to the part after the record, so that a write compares the record.
    static func coded(_ tag: String) -> String { tag.dropLast() + (tag.contains(".") ? "z\"" : ".z\"") }
}

extension Request {
    var takesGzip: Bool {
        guard let field = headers.first("accept-encoding") else { return false }
        return field.split(separator: UInt8(ascii: ",")).contains { item in
            let parts = item.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map { $0.filter { $0 != 0x20 && $0 != 0x09 } }
            guard let name = parts.first, ASCII.equalIgnoringCase(name, "gzip".utf8) else { return false }
            // A weight of zero refuses it.
            return !parts.dropFirst().contains {
                ASCII.equalIgnoringCase($0.prefix(3), "q=0".utf8) && !$0.dropFirst(3).contains { 0x31...0x39 ~= $0 }
            }
        }
    }
}
