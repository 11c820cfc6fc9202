import Platform
import Synchronization

/// Waits on this thread, which is none of the concurrency runtime's, for work that suspends.
///
/// Commands run on the main thread from start to end: the signals of a server are blocked there before the first other
/// thread starts, which an asynchronous `main` could not promise.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>(done: try Wakeup())
    Task.detached {
        do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
    }
    return try outcome.wait().get()
}

/// A result that one thread waits for and another one brings.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let done: Wakeup

    init(done: consuming Wakeup) {
        self.done = done
    }

    func set(_ value: Result<Value, any Error>) {
        result.withLock { $0 = value }
        done.signal()
    }

    func wait() -> Result<Value, any Error> {
        while true {
            if let value = result.withLock({ $0 }) { return value }
            _ = done.wait(milliseconds: -1)
        }
    }
}
