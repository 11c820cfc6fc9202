import Bytes
import SookeModel
import Store
import Synchronization

/// What expires by the clock of the machine, which may be wrong.
///
/// - A session, link or token expires at its time. Whoever presents it afterwards ends it, and when the clock is set
///   back, all that had expired end: an expired one never becomes valid again.
/// - A session or link that was made, or used, more than five minutes in the future of the clock is invalid: the clock
///   was ahead then. It has not expired, and is valid again when the clock has reached that time; a machine that starts
///   in 1970 logs nobody out.
extension TownService {
    /// How far in the future a session, a link or a receipt may have been made, in seconds.
    static let clockTolerance = 300

    /// Apart from the authority of its creator; see `isAuthorized`.
    func isValid(_ credential: Credential, at now: Timestamp) -> Bool {
        // In this order: once it is deleted, it is forgotten, and an older version still has it.
        if accounts.isEnded(credential.id) || !store.current.town.credentials.has(id: credential.id) {
            return false
        }
        return isInTime(credential, at: now)
    }

    /// Of one that exists; a transaction may have made it.
    func isInTime(_ credential: Credential, at now: Timestamp) -> Bool {
        let isMadeByPeople = credential.purpose != .apiToken
        if isMadeByPeople, accounts.lastUse(of: credential) > now.advanced(bySeconds: Self.clockTolerance) {
            return false
        }
        return !isExpired(credential, at: now)
    }

    func endIfExpired(_ credential: Credential, at now: Timestamp) {
        if isExpired(credential, at: now) { end([credential.id]) }
    }

    /// At the latest time that the clock showed before it was set back.
    func endExpired(at latest: Timestamp) {
        let expired = store.current.town.credentials.inOrderOfID.filter { isExpired($0, at: latest) }
        if !expired.isEmpty { end(expired.map(\.id)) }
    }

    private func isExpired(_ credential: Credential, at now: Timestamp) -> Bool {
        accounts.end(of: credential, at: now).map { $0 <= now } ?? false
    }

    private func end(_ ids: [Int]) {
        guard accounts.end(ids) else { return }
        run(
            .ofServer { transaction in
                for id in ids { transaction.deleteCredential(id) }
            }
        ) { [accounts] result in
            // A full disk and a read-only town leave them; then they have ended as long as the server runs, and at its
            // next start.
            if case .success = result { accounts.forgetEnded(ids) }
        }
    }
}

/// The clock of the machine, by which sessions, links, tokens and receipts expire.
///
/// It may be ahead for a while and be set back. What had expired by then must not become valid again, so a clock that
/// shows an earlier time than before says so; see `TownService.endExpired`.
package final class ExpiryClock: Sendable {
    private let wall: @Sendable () -> Timestamp
    private let latest: Mutex<Timestamp>
    private let setBack = Mutex<(@Sendable (Timestamp) -> Void)?>(nil)

    init(_ clock: TimeSource, lastSeen moment: Timestamp) {
        wall = clock.wall
        latest = Mutex(moment)
    }

    /// Gets the latest time that was shown, whenever the clock was set back.
    func onSetBack(_ setBack: @escaping @Sendable (Timestamp) -> Void) {
        self.setBack.withLock { $0 = setBack }
    }

    package func now() -> Timestamp {
        let (now, earlier) = latest.withLock { latest in
            // Read here, so that two threads do not see it in another order.
            let now = wall()
            defer { latest = now }
            return (now, latest)
        }
        if now < earlier { setBack.withLock(\.self)?(earlier) }
        return now
    }
}
