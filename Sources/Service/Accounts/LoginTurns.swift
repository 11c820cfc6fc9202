import Bytes
import Credentials
import Synchronization

/// Admits attempts to log in.
///
/// Most attempts are admitted or refused at once. Those on an account from a network from which its owner has logged in
/// wait for their turn, after the free failures: one a second, in the order of their arrival. So the owner gets through
/// while others guess there: beside four of them within five seconds.
///
/// Eight attempts may wait for an account and network. A further one displaces a random one, so that who has many
/// connections cannot keep a full line for themselves.
final class LoginTurns: Sendable {
    private struct Waiting {
        let isWanted: @Sendable () -> Bool
        /// Receives whether the attempt is admitted.
        let resume: @Sendable (Bool) -> Void
    }

    private struct State {
        var throttle = LoginThrottle()
        /// The attempts that wait, the oldest first; none is absent while a task serves it.
        var lines: [LoginThrottle.Attempt: [Waiting]] = [:]
    }

    private enum Start { case admitted, refused(seconds: Int), waits }

    /// The most attempts that wait on an account from a network.
    static let lineLimit = 8

    private let clock: TimeSource
    private let sleep: @Sendable (Duration) async -> Void
    private let state = Mutex(State())

    init(
        clock: TimeSource,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        (self.clock, self.sleep) = (clock, sleep)
    }

    /// Admits an attempt, perhaps after a while, and counts it as failed until `succeeded`.
    ///
    /// - Parameter isWanted: whether the client still waits; otherwise the attempt loses its turn.
    /// - Throws: `limited`.
    func admit(
        _ attempt: LoginThrottle.Attempt, isWanted: @escaping @Sendable () -> Bool
    ) async throws(ServiceError) {
        let start = state.withLock { state -> Start in
            if state.lines[attempt] != nil { return .waits }
            switch state.throttle.admit(attempt, now: clock.monotonic()) {
            case .allowed: return .admitted
            case .wait(let seconds): return attempt.isKnown ? .waits : .refused(seconds: seconds)
            }
        }
        switch start {
        case .admitted: return
        case .refused(let seconds): throw .limited(.logins, seconds: seconds)
        case .waits:
            let isAdmitted = await withCheckedContinuation { (waiting: CheckedContinuation<Bool, Never>) in
                append(Waiting(isWanted: isWanted) { waiting.resume(returning: $0) }, to: attempt)
            }
            if !isAdmitted { throw .limited(.logins, seconds: 1) }
        }
    }

    func succeeded(_ attempt: LoginThrottle.Attempt) {
        state.withLock { $0.throttle.succeeded(attempt, now: clock.monotonic()) }
    }

    /// Records that an attempt was not made because the server was too busy.
    func abandoned(_ attempt: LoginThrottle.Attempt) {
        state.withLock { $0.throttle.abandoned(attempt, now: clock.monotonic()) }
    }

    private func append(_ waiting: Waiting, to attempt: LoginThrottle.Attempt) {
        let (displaced, isFirst) = state.withLock { state -> (Waiting?, Bool) in
            let isFirst = state.lines[attempt] == nil
            var line = state.lines[attempt] ?? []
            let displaced = line.count < Self.lineLimit ? nil : line.remove(at: .random(in: line.indices))
            state.lines[attempt] = line + [waiting]
            return (displaced, isFirst)
        }
        displaced?.resume(false)
        if isFirst { Task { await serve(attempt) } }
    }

    /// Admits the attempts of a line, one after the other, until none waits.
    private func serve(_ attempt: LoginThrottle.Attempt) async {
        while true {
            let begin = clock.monotonic()
            let delay = state.withLock { $0.throttle.delay(attempt, now: begin) }
            if delay > 0 { await sleep(.nanoseconds(delay)) }
            // A clock that stands still, as in a test, must not stop the line.
            let now = max(clock.monotonic(), begin + delay)
            let (gone, next, isEmpty) = state.withLock { state -> ([Waiting], Waiting?, Bool) in
                var line = state.lines[attempt] ?? []
                let gone = Array(line.prefix { !$0.isWanted() })
                line.removeFirst(gone.count)
                var next: Waiting?
                if !line.isEmpty, state.throttle.admit(attempt, now: now) == .allowed {
                    next = line.removeFirst()
                }
                state.lines[attempt] = line.isEmpty ? nil : line
                return (gone, next, line.isEmpty)
            }
            for waiting in gone { waiting.resume(false) }
            next?.resume(true)
            if isEmpty { return }
        }
    }
}
