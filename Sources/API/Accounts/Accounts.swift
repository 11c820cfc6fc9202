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
    /// How long a session lasts that nobody uses, when its person stays signed in, in seconds.
    static let signedInSeconds = 90 * 86_400
    /// How long the link of the first start is good, in seconds.
    private static let setupSeconds = 30 * 60
    /// The use of a session is written to the log so often, in seconds.
    private static let seenSeconds = 5 * 60
    /// The use of a session whose person stays signed in is written to the log so often, in seconds.
    private static let signedInSeenSeconds = 86_400

    /// How often the log is read for whom.
    let histories: HistoryLimiter
    private let clock: TimeSource
    private let throttle = Mutex(LoginThrottle())
    private let writes: Mutex<RateLimit<Int>>
    private let attempts: Mutex<RateLimit<ClientNetwork>>
    private let knownLogins: Mutex<RateLimit<Int>>
    private let seen = Mutex<[Int: Timestamp]>([:])
    private let setup = Mutex<(digest: TokenDigest, end: Int)?>(nil)
    private let madeHasher = Mutex<PasswordHasher?>(nil)

    /// Nothing remembered yet.
    ///
    /// - Parameters:
    ///   - clock: what time it is; the throttle counts by the monotonic one.
    ///   - writesPerMinute: the requests that an account may change something with; 1 to 1,000,000, others trap.
    ///   - networkLimit: how many networks of strangers are counted separately.
    init(clock: TimeSource, writesPerMinute: Int, networkLimit: Int = 65_536) {
        self.clock = clock
        histories = HistoryLimiter(clock: clock)
        guard let writes = RateLimitPolicy(name: "writes", quota: writesPerMinute, window: 60),
            let attempts = RateLimitPolicy(name: "attempts", quota: 60, window: 60)
        else { preconditionFailure("a quota is out of range") }
        self.writes = Mutex(RateLimit(writes))
        self.attempts = Mutex(RateLimit(attempts, capacity: networkLimit))
        knownLogins = Mutex(RateLimit(attempts))
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

    /// An attempt to log in; `isKnown` when the account's owner has logged in from that network before. The account is
    /// meant by any spelling of its e-mail address, as people are found by it.
    static func attempt(on email: String, from network: ClientNetwork, isKnown: Bool) -> LoginThrottle.Attempt {
        let account = String(decoding: CaseFolding.fold(email), as: UTF8.self)
        return LoginThrottle.Attempt(address: network.bytes, account: account, isKnown: isKnown)
    }

    /// Admits an attempt to log in, and counts it as failed until `loginSucceeded`.
    ///
    /// - Throws: 429 with `Retry-After`.
    func admit(_ attempt: LoginThrottle.Attempt) throws(HTTPError) {
        let answer = throttle.withLock { $0.admit(attempt, now: clock.monotonic()) }
        if case .wait(let seconds) = answer {
            throw HTTPError(
                .tooManyRequests, code: "too_many_logins", message: "too many wrong logins; wait \(seconds) s",
                headers: ["Retry-After": "\(seconds)"])
        }
    }

    func loginSucceeded(_ attempt: LoginThrottle.Attempt) {
        throttle.withLock { $0.succeeded(attempt, now: clock.monotonic()) }
    }

    func loginAbandoned(_ attempt: LoginThrottle.Attempt) {
        throttle.withLock { $0.abandoned(attempt, now: clock.monotonic()) }
    }

    /// Counts a request that may change something: what needs no account by the client's network, all else by the
    /// caller's account. The owner of the folder may do as much as they like.
    ///
    /// A login from where its person has logged in before is counted by that person: strangers who fill up the table of
    /// networks do not keep it out.
    ///
    /// - Returns: what the answer says of the limit.
    /// - Throws: 429 with `Retry-After`, `RateLimit` and `RateLimit-Policy`.
    func admit(_ call: Call, isLogin: Bool) throws(HTTPError) -> RateLimitDecision? {
        if call.request.isLocal { return nil }
        let now = clock.monotonic()
        if call.access == .anyone {
            let decision: RateLimitDecision
            if isLogin, let person = call.knownPersonLoggingIn {
                decision = knownLogins.withLock { $0.take(person, now: now) }
            } else {
                let network = ClientNetwork(call.request.peer)
                decision = attempts.withLock { $0.take(network, now: now) }
            }
            return try admitted(decision, "too_many_attempts", "attempts")
        }
        guard let person = call.caller.personID else { return nil }
        return try admitted(writes.withLock { $0.take(person, now: now) }, "too_many_writes", "changes")
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

    /// When a session expires if it is not used any more.
    func end(of grant: Grant) -> Timestamp? {
        if grant.staysSignedIn { return grant.expiresAt }
        let idleEnd = lastUse(of: grant).advanced(bySeconds: Self.idleSeconds)
        return grant.expiresAt.map { min($0, idleEnd) } ?? idleEnd
    }

    /// Records that a session is used; whether that is to be written to the log.
    func use(_ grant: Grant, at now: Timestamp) -> Bool {
        seen.withLock { seen in
            if seen.count > 10_000 { seen.removeAll() }
            seen[grant.id] = now
        }
        return isDue(grant, at: now)
    }

    /// Whether what the log knows of a session's use is old enough to be written anew.
    func isDue(_ grant: Grant, at now: Timestamp) -> Bool {
        let interval = grant.staysSignedIn ? Self.signedInSeenSeconds : Self.seenSeconds
        return now >= (grant.seenAt ?? grant.createdAt).advanced(bySeconds: interval)
    }
}

extension Grant {
    /// A session that is used at a moment: one whose person stays signed in lasts from then on.
    func used(at now: Timestamp) -> Grant {
        var grant = self
        grant.seenAt = now
        if staysSignedIn { grant.expiresAt = now.advanced(bySeconds: Accounts.signedInSeconds) }
        return grant
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
