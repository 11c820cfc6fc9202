import Bytes
import Platform
import SookeModel
import Store
import Synchronization

/// Uses of sessions and the link of the first start, in memory only: none of it needs to survive a restart.
package final class Accounts: Sendable {
    static let idleSeconds = 30 * 60
    /// For any session.
    static let sessionSeconds = 12 * 3600
    /// For an unused session of a person who stays signed in.
    static let signedInSeconds = 90 * 86_400
    private static let setupSeconds = 30 * 60
    /// The interval at which uses of a session are logged.
    private static let seenSeconds = 5 * 60
    private static let signedInSeenSeconds = 86_400

    private let clock: TimeSource
    private let seen = Mutex<[Int: Timestamp]>([:])
    /// They have expired and are not deleted yet.
    private let ended = Mutex<Set<Int>>([])
    private let setup = Mutex<(digest: String, end: Int)?>(nil)
    private let madeHasher = Mutex<PasswordHasher?>(nil)
    private let readOnlySince: @Sendable () -> Timestamp?
    private let lastPause = Mutex<(start: Timestamp, end: Timestamp)?>(nil)

    init(clock: TimeSource, readOnlySince: @escaping @Sendable () -> Timestamp?) {
        self.clock = clock
        self.readOnlySince = readOnlySince
    }

    /// Made at the first login, because that costs as much as a hash.
    func hasher() throws(ServiceError) -> PasswordHasher {
        let hasher = madeHasher.withLock { made in
            if made == nil { made = try? PasswordHasher() }
            return made
        }
        guard let hasher else { throw .overloaded }
        return hasher
    }

    package func makeSetupToken() throws(SystemError) -> Token {
        let token = try Token(.setup)
        let end = clock.monotonic() + Self.setupSeconds * 1_000_000_000
        setup.withLock { $0 = (token.digest, end) }
        return token
    }

    func isSetup(_ token: Token) -> Bool {
        let now = clock.monotonic()
        return setup.withLock { $0.map { $0.digest == token.digest && now < $0.end } ?? false }
    }

    func endSetup() {
        setup.withLock { $0 = nil }
    }

    func lastUse(of credential: Credential) -> Timestamp {
        let stored = credential.seenAt ?? credential.createdAt
        return max(stored, seen.withLock { $0[credential.id] } ?? stored)
    }

    /// Of a session if it is not used again; nil for never. While the town is read-only, uses are not logged, so the
    /// idle time stands still: a restart logs nobody out.
    func end(of credential: Credential, at now: Timestamp) -> Timestamp? {
        if credential.purpose != .session || credential.staysSignedIn { return credential.expiresAt }
        let lastUse = lastUse(of: credential)
        var idleEnd = lastUse.advanced(bySeconds: Self.idleSeconds)
        if let pause = readOnlySince().map({ ($0, now) }) ?? lastPause.withLock(\.self), pause.0 < idleEnd {
            idleEnd = idleEnd.advanced(bySeconds: max(0, pause.1.seconds - max(pause.0, lastUse).seconds))
        }
        return credential.expiresAt.map { min($0, idleEnd) } ?? idleEnd
    }

    func endPause(since start: Timestamp, at now: Timestamp) { lastPause.withLock { $0 = (start, now) } }

    /// Even if the clock was set back.
    func isEnded(_ id: Int) -> Bool { ended.withLock { $0.contains(id) } }

    /// Until they are deleted. Returns whether any of them had not ended yet.
    func end(_ ids: [Int]) -> Bool {
        ended.withLock { ended in
            let count = ended.count
            ended.formUnion(ids)
            return ended.count > count
        }
    }

    func forgetEnded(_ ids: [Int]) { ended.withLock { $0.subtract(ids) } }

    /// Returns whether it is to be logged.
    func use(_ credential: Credential, at now: Timestamp) -> Bool {
        seen.withLock { seen in
            if seen.count > 10_000 { seen.removeAll() }
            seen[credential.id] = now
        }
        return isDue(credential, at: now)
    }

    /// Whether the logged use is old enough to be replaced.
    func isDue(_ credential: Credential, at now: Timestamp) -> Bool {
        let interval = credential.staysSignedIn ? Self.signedInSeenSeconds : Self.seenSeconds
        return now >= (credential.seenAt ?? credential.createdAt).advanced(bySeconds: interval)
    }
}

extension Credential {
    func used(at now: Timestamp) -> Credential {
        var credential = self
        credential.seenAt = now
        if staysSignedIn { credential.expiresAt = now.advanced(bySeconds: Accounts.signedInSeconds) }
        return credential
    }
}

extension Token {
    package var referencePath: String { "/reference/\(reveal())" }
}

extension TownService {
    /// The token follows `#`, and browsers do not send that part, so that no log contains it. That of a reference is a
    /// part of the path, so that it opens the page also without the script.
    package func link(for token: Token) -> String {
        if token.kind == .reference { return url + token.referencePath }
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
