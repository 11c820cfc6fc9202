import Bytes
import Credentials
import HTTP
import Platform
import Service
import SookeModel
import Store

/// A request on its way through a route, with the version of the town for the response.
///
/// The version is taken once, so that a response never mixes two.
///
/// A class, because every step of a write passes it on, and one reference is cheaper than two dozen.
final class Call: Sendable {
    let request: Request
    let captures: Captures
    let town: Town
    let version: Version
    /// The time; `steadyNow` decides what has expired.
    let now: Timestamp
    /// The sender of the request.
    let caller: Caller
    /// Whether the caller has all permissions in `version`.
    let isSuperAdmin: Bool
    /// The permission that the route requires.
    let access: Access
    /// The parameters that the route reads.
    let parameters: [QueryParameter]
    /// The formats of the route besides JSON.
    let otherTypes: [MediaType]
    /// The subject of the audit entry; nil when the request is not audited.
    let subject: AuditSubject?
    /// Whether the client still waits for the response of a `Handler.async`; called when one of its transactions gets
    /// its turn.
    let isWanted: @Sendable () -> Bool

    /// A call with an authenticated caller, whose permission is not checked yet.
    ///
    /// - Throws: 401 when the request has an invalid token.
    init(
        _ request: Request, captures: Captures, route: Route, town: Town, subject: AuditSubject? = nil
    ) throws(HTTPError) {
        self.subject = subject
        self.request = request
        self.captures = captures
        (access, parameters, otherTypes) = (route.access, route.parameters, route.otherTypes)
        self.town = town
        version = town.store.current
        now = town.clock()
        isWanted = { true }
        (caller, isSuperAdmin) = try Self.authenticate(request, version, town)
    }

    /// The same call, with a check whether the client still waits.
    init(_ call: Call, isWanted: @escaping @Sendable () -> Bool) {
        (request, captures, town, version, now) = (call.request, call.captures, call.town, call.version, call.now)
        (caller, isSuperAdmin, access, subject) = (call.caller, call.isSuperAdmin, call.access, call.subject)
        (parameters, otherTypes) = (call.parameters, call.otherTypes)
        self.isWanted = isWanted
    }

    /// Checks that the caller may use the route.
    ///
    /// - Throws: what the route's `Access` throws; 403 when the scope of the token does not include it.
    func requireAccess() throws(HTTPError) {
        try service { () throws(ServiceError) in
            try town.check(
                access, for: caller, isSuperAdmin: isSuperAdmin, slug: captures.optionalSlug,
                isSafe: request.method.isSafe, in: version)
        }
    }

    /// The context of the request for use cases.
    ///
    /// - Parameter hasKey: whether an `Idempotency-Key` counts. It does not for a request with a password, because the
    ///   digest of the request would let the password be guessed.
    /// - Throws: 400 for an invalid `Idempotency-Key`.
    func context(hasKey: Bool = true) throws(HTTPError) -> RequestContext {
        RequestContext(
            caller: caller, isSuperAdmin: isSuperAdmin, network: ClientNetwork(request.peer), version: version,
            precondition: Precondition(request.headers), key: hasKey ? try idempotencyKey() : nil, subject: subject,
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

    /// Counts a write request: one that needs no account by the client's network, another by the account.
    ///
    /// - Returns: the decision, for the response.
    /// - Throws: 429.
    func admitRate(isLogin: Bool) throws(HTTPError) -> RateLimitDecision? {
        if request.isLocal { return nil }
        guard access == .anyone else {
            return try service { () throws(ServiceError) in try town.writes.admit(by: caller) }
        }
        let network = ClientNetwork(request.peer)
        let email = isLogin ? (try? validFields(.credentials))?["email"] : nil
        let person = email.flatMap { town.knownPerson($0, from: network, in: version) }
        return try service { () throws(ServiceError) in
            try town.accounts.admitAttempt(from: network, knownPerson: person)
        }
    }

    /// Runs a part of a use case that only reads, with its error as an error of HTTP.
    func service<Value>(_ body: () throws(ServiceError) -> Value) throws(HTTPError) -> Value {
        do throws(ServiceError) {
            return try body()
        } catch {
            throw HTTPError(error)
        }
    }

    /// The town. Each access copies it, so a busy route accesses it once.
    var community: Community { version.community }

    /// The slug in the path.
    func slug() throws(HTTPError) -> Slug {
        Slug(try captures.text("slug"))
    }

    /// The ID in the path.
    func id(_ name: StaticString = "id") throws(HTTPError) -> Int {
        guard let id = Int(try captures.text("\(name)")), id > 0 else { throw .notFound() }
        return id
    }

    /// The first value of a query parameter; nil when it is absent or empty, or when the route does not declare it: what
    /// the key of a cached response leaves out must change nothing.
    func parameter(_ name: String) throws(HTTPError) -> String? {
        guard let value = try request.query.first(name), !value.isEmpty, declares(name) else { return nil }
        return value
    }

    /// All values of a query parameter that may occur several times.
    func values(_ name: String) throws(HTTPError) -> [String] {
        let values = try request.query.all(name)
        return !values.isEmpty && declares(name) ? values : []
    }

    private func declares(_ name: String) -> Bool { parameters.contains { $0.name.hasSameBytes(as: name) } }

    /// A parameter with the value `true` or `false`.
    func flag(_ name: String, orElse absent: Bool = false) throws(HTTPError) -> Bool {
        guard let text = try parameter(name) else { return absent }
        if text.hasSameBytes(as: "false") { return false }
        if text.hasSameBytes(as: "true") { return true }
        throw .invalidParameter("\(name) is true or false, not \"\(text.excerpt())\"")
    }

    /// The requested page. Values that are not numbers count as absent.
    func page() throws(HTTPError) -> PageRequest {
        PageRequest(
            number: try number("page") ?? 1,
            size: try number("per_page") ?? PageRequest.defaultSize)
    }

    /// A parameter that is a positive number; nil when it is absent.
    func count(_ name: String) throws(HTTPError) -> Int? {
        guard let text = try parameter(name) else { return nil }
        guard text.utf8.allSatisfy(ASCII.isDigit), let count = Int(text), count > 0 else {
            throw .invalidParameter("\(name) is a number from 1 on")
        }
        return count
    }

    /// The time zone that defines "today".
    func zone() throws(HTTPError) -> TimeZone {
        guard let name = try parameter("tz") else { return town.zone }
        do {
            return try town.zones.zone(named: name)
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

extension Captures {
    /// The value of `{slug}`; nil when the route has none, or the value is not UTF-8.
    var optionalSlug: Slug? {
        has("slug") ? (try? text("slug")).map(Slug.init(_:)) : nil
    }
}

extension Call {
    /// Whether a request has no credential.
    static func isAnonymous(_ request: Request) -> Bool {
        !request.isLocal && request.headers.first("authorization") == nil
    }

    /// Finds the caller, and whether they have all permissions. The caller of a request over the local socket is the
    /// owner; others need a token (RFC 6750, section 2.1).
    ///
    /// - Throws: 401 `invalid_token`.
    static func authenticate(
        _ request: Request, _ version: Version, _ town: Town
    ) throws(HTTPError) -> (caller: Caller, isSuperAdmin: Bool) {
        if request.isLocal { return (.owner, true) }
        guard let field = request.headers.first("authorization") else { return (.anonymous, false) }
        let scheme: StaticString = "bearer "
        let token =
            field.startsIgnoringCase(with: scheme) ? Token(text: field.dropFirst(scheme.utf8CodeUnitCount)) : nil
        do throws(ServiceError) {
            return try town.authenticate(token, in: version)
        } catch {
            throw HTTPError(error)
        }
    }
}

/// The representation of the body, as the head states it.
extension Call {
    private static let jsonTypes = ["application/json", "application/merge-patch+json"].map { Array($0.utf8) }

    /// Checks that the media type of a body is JSON. A page of any site may send a body with another type, or without
    /// one, and a browser asks for permission first only for types such as this one.
    ///
    /// - Throws: 415.
    func requireJSONType() throws(HTTPError) {
        guard let field = request.headers.first("content-type") else {
            if request.body.isEmpty, request.announcedLength == 0 { return }
            throw unsupported("the body needs the field Content-Type: application/json")
        }
        let type = field.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        let isJSON = Self.jsonTypes.contains { ASCII.equalIgnoringCase(type, $0) }
        guard isJSON else { throw unsupported("the body must be application/json") }
    }

    /// Checks that the body has no content coding, such as compression (RFC 9110, section 8.4).
    ///
    /// - Throws: 415.
    func requireUncodedBody() throws(HTTPError) {
        guard !request.method.isSafe || !request.body.isEmpty, request.headers.first("content-encoding") != nil else {
            return
        }
        throw unsupported("the body must come without a Content-Encoding", ["Accept-Encoding": "identity"])
    }

    /// 415 `unsupported_media_type`; the response to a `PATCH` has the media types of patches (RFC 5789, section 2.2).
    private func unsupported(_ message: String, _ headers: ResponseHeaders = [:]) -> HTTPError {
        var headers = headers
        if request.method == .patch { headers.add("Accept-Patch", "application/merge-patch+json, application/json") }
        return HTTPError(.unsupportedMediaType, code: "unsupported_media_type", message: message, headers: headers)
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
