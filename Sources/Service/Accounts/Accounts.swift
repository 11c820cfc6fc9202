import Bytes
import Credentials
import Platform
import SookeModel
import Store
import Synchronization

/// The state of callers that the server holds in memory between requests: attempts to log in, and uses of sessions.
/// None of it needs to survive a restart.
package final class Accounts: Sendable {
    /// The time after which an unused session expires, in seconds.
    static let idleSeconds = 30 * 60
    /// The longest lifetime of a session, in seconds.
    static let sessionSeconds = 12 * 3600
    /// The time after which an unused session of a person who stays signed in expires, in seconds.
    static let signedInSeconds = 90 * 86_400
    /// The lifetime of the link of the first start, in seconds.
    private static let setupSeconds = 30 * 60
    /// The interval at which uses of a session are logged, in seconds.
    private static let seenSeconds = 5 * 60
    /// The same interval for a session whose person stays signed in, in seconds.
    private static let signedInSeenSeconds = 86_400

    let histories: HistoryLimiter
    private let clock: TimeSource
    private let turns: LoginTurns
    /// The accounts whose password is being compared for a request with a token.
    private let comparing = Mutex<Set<Int>>([])
    private let attempts: Mutex<RateLimit<ClientNetwork>>
    private let knownLogins: Mutex<RateLimit<Int>>
    private let seen = Mutex<[Int: Timestamp]>([:])
    /// The credentials that have expired and are not deleted yet.
    private let ended = Mutex<Set<Int>>([])
    private let setup = Mutex<(digest: TokenDigest, end: Int)?>(nil)
    private let madeHasher = Mutex<PasswordHasher?>(nil)
    private let readOnlySince: @Sendable () -> Timestamp?
    /// The last time in which the town was read-only, once that is over.
    private let lastPause = Mutex<(start: Timestamp, end: Timestamp)?>(nil)

    /// - Parameters:
    ///   - readOnlySince: since when the town is read-only; nil when it is not.
    ///   - clock: the clock; the throttle uses its monotonic time.
    ///   - networkLimit: the number of networks of clients without an account that are counted separately.
    init(
        clock: TimeSource, networkLimit: Int = 65_536, readOnlySince: @escaping @Sendable () -> Timestamp? = { nil }
    ) {
        self.clock = clock
        self.readOnlySince = readOnlySince
        histories = HistoryLimiter(clock: clock)
        turns = LoginTurns(clock: clock)
        // A person may have to share a network with four who guess: see `LoginTurns`.
        guard let attempts = RateLimitPolicy(name: "attempts", quota: 60, window: 60),
            let knownAttempts = RateLimitPolicy(name: "attempts", quota: 600, window: 60)
        else {
            preconditionFailure("a quota is out of range")
        }
        self.attempts = Mutex(RateLimit(attempts, capacity: networkLimit))
        knownLogins = Mutex(RateLimit(knownAttempts))
    }

    /// Hashes passwords. It is created at the first login, because that costs as much as a hash.
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
    package func makeSetupToken() throws(RandomBytes.Failure) -> Token {
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

    func endSetup() {
        setup.withLock { $0 = nil }
    }

    // MARK: - Limits

    /// An attempt to log in; `isKnown` when the account's owner has logged in from that network before. All spellings
    /// of an e-mail address that find the same person count as one.
    static func attempt(on email: String, from network: ClientNetwork, isKnown: Bool) -> LoginThrottle.Attempt {
        let account = String(decoding: CaseFolding.fold(email), as: UTF8.self)
        return LoginThrottle.Attempt(address: network.bytes, account: account, isKnown: isKnown)
    }

    /// Admits an attempt to log in, perhaps after a while, and counts it as failed until `loginSucceeded`.
    ///
    /// - Throws: `limited`.
    func admit(
        _ attempt: LoginThrottle.Attempt, isWanted: @escaping @Sendable () -> Bool
    ) async throws(ServiceError) {
        try await turns.admit(attempt, isWanted: isWanted)
    }

    func loginSucceeded(_ attempt: LoginThrottle.Attempt) { turns.succeeded(attempt) }

    func loginAbandoned(_ attempt: LoginThrottle.Attempt) { turns.abandoned(attempt) }

    /// Begins to compare the password of an account for a request with a token of it: one at a time, or many such
    /// requests would delay the logins of others.
    ///
    /// - Throws: `limited`.
    func beginComparing(_ person: Int) throws(ServiceError) {
        guard comparing.withLock({ $0.insert(person).inserted }) else { throw .limited(.logins, seconds: 1) }
    }

    func endComparing(_ person: Int) { _ = comparing.withLock { $0.remove(person) } }

    /// Counts a request without an account, by the client's network.
    ///
    /// - Parameter knownPerson: a person who logs in from a network from which they have logged in before. They are
    ///   counted separately, so that other clients who fill up the table of networks do not lock them out.
    /// - Returns: the decision, for the response.
    /// - Throws: `limited`.
    package func admitAttempt(
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

    // MARK: - Sessions

    func lastUse(of credential: Credential) -> Timestamp {
        let stored = credential.seenAt ?? credential.createdAt
        return max(stored, seen.withLock { $0[credential.id] } ?? stored)
    }

    /// The time when a session expires if it is not used again, or when a token or link expires; nil for never.
    ///
    /// While the town is read-only, uses are not logged, so the idle time stands still: a restart logs nobody out.
    func end(of credential: Credential, at now: Timestamp) -> Timestamp? {
        if credential.purpose != .session || credential.staysSignedIn { return credential.expiresAt }
        let lastUse = lastUse(of: credential)
        var idleEnd = lastUse.advanced(bySeconds: Self.idleSeconds)
        if let pause = readOnlySince().map({ ($0, now) }) ?? lastPause.withLock(\.self), pause.0 < idleEnd {
            idleEnd = idleEnd.advanced(bySeconds: max(0, pause.1.seconds - max(pause.0, lastUse).seconds))
        }
        return credential.expiresAt.map { min($0, idleEnd) } ?? idleEnd
    }

    /// The town, which was read-only, accepts changes from now on.
    func endPause(since start: Timestamp, at now: Timestamp) { lastPause.withLock { $0 = (start, now) } }

    /// Whether a credential has expired, whatever the clock says now.
    func isEnded(_ id: Int) -> Bool { ended.withLock { $0.contains(id) } }

    /// Ends credentials until they are deleted. Returns whether any of them had not ended yet.
    func end(_ ids: [Int]) -> Bool {
        ended.withLock { ended in
            let count = ended.count
            ended.formUnion(ids)
            return ended.count > count
        }
    }

    func forgetEnded(_ ids: [Int]) { ended.withLock { $0.subtract(ids) } }

    /// Records the use of a session. Returns whether it is to be logged.
    func use(_ credential: Credential, at now: Timestamp) -> Bool {
        seen.withLock { seen in
            if seen.count > 10_000 { seen.removeAll() }
            seen[credential.id] = now
        }
        return isDue(credential, at: now)
    }

    /// Whether the logged use of a session is old enough to be replaced.
    func isDue(_ credential: Credential, at now: Timestamp) -> Bool {
        let interval = credential.staysSignedIn ? Self.signedInSeenSeconds : Self.seenSeconds
        return now >= (credential.seenAt ?? credential.createdAt).advanced(bySeconds: interval)
    }
}

extension Credential {
    /// The session after a use at a moment, which extends it if its person stays signed in.
    func used(at now: Timestamp) -> Credential {
        var credential = self
        credential.seenAt = now
        if staysSignedIn { credential.expiresAt = now.advanced(bySeconds: Accounts.signedInSeconds) }
        return credential
    }
}
