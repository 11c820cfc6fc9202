import Bytes
import HTTP
import Service
import Synchronization

/// Serves reads from earlier responses: those without an account from the server's own, without a query, and those of a
/// client that already has the response with 304.
///
/// Responses are stored for canonical targets. A request is looked up by its target as it is, before it is routed; so a
/// canonical one costs no more than that. What is not found is looked up again by its canonical form, when its route is
/// known.
struct CachedReads: Middleware {
    let responses = ResponseCache()
    private let town: Town

    /// No response is stored yet.
    init(_ town: Town) {
        self.town = town
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
        // Only the target distinguishes the stored responses.
        guard Call.isAnonymous(request), MediaType.isJSON(preferredBy: request) else { return nil }
        return responses.response(to: request.target, of: town.store.current.publicRevision, at: town.clock())
    }

    /// Responds to a read whose endpoint is known: with the stored response to its canonical target, or with a new one,
    /// which is stored when the caller has no account and it may be.
    func respond(
        to call: Call, _ read: () throws(HTTPError) -> CacheableResponse
    ) throws(HTTPError) -> Response {
        guard call.caller == .anonymous, let target = call.canonicalTarget else { return try read().response }
        let revision = call.version.publicRevision
        // What the client prefers counts only as far as the endpoint has it.
        let types = call.endpoint.types
        if MediaType.preferred(by: call.request, of: types) == types[0],
            let response = responses.response(to: target[...], of: revision, at: call.now)
        {
            return response
        }
        let shown = try read()
        if let until = shown.until {
            responses.store(shown.response, to: target[...], of: revision, for: call.now...until)
        }
        return shown.response
    }
}

/// The response to a read, and how long it may be cached.
package struct CacheableResponse: Sendable {
    package var response: Response
    /// The last moment when the response is valid for all clients without an account, as long as the public revision
    /// stays the same; nil when it is not worth caching.
    package let until: Timestamp?

    package init(response: Response, until: Timestamp?) {
        (self.response, self.until) = (response, until)
    }

    /// A response that is not cached.
    package static func uncached(_ response: Response) -> CacheableResponse {
        CacheableResponse(response: response, until: nil)
    }
}

extension Timestamp {
    /// The last moment of the minute. No day begins within a minute, whatever the time zone.
    package var endOfMinute: Timestamp {
        let microsecond = civil.microseconds % 60_000_000
        return Timestamp(microseconds: microseconds - microsecond + 59_999_999)
    }

    /// Later than any other moment.
    package static let endOfTime = Timestamp(microseconds: .max)
}

extension Response {
    /// The response after the preconditions of a read (RFC 9110, section 13.2.2): 304 without a body when the client
    /// already has these bytes. Other responses than successful ones to reads are returned unchanged.
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

/// A cache of responses to reads.
///
/// A response to a client without an account depends on the public revision of the town, the target and the time. So it
/// is valid for the same target until the revision changes or the response expires; no entry has to be invalidated by
/// name.
///
/// Targets are distributed over sets by their digest. A set holds a few responses, and the oldest one is replaced: a
/// scan of a million pages needs no more memory than the table, and a lookup compares a few targets at most.
final class ResponseCache: Sendable {
    private final class Entry: Sendable {
        let target: [UInt8]
        let revision: Int
        let moments: ClosedRange<Timestamp>
        let response: Response

        init(target: [UInt8], revision: Int, moments: ClosedRange<Timestamp>, response: Response) {
            (self.target, self.revision, self.moments, self.response) = (target, revision, moments, response)
        }

        /// Whether it is a response to a target. Comparing slices byte by byte would take 300 instructions more.
        func isResponse(to other: ArraySlice<UInt8>) -> Bool {
            target.withUnsafeBufferPointer { target in
                other.withUnsafeBufferPointer { target.bytewiseOrder(to: $0) == 0 }
            }
        }

        var size: Int { target.count + response.body.count }
    }

    private struct Table {
        var entries: [Entry?] = []
        /// The digests of the targets: a lookup of another target touches no entry.
        var digests: [UInt64] = []
        /// The next entry of each set to replace.
        var oldest: [UInt8] = []
        var size = 0

        /// The index of the next entry of a set to replace, each in turn.
        mutating func next(in set: Int) -> Int {
            defer { oldest[set] = (oldest[set] + 1) % UInt8(ways) }
            return set * ways + Int(oldest[set])
        }

        /// The index of the response to a target.
        func index(of target: ArraySlice<UInt8>, _ digest: UInt64) -> Int? {
            let first = ResponseCache.set(of: digest) * ways
            return (first..<first + ways).first {
                digests[$0] == digest && entries[$0]?.isResponse(to: target) == true
            }
        }
    }

    /// The number of sets; a power of two.
    private static let sets = 256
    /// The number of responses in a set: nearly all of the contract's 157 targets then have an entry.
    private static let ways = 4
    /// The most bytes of all stored responses.
    private let sizeLimit: Int
    private let table = Mutex(Table())

    /// An empty cache.
    ///
    /// - Parameter sizeLimit: the most bytes of all responses together; one may have up to a 64th of it.
    init(sizeLimit: Int = 8 << 20) {
        self.sizeLimit = sizeLimit
    }

    /// The stored response to a target, if it is valid for a revision at a moment.
    func response(to target: ArraySlice<UInt8>, of revision: Int, at now: Timestamp) -> Response? {
        let digest = XXH64.digest(target.span)
        let entry = table.withLock { table in
            table.entries.isEmpty ? nil : table.index(of: target, digest).flatMap { table.entries[$0] }
        }
        guard let entry, entry.revision == revision, entry.moments.contains(now) else { return nil }
        return entry.response
    }

    /// Stores the response to a target, and replaces an earlier one.
    ///
    /// - Parameter moments: when it is valid.
    func store(
        _ response: Response, to target: ArraySlice<UInt8>, of revision: Int, for moments: ClosedRange<Timestamp>
    ) {
        guard case .bytes = response.content else { return }
        let entry = Entry(target: Array(target), revision: revision, moments: moments, response: response)
        guard entry.size <= sizeLimit / 64 else { return }
        let digest = XXH64.digest(target.span)
        table.withLock { table in
            if table.size + entry.size > sizeLimit { table = Table() }
            if table.entries.isEmpty {
                table.entries = Array(repeating: nil, count: Self.sets * Self.ways)
                table.digests = Array(repeating: 0, count: Self.sets * Self.ways)
                table.oldest = Array(repeating: 0, count: Self.sets)
            }
            let place = table.index(of: target, digest) ?? table.next(in: Self.set(of: digest))
            table.size += entry.size - (table.entries[place]?.size ?? 0)
            (table.entries[place], table.digests[place]) = (entry, digest)
        }
    }

    /// The index of the set of a target with a digest.
    private static func set(of digest: UInt64) -> Int { Int(truncatingIfNeeded: digest) & (sets - 1) }
}
