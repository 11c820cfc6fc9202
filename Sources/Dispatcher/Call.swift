import Bytes
import HTTP
import Limits
import Platform
import Service
import SookeModel
import Store

/// A request at an endpoint, with the version of the town, taken once so that a response never mixes two.
package final class Call: Sendable {
    package let request: Request
    package let captures: Captures
    /// The values of the parameters that count, in the order of the endpoint, each with the index of its parameter; nil
    /// for one that cannot be decoded. Of those that are not repeated the first counts.
    let query: [(parameter: Int, value: String?)]
    package let dispatcher: Dispatcher
    package let endpoint: Endpoint
    package let version: Version
    package let now: Timestamp
    package let caller: Caller
    package let isSuperAdmin: Bool
    let subject: AuditSubject?
    /// Whether the client still waits for the response of a `Handler.async`.
    package let isWanted: @Sendable () -> Bool

    /// Does not check the permission of the caller. Throws 401 when the request has an invalid token.
    init(
        _ request: Request, captures: Captures, dispatcher: Dispatcher, subject: AuditSubject? = nil
    ) throws(HTTPError) {
        (self.request, self.captures, self.dispatcher, self.subject) = (request, captures, dispatcher, subject)
        endpoint = dispatcher.endpoint(of: captures)
        query = endpoint.values(in: request.query)
        let service = dispatcher.service
        version = service.store.current
        now = service.clock()
        isWanted = { true }
        (caller, isSuperAdmin) = try Self.authenticate(request, endpoint, version, dispatcher)
    }

    init(_ call: Call, isWanted: @escaping @Sendable () -> Bool) {
        (request, captures, version, now) = (call.request, call.captures, call.version, call.now)
        (dispatcher, endpoint, query) = (call.dispatcher, call.endpoint, call.query)
        (caller, isSuperAdmin, subject) = (call.caller, call.isSuperAdmin, call.subject)
        self.isWanted = isWanted
    }

    func requireAccess() throws(HTTPError) {
        try HTTPError.translating {
            try service.check(
                endpoint.access, for: caller, isSuperAdmin: isSuperAdmin,
                slug: captures.has("slug") ? (try? captures.text("slug")).map(Slug.init(_:)) : nil,
                isSafe: request.method.isSafe, in: version)
        }
    }

    func requireOwnPage() throws(HTTPError) {
        guard endpoint.isPage, !request.method.isSafe, !request.isLocal else { return }
        try CrossOrigin.requireOwnPage(request, url: service.url)
    }

    func requireWritable() throws(HTTPError) {
        guard !request.method.isSafe, service.store.readOnly != nil, endpoint.changesNothing?(self) != true else {
            return
        }
        try HTTPError.translating { try service.requireWritable() }
    }

    /// - Parameter hasKey: whether an `Idempotency-Key` counts. It does not for a request with a password, because the
    ///   digest of the request would let the password be guessed.
    package func context(hasKey: Bool = true) throws(HTTPError) -> RequestContext {
        var context = RequestContext(
            caller: caller, isSuperAdmin: isSuperAdmin, network: ClientNetwork(request.peer), version: version,
            precondition: Precondition(request.headers), key: hasKey ? try idempotencyKey() : nil, subject: subject,
            cookieSession: request.headers.first("authorization") == nil ? caller.credentialID : nil,
            isWanted: isWanted)
        context.device = device
        return context
    }

    /// Browser and system as people call them, such as `Firefox on Android`; nil for another program.
    private var device: String? {
        let agent = [UInt8](request.headers.first("user-agent") ?? [])
        func name(_ names: KeyValuePairs<String, String>) -> String? {
            names.first { ByteSearch(for: Array($0.key.utf8)).firstMatch(in: agent.span) != nil }?.value
        }
        let browser = name([
            "Edg": "Edge", "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome",
            "Safari": "Safari",
        ])
        let system = name([
            "iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "CrOS": "Chromebook", "Windows": "Windows",
            "Mac OS": "Mac", "Linux": "Linux",
        ])
        return browser.map { [$0, system].compactMap(\.self).joined(separator: " on ") }
    }

    /// Of a change by a form, which names the version of the record that it has seen.
    package func context(in version: Version, requiring digest: UInt64) -> RequestContext {
        RequestContext(
            caller: caller, isSuperAdmin: caller.isSuperAdmin(in: version.town), network: ClientNetwork(request.peer),
            version: version, precondition: Precondition(required: Precondition.Versions(digests: [digest])),
            subject: subject, isWanted: isWanted)
    }

    package func context(once key: String) -> RequestContext {
        let fingerprint = Hex.encode(SHA256.digest([UInt8](request.method.name) + request.target))
        let isKey = 8...64 ~= key.utf8.count
        return RequestContext(
            caller: caller, isSuperAdmin: isSuperAdmin, network: ClientNetwork(request.peer), version: version,
            key: isKey ? IdempotencyKey(text: "form \(key)", fingerprint: fingerprint) : nil, subject: subject,
            isWanted: isWanted)
    }

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

    /// Counts a write request: one that needs no account by the client's network, another by the account. So does a
    /// form of a person, even if others may send it.
    func admitRate() throws(HTTPError) -> BucketDecision? {
        if request.isLocal { return nil }
        guard endpoint.access == .anyone, !endpoint.isPage || caller == .anonymous else {
            return try HTTPError.translating { try service.limits.admitChange(by: caller) }
        }
        let network = ClientNetwork(request.peer)
        let person = endpoint.loginAddress?(self).flatMap { service.knownPerson($0, from: network, in: version) }
        return try HTTPError.translating { try service.limits.admitAttempt(from: network, knownPerson: person) }
    }

    package var service: TownService { dispatcher.service }

    /// Each access copies it, so a busy route accesses it once.
    package var town: Town { version.town }
}

extension Call {
    /// The caller of a request over the local socket is the owner; others need a token (RFC 6750, section 2.1), or on a
    /// page and for a read the cookie of a session. The cookie of one that has ended is that of a stranger: browsers
    /// keep it.
    static func authenticate(
        _ request: Request, _ endpoint: Endpoint, _ version: Version, _ dispatcher: Dispatcher
    ) throws(HTTPError) -> (caller: Caller, isSuperAdmin: Bool) {
        if request.isLocal { return (.owner, true) }
        let service = dispatcher.service
        guard let field = request.headers.first("authorization") else {
            guard endpoint.isPage || request.method.isSafe, !endpoint.ignoresCookies,
                let token = dispatcher.sessionCookie.token(in: request.headers)
            else { return (.anonymous, false) }
            return (try? service.authenticate(token, in: version)) ?? (.anonymous, false)
        }
        let scheme = "bearer ".utf8
        let isBearer = ASCII.equalIgnoringCase(field.prefix(scheme.count), scheme)
        let token = isBearer ? Token(text: field.dropFirst(scheme.count)) : nil
        return try HTTPError.translating { try service.authenticate(token, in: version) }
    }
}
