import Bytes
import Credentials
import HTTP
import SookeModel
import Store
import Synchronization

/// What the server remembers of its callers between requests: who tried to log in, how often who writes, and which
/// sessions are in use. All of it may be forgotten; what must last is in the store.
public final class Accounts: Sendable {
    /// How long a session lasts that nobody uses, in seconds.
    static let idleSeconds = 30 * 60
    /// How long a session lasts at most, in seconds.
    static let sessionSeconds = 12 * 3600
    /// How long the link of the first start is good, in seconds.
    private static let setupSeconds = 30 * 60
    /// A session that is in use is noted in the log so often, in seconds.
    private static let seenSeconds = 5 * 60

    private let clock: TimeSource
    private let throttle = Mutex(LoginThrottle())
    private let writes: Mutex<RateLimit<Int>>
    private let attempts: Mutex<RateLimit<String>>
    private let seen = Mutex<[Int: Timestamp]>([:])
    private let setup = Mutex<(digest: TokenDigest, end: Int)?>(nil)
    private let madeHasher = Mutex<PasswordHasher?>(nil)

    /// Nothing remembered yet.
    ///
    /// - Parameters:
    ///   - clock: what time it is; the throttle counts by the monotonic one.
    ///   - writesPerMinute: the requests that a token may change something with; 1 to 1,000,000, others trap.
    public init(clock: TimeSource, writesPerMinute: Int) {
        self.clock = clock
        guard let writes = RateLimitPolicy(name: "writes", quota: writesPerMinute, window: 60),
            let attempts = RateLimitPolicy(name: "attempts", quota: 60, window: 60)
        else { preconditionFailure("a quota is out of range") }
        self.writes = Mutex(RateLimit(writes))
        self.attempts = Mutex(RateLimit(attempts))
    }

    /// Hashes passwords. It is made at the first login: that costs as much as a hash, and a start should not.
    func hasher() throws(HTTPError) -> PasswordHasher {
        let hasher = madeHasher.withLock { made in
            if made == nil { made = try? PasswordHasher() }
            return made
        }
        guard let hasher else { throw .overloaded }
        return hasher
    }

    // MARK: - The first account

    /// A new token for the link of the first start. It is in memory only, and good for half an hour.
    public func makeSetupToken() throws(RandomBytes.Failure) -> Token {
        let token = try Token(.setup)
        let end = clock.monotonic() + Self.setupSeconds * 1_000_000_000
        setup.withLock { $0 = (token.digest, end) }
        return token
    }

    /// Whether a token is that of the link of this start.
    func isSetup(_ token: Token) -> Bool {
        let now = clock.monotonic()
        return setup.withLock { $0.map { $0.digest == token.digest && now < $0.end } ?? false }
    }

    /// Makes the link useless.
    func endSetup() {
        setup.withLock { $0 = nil }
    }

    // MARK: - Limits

    /// Lets a login be tried, and counts it as failed until `loginSucceeded`.
    ///
    /// - Throws: 429 with `Retry-After`.
    func admitLogin(from peer: Peer, email: String) throws(HTTPError) {
        let answer = throttle.withLock {
            $0.admit(address: peer.throttleKey, account: Self.key(email), now: clock.monotonic())
        }
        if case .wait(let seconds) = answer {
            throw HTTPError(
                .tooManyRequests, code: "too_many_logins", message: "too many wrong logins; wait \(seconds) s",
                headers: ["Retry-After": "\(seconds)"])
        }
    }

    func loginSucceeded(from peer: Peer, email: String) {
        throttle.withLock {
            $0.succeeded(address: peer.throttleKey, account: Self.key(email), now: clock.monotonic())
        }
    }

    func loginAbandoned(from peer: Peer, email: String) {
        throttle.withLock {
            $0.abandoned(address: peer.throttleKey, account: Self.key(email), now: clock.monotonic())
        }
    }

    /// An account by any spelling of its address: as people are found by it.
    private static func key(_ email: String) -> String {
        String(decoding: CaseFolding.fold(email), as: UTF8.self)
    }

    /// Counts a request that may change something: what needs no account by the client's address, all else by its
    /// token. The owner of the folder may do as much as they like.
    ///
    /// - Returns: what the answer says of the limit.
    /// - Throws: 429 with `Retry-After`, `RateLimit` and `RateLimit-Policy`.
    func admit(_ call: Call) throws(HTTPError) -> RateLimitDecision? {
        if call.request.isLocal { return nil }
        let now = clock.monotonic()
        if call.access == .anyone {
            let address = call.request.peer.throttleKey
            return try admitted(attempts.withLock { $0.take(address, now: now) }, "too_many_attempts", "attempts")
        }
        guard case .token(let grant, _, _) = call.caller.proof else { return nil }
        return try admitted(writes.withLock { $0.take(grant, now: now) }, "too_many_writes", "changes")
    }

    private func admitted(
        _ decision: RateLimitDecision, _ code: String, _ noun: String
    ) throws(HTTPError) -> RateLimitDecision {
        if decision.isAllowed { return decision }
        var headers: ResponseHeaders = ["Retry-After": "\(decision.resetSeconds)"]
        headers.add(decision)
        throw HTTPError(
            .tooManyRequests, code: code, message: "too many \(noun); wait \(decision.resetSeconds) s",
            headers: headers)
    }

    // MARK: - Sessions

    /// When a session was last used.
    func lastUse(of grant: Grant) -> Timestamp {
        let noted = grant.seenAt ?? grant.createdAt
        return max(noted, seen.withLock { $0[grant.id] } ?? noted)
    }

    /// Notes that a session is used; whether the log should hear of it.
    func use(_ grant: Grant, at now: Timestamp) -> Bool {
        seen.withLock { seen in
            if seen.count > 10_000 { seen.removeAll() }
            seen[grant.id] = now
        }
        return isDue(grant, at: now)
    }

    /// Whether what the log knows of a session's use is old enough to be written anew.
    func isDue(_ grant: Grant, at now: Timestamp) -> Bool {
        now >= (grant.seenAt ?? grant.createdAt).advanced(bySeconds: Self.seenSeconds)
    }
}

extension ResponseHeaders {
    /// Adds what a rate limit says of itself.
    mutating func add(_ decision: RateLimitDecision) {
        let values = decision.fieldValues
        add("RateLimit", bytes: values.rateLimit)
        add("RateLimit-Policy", values.policy)
    }
}

extension Peer {
    /// What the throttle knows a client by: of IPv6 its network, since one customer has 2⁶⁴ addresses.
    fileprivate var throttleKey: String {
        switch self {
        case .local(let uid, _): return "uid:\(uid)"
        case .inet(let address, _, _):
            let groups = address.split(separator: ":", omittingEmptySubsequences: false)
            return groups.count > 2 ? groups.prefix(4).joined(separator: ":") : address
        }
    }
}
