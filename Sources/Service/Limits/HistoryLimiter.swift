import Bytes
import Credentials
import Synchronization

/// Limits how often the log is read for an account, because that costs far more than any other request, and more the
/// longer the log is. An account has one history at a time and a number per minute; after one that took longer than a
/// tenth of a second it pauses for four times as long, so that it never occupies much more than a fifth of a core. The
/// local socket, which has no account, has no limit.
final class HistoryLimiter: Sendable {
    /// The permission to read the log once.
    struct Permit: Sendable {
        private let limiter: HistoryLimiter
        private let person: Int
        private let start: Int

        fileprivate init(_ limiter: HistoryLimiter, _ person: Int, start: Int) {
            (self.limiter, self.person, self.start) = (limiter, person, start)
        }

        /// Admits the next history of the account.
        func release() { limiter.release(person, start: start) }
    }

    private struct State {
        var limit: RateLimit<Int>
        /// The accounts for which the log is being read.
        var reading: Set<Int> = []
        /// The end of the pause of each account.
        var pauses: [Int: Int] = [:]
    }

    /// The histories of an account per minute.
    static let perMinute = 30
    /// The duration up to which no pause follows.
    private static let freeNanoseconds = 100_000_000

    private let clock: TimeSource
    private let state: Mutex<State>

    init(clock: TimeSource) {
        guard let policy = RateLimitPolicy(name: "histories", quota: Self.perMinute, window: 60) else {
            preconditionFailure("a quota is out of range")
        }
        self.clock = clock
        state = Mutex(State(limit: RateLimit(policy)))
    }

    /// Admits a history for an account; nil stands for the local socket.
    ///
    /// - Throws: `limited`.
    func admit(_ person: Int?) throws(ServiceError) -> Permit? {
        guard let person else { return nil }
        let now = clock.monotonic()
        let wait: Int? = state.withLock { state in
            if state.reading.contains(person) { return 1 }
            if let end = state.pauses[person], end > now { return (end - now - 1) / 1_000_000_000 + 1 }
            let decision = state.limit.take(person, now: now)
            guard decision.isAllowed else { return decision.resetSeconds }
            state.reading.insert(person)
            return nil
        }
        guard let wait else { return Permit(self, person, start: now) }
        throw .limited(.histories(perMinute: Self.perMinute), seconds: wait)
    }

    private func release(_ person: Int, start: Int) {
        let now = clock.monotonic()
        state.withLock { state in
            guard state.reading.remove(person) != nil else { return }
            if state.pauses.count >= 1_000 { state.pauses = state.pauses.filter { $0.value > now } }
            if now - start > Self.freeNanoseconds { state.pauses[person] = now + 4 * (now - start) }
        }
    }
}
