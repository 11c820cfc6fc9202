import Synchronization

/// Does something once a time is over, unless it is stopped before.
///
/// It holds no thread while it waits. When its owner lets go of it, it is stopped.
final class Alarm: Sendable {
    private let sleep: @Sendable (Duration) async throws -> Void
    private let waiting = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter sleep: how to wait; it throws when the task is cancelled.
    init(sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.sleep = sleep
    }

    deinit {
        stop()
    }

    /// Starts to wait; does nothing when it waits already.
    func start(after delay: Duration, _ work: @escaping @Sendable () async -> Void) {
        waiting.withLock { waiting in
            guard waiting == nil else { return }
            // Detached: its end must not need the thread of an actor that has been stopped.
            waiting = Task.detached { [weak self, sleep] in
                try? await sleep(delay)
                if self?.isOver() == true { await work() }
            }
        }
    }

    /// Waits no longer. `start` may be called again.
    func stop() {
        waiting.withLock { waiting in
            waiting?.cancel()
            waiting = nil
        }
    }

    /// Whether the waiting of the running task came to its end, and not to a stop.
    private func isOver() -> Bool {
        waiting.withLock { waiting in
            guard !Task.isCancelled else { return false }
            waiting = nil
            return true
        }
    }
}
