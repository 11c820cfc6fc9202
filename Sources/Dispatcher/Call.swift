import Bytes
import Credentials
import HTTP
import Platform
import Service
import SookeModel
import Store

/// A request on its way through an endpoint, with the version of the town for the response.
///
/// The version is taken once, so that a response never mixes two.
///
/// A class, because every step of a write passes it on, and one reference is cheaper than two dozen.
package final class Call: Sendable {
    package let request: Request
    package let captures: Captures
    package let dispatcher: Dispatcher
    package let endpoint: Endpoint
    package let version: Version
    /// The time; `steadyNow` decides what has expired.
    package let now: Timestamp
    package let caller: Caller
    /// Whether the caller has all permissions in `version`.
    package let isSuperAdmin: Bool
    /// The subject of the audit entry; nil when the request is not audited.
    let subject: AuditSubject?
    /// Whether the client still waits for the response of a `Handler.async`; called when one of its transactions gets
    /// its turn.
    package let isWanted: @Sendable () -> Bool

    /// A call with an authenticated caller, whose permission is not checked yet.
    ///
    /// - Throws: 401 when the request has an invalid token.
    init(
        _ request: Request, captures: Captures, endpoint: Endpoint, dispatcher: Dispatcher, subject: AuditSubject? = nil
    ) throws(HTTPError) {
        self.subject = subject
        self.request = request
        self.captures = captures
        (self.endpoint, self.dispatcher) = (endpoint, dispatcher)
        let service = dispatcher.service
        version = service.store.current
        now = service.clock()
        isWanted = { true }
        (caller, isSuperAdmin) = try Self.authenticate(request, endpoint, version, dispatcher)
    }

    init(_ call: Call, isWanted: @escaping @Sendable () -> Bool) {
        (request, captures, version, now) = (call.request, call.captures, call.version, call.now)
        (dispatcher, endpoint) = (call.dispatcher, call.endpoint)
        (caller, isSuperAdmin, subject) = (call.caller, call.isSuperAdmin, call.subject)
        self.isWanted = isWanted
    }

    /// Checks that the caller may use the route.
    ///
    /// - Throws: what the endpoint's `Access` throws; 403 when the scope of the token does not include it.
    func requireAccess() throws(HTTPError) {
        try translatingErrors(
            service.check(
                endpoint.access, for: caller, isSuperAdmin: isSuperAdmin, slug: captures.optionalSlug,
                isSafe: request.method.isSafe, in: version))
    }

    /// Checks that what changes something by a page comes from a page of the site itself.
    ///
    /// - Throws: 403 `cross_site`.
    func requireOwnPage() throws(HTTPError) {
        guard endpoint.isPage, !request.method.isSafe, !request.isLocal else { return }
        try CrossOrigin.requireOwnPage(request, url: service.url)
    }

    /// Checks that the town is not read-only, if the request may make a commit.
    ///
    /// - Throws: 503 `read_only`.
    func requireWritable() throws(HTTPError) {
        guard !request.method.isSafe, service.store.readOnly != nil, endpoint.changesNothing?(self) != true else {
            return
        }
        try translatingErrors(service.requireWritable())
    }

    /// - Parameter hasKey: whether an `Idempotency-Key` counts. It does not for a request with a password, because the
    ///   digest of the request would let the password be guessed.
    /// - Throws: 400 for an invalid `Idempotency-Key`.
    package func context(hasKey: Bool = true) throws(HTTPError) -> RequestContext {
        RequestContext(
            caller: caller, isSuperAdmin: isSuperAdmin, network: ClientNetwork(request.peer), version: version,
            precondition: Precondition(request.headers), key: hasKey ? try idempotencyKey() : nil, subject: subject,
            cookieSession: request.headers.first("authorization") == nil ? caller.credentialID : nil,
            isWanted: isWanted)
    }

    /// The context of a change by a form, which names the version of the record that it has seen.
    package func context(in version: Version, requiring digest: UInt64) -> RequestContext {
        RequestContext(
            caller: caller, isSuperAdmin: caller.isSuperAdmin(in: version.town), network: ClientNetwork(request.peer),
            version: version, precondition: Precondition(required: Precondition.Versions(digests: [digest])),
            subject: subject, isWanted: isWanted)
    }

    /// The context of something new by a form, which is made once however often the form is sent.
    ///
    /// - Parameter key: what the form was given when it was first shown.
    package func context(once key: String) -> RequestContext {
        let fingerprint = Hex.encode(SHA256.digest([UInt8](request.method.name) + request.target))
        let isKey = 8...64 ~= key.utf8.count
        return RequestContext(
            caller: caller, isSuperAdmin: isSuperAdmin, network: ClientNetwork(request.peer), version: version,
            key: isKey ? IdempotencyKey(text: "form \(key)", fingerprint: fingerprint) : nil, subject: subject,
            isWanted: isWanted)
    }

    /// The idempotency key, with a digest that distinguishes the request from others.
    private func idempotencyKey() throws(HTTPError) -> IdempotencyKey? {
        guard request.method == .post, let field = request.headers.first("idempotency-key") else {
            return nil
        }
        guard let text = String(validUTF8: field), 1...200 ~= text.utf8.count else {
            throw .invalidParameter("an Idempotency-Key has 1 to 200 characters")
        }
        let fingerprint = SHA256.digest([UInt8](request.method.name) + request.target + [0] + request.body)
        return IdempotencyKey(text: text, fingerprint: Hex.encode(fingerprint))
    }

    /// Counts a write request: one that needs no account by the client's network, another by the account. So does a form
    /// of a person, whoever else may send it.
    ///
    /// - Returns: the decision, for the response.
    /// - Throws: 429.
    func admitRate() throws(HTTPError) -> RateLimitDecision? {
        if request.isLocal { return nil }
        guard endpoint.access == .anyone, !endpoint.isPage || caller == .anonymous else {
            return try translatingErrors(service.writes.admit(by: caller))
        }
        let network = ClientNetwork(request.peer)
        let person = endpoint.loginAddress?(self).flatMap { service.knownPerson($0, from: network, in: version) }
        return try translatingErrors(service.accounts.admitAttempt(from: network, knownPerson: person))
    }

    /// Runs a part of a use case that only reads, with its error as an error of HTTP.
    package func translatingErrors<Value>(
        _ part: @autoclosure () throws(ServiceError) -> Value
    ) throws(HTTPError) -> Value {
        do throws(ServiceError) {
            return try part()
        } catch {
            throw HTTPError(error)
        }
    }

    package var service: TownService { dispatcher.service }

    /// Each access copies it, so a busy route accesses it once.
    package var town: Town { version.town }
}

extension Captures {
    /// The value of `{slug}`; nil when the route has none, or the value is not UTF-8.
    var optionalSlug: Slug? {
        has("slug") ? (try? text("slug")).map(Slug.init(_:)) : nil
    }
}

extension Call {
    /// Finds the caller, and whether they have all permissions. The caller of a request over the local socket is the
    /// owner; others need a token (RFC 6750, section 2.1), or on a page and for a read the cookie of a session. The cookie
    /// of one that has ended is that of a stranger: browsers keep it.
    ///
    /// - Throws: 401 `invalid_token`.
    static func authenticate(
        _ request: Request, _ endpoint: Endpoint, _ version: Version, _ dispatcher: Dispatcher
    ) throws(HTTPError) -> (caller: Caller, isSuperAdmin: Bool) {
        if request.isLocal { return (.owner, true) }
        let service = dispatcher.service
        guard let field = request.headers.first("authorization") else {
            guard endpoint.isPage || request.method.isSafe,
                let token = dispatcher.sessionCookie.token(in: request.headers)
            else { return (.anonymous, false) }
            return (try? service.authenticate(token, in: version)) ?? (.anonymous, false)
        }
        let scheme: StaticString = "bearer "
        let token =
            field.startsIgnoringCase(with: scheme) ? Token(text: field.dropFirst(scheme.utf8CodeUnitCount)) : nil
        do throws(ServiceError) {
            return try service.authenticate(token, in: version)
        } catch {
            throw HTTPError(error)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes begin with a literal in lower case, ignoring case.
    fileprivate func startsIgnoringCase(with literal: StaticString) -> Bool {
        literal.withUTF8Buffer { letters in
            count >= letters.count
                && letters.indices.allSatisfy { ASCII.lowercased(self[startIndex + $0]) == letters[$0] }
        }
    }
}

/// The values in the path and the query.
extension Call {
    package func slug() throws(HTTPError) -> Slug {
        Slug(try captures.text("slug"))
    }

    package func id(_ name: StaticString = "id") throws(HTTPError) -> Int {
        guard let id = Int(try captures.text("\(name)")), id > 0 else { throw .notFound() }
        return id
    }

    /// The first value of a query parameter; nil when it is absent or empty, or when the endpoint does not declare it: what
    /// the key of a cached response leaves out must change nothing.
    package func parameter(_ name: String) throws(HTTPError) -> String? {
        guard let value = try request.query.first(name), !value.isEmpty, declares(name) else { return nil }
        return value
    }

    /// All values of a query parameter that may occur several times.
    package func values(_ name: String) throws(HTTPError) -> [String] {
        let values = try request.query.all(name)
        return !values.isEmpty && declares(name) ? values : []
    }

    private func declares(_ name: String) -> Bool { endpoint.parameters.contains { $0.name.hasSameBytes(as: name) } }

    /// A parameter with the value `true` or `false`.
    package func flag(_ name: String, orElse absent: Bool = false) throws(HTTPError) -> Bool {
        guard let text = try parameter(name) else { return absent }
        if text.hasSameBytes(as: "false") { return false }
        if text.hasSameBytes(as: "true") { return true }
        throw .invalidParameter("\(name) is true or false, not \"\(text.excerpt())\"")
    }

    /// The requested page. Values that are not numbers count as absent.
    package func page() throws(HTTPError) -> PageRequest {
        PageRequest(
            number: try number("page") ?? 1,
            size: try number("per_page") ?? PageRequest.defaultSize)
    }

    /// A parameter that is a positive number; nil when it is absent.
    package func count(_ name: String) throws(HTTPError) -> Int? {
        guard let text = try parameter(name) else { return nil }
        guard text.utf8.allSatisfy(ASCII.isDigit), let count = Int(text), count > 0 else {
            throw .invalidParameter("\(name) is a number from 1 on")
        }
        return count
    }

    package var townZone: TimeZone { service.clocks(of: town).zone }

    package var eventClock: EventClock { service.eventClock(of: town, at: now) }

    /// The time zone that defines "today".
    package func zone() throws(HTTPError) -> TimeZone {
        guard let name = try parameter("tz") else { return townZone }
        do {
            return try service.zones.zone(named: name)
        } catch {
            throw .invalidParameter("\(error)")
        }
    }

    /// An optional sign and decimal digits; a number outside the range is clamped.
    private func number(_ name: String) throws(HTTPError) -> Int? {
        guard let text = try parameter(name)?.utf8 else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        var magnitude = 0
        for digit in digits {
            let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, overflowToo) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            magnitude = overflow || overflowToo ? .max : sum
        }
        return isNegative ? -magnitude : magnitude
    }
}

/// The target of a request in one form for all targets that mean the same: the keys of cached responses, and links.
extension Call {
    /// The path and the query, each escaped in one way; nil when they cannot be decoded.
    var canonicalTarget: [UInt8]? {
        guard var target = canonicalPath, let query = canonicalQuery() else { return nil }
        if !query.isEmpty {
            target.append("?")
            target.append(contentsOf: query)
        }
        return target
    }

    /// The value of a `Link` field (RFC 8288) to the next page: this request with another value of one parameter; nil
    /// when it cannot be decoded.
    ///
    /// - Parameter other: a parameter that the address of the next page does not have.
    package func linkToNext(_ parameter: String, _ value: String, without other: String) -> [UInt8]? {
        guard let path = canonicalPath, let query = canonicalQuery(without: [parameter, other]) else { return nil }
        var link = [UInt8]("<")
        link.append(contentsOf: path)
        link.append("?")
        link.append(contentsOf: query)
        if !query.isEmpty { link.append("&") }
        link.append(utf8: "\(parameter)=\(value)>; rel=\"next\"")
        return link
    }

    /// 301 to the current address of a record, with the query of the request.
    package func moved(to path: String, _ slug: Slug) -> CacheableResponse {
        var location = Array((path + PercentCoding.encode(slug.text.utf8)).utf8)
        if !request.query.isEmpty {
            location.append("?")
            // The query may contain bytes other than ASCII; a field value should not.
            for byte in request.query.encoded {
                if byte < 0x80 { location.append(byte) } else { location.append(utf8: PercentCoding.encode([byte])) }
            }
        }
        var response = Response(.movedPermanently, headers: ["Cache-Control": "no-cache"])
        response.headers.add("Location", bytes: location)
        return .uncached(response)
    }

    private var canonicalPath: [UInt8]? {
        if Self.isCanonical(request.path.encoded) { return Array(request.path.encoded) }
        var path: [UInt8] = []
        guard let segments = try? request.path.segments() else { return nil }
        for segment in segments {
            // These would be resolved when they are not escaped.
            if segment.hasSameBytes(as: ".") || segment.hasSameBytes(as: "..") { return nil }
            path.append("/")
            path.append(utf8: PercentCoding.encode(segment.utf8))
        }
        return path
    }

    /// Whether a path has neither an escape nor a segment that is empty or has a dot, so that it is its own form.
    private static func isCanonical(_ path: ArraySlice<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in path {
            switch byte {
            case UInt8(ascii: "/") where last == byte: return false
            case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"): break
            case _ where ASCII.isLetter(byte) || ASCII.isDigit(byte): break
            default: return false
            }
            last = byte
        }
        return last != UInt8(ascii: "/") && last != 0
    }

    /// The parameters that the endpoint declares, in that order, without those that do not count: empty ones, and all but
    /// the first of those that are not repeated.
    private func canonicalQuery(without others: [String] = []) -> [UInt8]? {
        var text: [UInt8] = []
        if request.query.isEmpty { return text }
        for parameter in endpoint.parameters where !others.contains(parameter.name) {
            guard let values = try? values(of: parameter) else { return nil }
            for value in values {
                if !text.isEmpty { text.append("&") }
                text.append(utf8: parameter.name)
                text.append("=")
                text.append(utf8: PercentCoding.encode(value.utf8, except: Self.plainInQuery))
            }
        }
        return text
    }

    /// The characters of places, times and zones, which many clients do not escape.
    static let plainInQuery = Array(",:/".utf8)

    private func values(of parameter: Endpoint.Parameter) throws(HTTPError) -> [String] {
        // An empty one of several may count: no event has an empty type.
        if parameter.isRepeated { return try request.query.all(parameter.name) }
        let value = try request.query.first(parameter.name) ?? ""
        return value.isEmpty ? [] : [value]
    }
}
