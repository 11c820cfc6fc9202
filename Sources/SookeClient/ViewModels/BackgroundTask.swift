/// The task that a view model starts itself, at most one at a time. It ends with the view model.
@MainActor
final class BackgroundTask {
    private let clock: any Clock<Duration>
    private var task: Task<Void, Never>?

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    deinit {
        task?.cancel()
    }

    /// Cancels the task, and starts another one after a delay.
    ///
    /// - Parameter operation: refers to the view model weakly, or it would prolong its life.
    func start(after delay: Duration = .zero, _ operation: @escaping @MainActor () async -> Void) {
        task?.cancel()
        task = Task { [clock] in
            if delay > .zero { try? await clock.sleep(for: delay) }
            if !Task.isCancelled { await operation() }
        }
    }

    /// Cancels the task.
    func cancel() {
        task?.cancel()
        task = nil
    }
}
