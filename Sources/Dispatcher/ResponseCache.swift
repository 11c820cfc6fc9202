import Bytes
import HTTP
import Service
import Synchronization

/// Serves reads from earlier responses: those without an account from the server's own, without a query, and those of a
/// client that already has the response with 304. What is stored for clients that take gzip is compressed once.
///
/// Responses are stored for canonical targets. A request is looked up before it is routed, by its target as it is but
/// for needless escapes in the query; so a canonical one costs no more than that. What is not found is looked up again
/// by its canonical form, when its route is known.
struct CachedReads: Middleware {
    let responses = ResponseCache()
    private let service: TownService
    private let cookie: SessionCookie

    init(_ service: TownService, _ cookie: SessionCookie) {
        (self.service, self.cookie) = (service, cookie)
    }

    func respond(
        to request: Request, next: () throws(HTTPError) -> EventualResponse
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
        return !cookie.isPresent(in: headers)
    }

    /// Escapes no character of the query that a canonical one has as it is. JavaScript sends `tz=America%2FVancouver`,
    /// Foundation `tz=America/Vancouver`.
    static func withoutNeedlessEscapes(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let query = target.firstIndex(of: UInt8(ascii: "?")), target[query...].contains(UInt8(ascii: "%")) else {
            return target
        }
        return target[..<query] + PercentCoding.decode(Call.plainInQuery, in: target[query...])
    }

    /// With the stored response to the canonical target, or a new one, stored when the caller has no account and it may
    /// be.
    func respond(
        to call: Call, _ read: () throws(HTTPError) -> CacheableResponse
    ) throws(HTTPError) -> Response {
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
    /// 304 without a body when the client already has these bytes (RFC 9110, section 13.2.2). Other responses than
    /// successful ones to reads are returned unchanged.
    ///
    /// - Throws: 412 when `If-Match` does not list the current tag.
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

/// A cache of responses to reads, by their targets.
///
/// A response to a client without an account depends on the public revision of the town, the target and the time. So it
/// is valid for the same target until the revision changes or the response expires; no entry has to be invalidated by
/// name. The entries are all of one revision, and a newer one empties the cache; so does a response for which there is
/// no room.
final class ResponseCache: Sendable {
    private struct Entry {
        let response: Response
        let moments: ClosedRange<Timestamp>
    }

    private struct Target: Hashable {
        let bytes: ArraySlice<UInt8>
        let isCoded: Bool

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            hasher.combine(isCoded)
        }

        /// Comparing slices byte by byte would take 300 instructions more.
        static func == (left: Target, right: Target) -> Bool {
            left.isCoded == right.isCoded
                && left.bytes.withUnsafeBufferPointer { left in
                    right.bytes.withUnsafeBufferPointer { left.bytewiseOrder(to: $0) == 0 }
                }
        }
    }

    private struct Table {
        var entries: [Target: Entry] = [:]
        var revision = 0
        var size = 0
    }

    /// About, besides the target and the body.
    static let overhead = 640
    private let sizeLimit: Int
    private let table = Mutex(Table())

    /// One entry may have up to a 64th of it.
    init(sizeLimit: Int = 8 << 20) {
        self.sizeLimit = sizeLimit
    }

    func response(to target: ArraySlice<UInt8>, isCoded: Bool = false, of revision: Int, at now: Timestamp) -> Response?
    {
        table.withLock { table in
            guard table.revision == revision, let entry = table.entries[Target(bytes: target, isCoded: isCoded)],
                entry.moments.contains(now)
            else { return nil }
            return entry.response
        }
    }

    func store(
        _ response: Response, to target: ArraySlice<UInt8>, isCoded: Bool = false, of revision: Int,
        for moments: ClosedRange<Timestamp>
    ) {
        guard case .bytes(let body) = response.content else { return }
        let size = Self.overhead + target.count + body.count
        guard size <= sizeLimit / 64 else { return }
        let entry = Entry(response: response, moments: moments)
        // A copy: the slice would keep the whole request.
        let target = Target(bytes: Array(target)[...], isCoded: isCoded)
        let removed: Table? = table.withLock { table in
            if table.revision > revision { return nil }
            var removed: Table?
            if table.revision < revision || table.size + size > sizeLimit {
                removed = table
                table = Table(revision: revision)
            }
            if let earlier = table.entries.updateValue(entry, forKey: target) {
                table.size -= Self.overhead + target.bytes.count + earlier.response.body.count
            }
            table.size += size
            return removed
        }
        // After the lock: there may be thousands.
        withExtendedLifetime(removed) {}
    }
}
