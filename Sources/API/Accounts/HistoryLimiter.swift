import Credentials
import HTTP
import Synchronization

/// How often the log is read for an account: it costs far more than any other request, and the more the longer the log
/// is. So there is one at a time and so many a minute, and after one that took longer than a tenth of a second a pause
/// four times as long as it took: an account never keeps much more than a fifth of a core busy. The owner of the
/// folder, who has no account, may read it as often as they like.
final class HistoryLimiter: Sendable {
    /// The right to read the log once, to be ended.
    struct Permit: Sendable {
        private let limiter: HistoryLimiter
        private let person: Int
        private let start: Int

        fileprivate init(_ limiter: HistoryLimiter, _ person: Int, start: Int) {
            (self.limiter, self.person, self.start) = (limiter, person, start)
        }

        /// Lets the account ask for the next one.
        func end() { limiter.end(person, start: start) }
    }

    private struct State {
        var limit: RateLimit<Int>
        /// The accounts for which the log is being read.
        var reading: Set<Int> = []
        /// When the pause of an account ends.
        var pauses: [Int: Int] = [:]
    }

    /// So many histories an account may ask for in a minute.
    static let perMinute = 30
    /// What takes no longer needs no pause after it.
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

    /// Lets an account have the log read for it; nil stands for the owner of the folder.
    ///
    /// - Throws: 429 `too_many_histories` with `Retry-After`.
    func admit(_ person: Int?) throws(HTTPError) -> Permit? {
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
        throw HTTPError(
            .tooManyRequests, code: "too_many_histories",
            message: "an account may ask for one history at a time, and for \(Self.perMinute) a minute; wait \(wait) s",
            headers: ["Retry-After": "\(wait)"])
    }

    private func end(_ person: Int, start: Int) {
        let now = clock.monotonic()
        state.withLock { state in
            guard state.reading.remove(person) != nil else { return }
            if state.pauses.count >= 1_000 { state.pauses = state.pauses.filter { $0.value > now } }
            if now - start > Self.freeNanoseconds { state.pauses[person] = now + 4 * (now - start) }
        }
    }
}
