import Bytes
import Credentials
import SookeModel
import Synchronization

/// Limits the writes of each account per minute, what they add to the log in a day, and those in flight: a request
/// beyond what the disk can take is rejected at once, instead of waiting ever longer and filling the memory.
///
/// Requests over the local socket are not counted: administration must be possible when the server is overloaded.
package final class WriteLimiter: Sendable {
    /// The permission for one write. It ends when it is released, or with its last reference.
    package final class Permit: Sendable {
        private let limiter: WriteLimiter
        private let bytes: Int
        private let deadline: Int
        private let isReleased = Atomic<Bool>(false)

        fileprivate init(_ limiter: WriteLimiter, bytes: Int, deadline: Int) {
            (self.limiter, self.bytes, self.deadline) = (limiter, bytes, deadline)
        }

        deinit {
            release()
        }

        /// Makes room for another write. Called before the response is sent, so that the client may send the next one.
        package func release() {
            if !isReleased.exchange(true, ordering: .relaxed) { limiter.release(bytes) }
        }

        /// Whether the patience of the client has not expired.
        package var isInTime: Bool { limiter.clock.monotonic() < deadline }
    }

    private struct State {
        var count = 0
        var bytes = 0
    }

    private let limit: Int
    private let byteLimit: Int
    private let patience: Int
    private let clock: TimeSource
    private let state = Mutex(State())
    private let rates: Mutex<RateLimit<Int>>
    let log: LogBudget

    /// - Parameters:
    ///   - clock: the clock; its monotonic time decides what has waited too long.
    ///   - perMinute: the write requests of an account per minute; 1 to 1,000,000, others trap.
    ///   - limit: the most writes in flight.
    ///   - byteLimit: the most bytes of their bodies together.
    ///   - patience: the longest time that a write waits before it begins, in seconds.
    package init(
        clock: TimeSource, perMinute: Int = 120, limit: Int = 4096, byteLimit: Int = 16 << 20, patience: Int = 5,
        limits: AccountLimits = .standard
    ) {
        guard let policy = RateLimitPolicy(name: "writes", quota: perMinute, window: 60) else {
            preconditionFailure("a quota is out of range")
        }
        rates = Mutex(RateLimit(policy))
        log = LogBudget(clock: clock, limits: limits)
        (self.clock, self.limit, self.byteLimit) = (clock, limit, byteLimit)
        self.patience = patience * 1_000_000_000
    }

    /// Counts a write request, by the caller's account. The local socket has no limit.
    ///
    /// - Returns: the decision, for the response; nil without a limit.
    /// - Throws: `limited`.
    package func admit(by caller: Caller) throws(ServiceError) -> RateLimitDecision? {
        guard let person = caller.personID else { return nil }
        let now = clock.monotonic()
        let decision = rates.withLock { $0.take(person, now: now) }
        guard decision.isAllowed else { throw .limited(.writes(decision), seconds: decision.resetSeconds) }
        return decision
    }

    /// The number of writes in flight.
    package var count: Int { state.withLock { $0.count } }

    package func hasRoom(for bytes: Int) -> Bool { state.withLock { hasRoom(for: bytes, $0) } }

    /// - Throws: `overloaded` when there is no room.
    package func admit(bytes: Int) throws(ServiceError) -> Permit {
        let isAdmitted = state.withLock { state in
            guard hasRoom(for: bytes, state) else { return false }
            state.count += 1
            state.bytes += bytes
            return true
        }
        guard isAdmitted else { throw .overloaded }
        return Permit(self, bytes: bytes, deadline: clock.monotonic() + patience)
    }

    private func hasRoom(for bytes: Int, _ state: State) -> Bool {
        state.count < limit && bytes <= byteLimit - state.bytes
    }

    private func release(_ bytes: Int) {
        state.withLock { state in
            state.count -= 1
            state.bytes -= bytes
        }
    }
}
