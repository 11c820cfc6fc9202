import Bytes
import Credentials
import Platform
import SookeModel
import Store
import Synchronization

/// The state of callers that the server holds in memory between requests: uses of sessions.
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

    private let clock: TimeSource
    private let seen = Mutex<[Int: Timestamp]>([:])
    /// The credentials that have expired and are not deleted yet.
    private let ended = Mutex<Set<Int>>([])
    private let setup = Mutex<(digest: TokenDigest, end: Int)?>(nil)
    private let madeHasher = Mutex<PasswordHasher?>(nil)
    private let readOnlySince: @Sendable () -> Timestamp?
    /// The last time in which the town was read-only, once that is over.
    private let lastPause = Mutex<(start: Timestamp, end: Timestamp)?>(nil)

    /// - Parameter readOnlySince: since when the town is read-only; nil when it is not.
    init(clock: TimeSource, readOnlySince: @escaping @Sendable () -> Timestamp?) {
        self.clock = clock
        self.readOnlySince = readOnlySince
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

/// An e-mail to one person.
package struct Mail: Sendable {
    package let to: String
    package let subject: String
    /// The text, plain.
    package let text: String

    package init(to: String, subject: String, text: String) {
        (self.to, self.subject, self.text) = (to, subject, text)
    }
}

extension TownService {
    /// The address of a one-time link. The token follows `#`, and browsers do not send that part, so that no log
    /// contains it.
    package func link(for token: Token) -> String {
        let page =
            switch token.kind {
            case .setup: "setup"
            case .invitation: "invitation"
            case .confirmation: "confirmation"
            default: "password-reset"
            }
        return "\(url)/\(page)#\(token.reveal())"
    }
}
