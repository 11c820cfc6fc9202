import Synchronization

/// Runs a function once after a delay, unless it is stopped before.
///
/// It occupies no thread while it waits. Releasing it stops it.
final class Alarm: Sendable {
    private let sleep: @Sendable (Duration) async throws -> Void
    private let waiting = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter sleep: waits for a duration; throws when the task is cancelled.
    init(sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.sleep = sleep
    }

    deinit {
        stop()
    }

    /// Starts to wait; does nothing when it already waits.
    func start(after delay: Duration, _ work: @escaping @Sendable () async -> Void) {
        waiting.withLock { waiting in
            guard waiting == nil else { return }
            // Detached, because the end of the wait must not need the thread of an actor that has stopped.
            waiting = Task.detached { [weak self, sleep] in
                try? await sleep(delay)
                if self?.hasExpired() == true { await work() }
            }
        }
    }

    /// Stops waiting. `start` may be called again.
    func stop() {
        waiting.withLock { waiting in
            waiting?.cancel()
            waiting = nil
        }
    }

    /// Whether the wait has ended without being stopped.
    private func hasExpired() -> Bool {
        waiting.withLock { waiting in
            guard !Task.isCancelled else { return false }
            waiting = nil
            return true
        }
    }
}
