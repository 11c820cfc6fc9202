import Synchronization

/// Time that passes when a test says so.
final class TestSleep: Sendable {
    private struct State {
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var begun: [Duration] = []
    }

    private let state = Mutex(State())

    /// The durations of the sleeps that have begun, in order.
    var begun: [Duration] { state.withLock { $0.begun } }

    /// The number of sleeps that were cancelled.
    var cancelled: Int { state.withLock { $0.cancelled.count } }

    /// The function to inject.
    @Sendable func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.begun.append(duration)
            return state.begun.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.cancelled.contains(number) { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.insert(number)
                return state.waiting.removeValue(forKey: number)
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Ends all sleeps once the given number of them has begun.
    func elapse(sleeps: Int) async {
        await until { begun.count >= sleeps && !state.withLock { $0.waiting.isEmpty } }
        let continuations = state.withLock { state in
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in continuations { continuation.resume() }
    }
}

/// Waits for an effect of other threads. A test that waits has a time limit, which cancels it.
func until(_ condition: () async throws -> Bool) async rethrows {
    while try await !condition(), !Task.isCancelled { await Task.yield() }
}

/// A counter for any thread.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    @discardableResult
    func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
