import Synchronization

/// A clock on which time passes only when a test says so.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var ids = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        /// How long each sleep was to last.
        var durations: [Duration] = []
    }

    private let state = Mutex(State())

    /// How long each sleep was to last.
    var durations: [Duration] { state.withLock(\.durations) }
    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.ids += 1
            return state.ids
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    state.durations.append(state.now.duration(to: deadline))
                    let isCancelled = state.cancelled.contains(id)
                    if !isCancelled {
                        state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    }
                    return isCancelled
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                let sleeper = state.sleepers.first { $0.id == id }
                state.sleepers.removeAll { $0.id == id }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns when so many sleeps have begun.
    func sleeps(_ count: Int) async {
        while durations.count < count { await Task.yield() }
    }

    /// Lets time pass as soon as somebody sleeps for so long at most: who begins to sleep later would sleep on.
    func sleepsUntilAdvanced(by duration: Duration) async {
        while !isSleeping(within: duration) { await Task.yield() }
        advance(by: duration)
    }

    private func isSleeping(within duration: Duration) -> Bool {
        state.withLock { state in state.sleepers.contains { $0.deadline.offset - state.now.offset <= duration } }
    }

    /// Lets time pass.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let woken = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return woken
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
