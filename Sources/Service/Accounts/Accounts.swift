import Bytes
import Credentials
import Platform
import SookeModel
import Store
import Synchronization

/// What the server remembers of its callers between requests: attempts to log in, the rates of writes, and the sessions
/// that are in use. All of it may be forgotten; what must last is in the store.
public final class Accounts: Sendable {
    /// How long a session lasts that nobody uses, in seconds.
    static let idleSeconds = 30 * 60
    /// How long a session lasts at most, in seconds.
    static let sessionSeconds = 12 * 3600
    /// How long a session lasts that nobody uses, when its person stays signed in, in seconds.
    static let signedInSeconds = 90 * 86_400
    /// How long the link of the first start is valid, in seconds.
    private static let setupSeconds = 30 * 60
    /// The use of a session is written to the log so often, in seconds.
    private static let seenSeconds = 5 * 60
    /// The use of a session whose person stays signed in is written to the log so often, in seconds.
    private static let signedInSeenSeconds = 86_400

    /// Bounds how often the log is read for an account.
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
    func hasher() throws(ServiceError) -> PasswordHasher {
        let hasher = madeHasher.withLock { made in
            if made == nil { made = try? PasswordHasher() }
            return made
        }
        guard let hasher else { throw .overloaded }
        return hasher
    }

    // MARK: - The first account

    /// A new token for the link of the first start. It is in memory only, and valid for half an hour.
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

    /// Ends the link of this start.
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
    /// - Throws: `limited`.
    func admit(_ attempt: LoginThrottle.Attempt) throws(ServiceError) {
        let answer = throttle.withLock { $0.admit(attempt, now: clock.monotonic()) }
        if case .wait(let seconds) = answer {
            throw .limited(.logins, seconds: seconds)
        }
    }

    func loginSucceeded(_ attempt: LoginThrottle.Attempt) {
        throttle.withLock { $0.succeeded(attempt, now: clock.monotonic()) }
    }

    func loginAbandoned(_ attempt: LoginThrottle.Attempt) {
        throttle.withLock { $0.abandoned(attempt, now: clock.monotonic()) }
    }

    /// Counts a request without an account, by the client's network.
    ///
    /// - Parameter knownPerson: the person who logs in from a network from which they have logged in before. They are
    ///   counted by themselves: strangers who fill up the table of networks do not lock them out.
    /// - Returns: the decision, for the response.
    /// - Throws: `limited`.
    public func admitAttempt(
        from network: ClientNetwork, knownPerson: Int? = nil
    ) throws(ServiceError) -> RateLimitDecision {
        let now = clock.monotonic()
        let decision =
            if let knownPerson {
                knownLogins.withLock { $0.take(knownPerson, now: now) }
            } else {
                attempts.withLock { $0.take(network, now: now) }
            }
        guard decision.isAllowed else { throw .limited(.attempts(decision), seconds: decision.resetSeconds) }
        return decision
    }

    /// Counts a request that may change something, by the caller's account. The local socket has no limit.
    ///
    /// - Returns: the decision, for the response; nil without a limit.
    /// - Throws: `limited`.
    public func admitWrite(by caller: Caller) throws(ServiceError) -> RateLimitDecision? {
        guard let person = caller.personID else { return nil }
        let now = clock.monotonic()
        let decision = writes.withLock { $0.take(person, now: now) }
        guard decision.isAllowed else { throw .limited(.writes(decision), seconds: decision.resetSeconds) }
        return decision
    }

    // MARK: - Sessions

    /// When a session was last used.
    func lastUse(of credential: Credential) -> Timestamp {
        let stored = credential.seenAt ?? credential.createdAt
        return max(stored, seen.withLock { $0[credential.id] } ?? stored)
    }

    /// When a session expires if it is not used any more.
    func end(of credential: Credential) -> Timestamp? {
        if credential.staysSignedIn { return credential.expiresAt }
        let idleEnd = lastUse(of: credential).advanced(bySeconds: Self.idleSeconds)
        return credential.expiresAt.map { min($0, idleEnd) } ?? idleEnd
    }

    /// Records that a session is used; whether that is to be written to the log.
    func use(_ credential: Credential, at now: Timestamp) -> Bool {
        seen.withLock { seen in
            if seen.count > 10_000 { seen.removeAll() }
            seen[credential.id] = now
        }
        return isDue(credential, at: now)
    }

    /// Whether what the log knows of a session's use is old enough to be written anew.
    func isDue(_ credential: Credential, at now: Timestamp) -> Bool {
        let interval = credential.staysSignedIn ? Self.signedInSeenSeconds : Self.seenSeconds
        return now >= (credential.seenAt ?? credential.createdAt).advanced(bySeconds: interval)
    }
}

extension Credential {
    /// A session that is used at a moment: one whose person stays signed in lasts from then on.
    func used(at now: Timestamp) -> Credential {
        var credential = self
        credential.seenAt = now
        if staysSignedIn { credential.expiresAt = now.advanced(bySeconds: Accounts.signedInSeconds) }
        return credential
    }
}
