import Platform
import Synchronization

/// Blocks this thread until asynchronous work ends. Commands run on the main thread from start to end: the signals of
/// a server are blocked there before any other thread starts, which an asynchronous `main` could not guarantee.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>(done: try Wakeup())
    Task.detached {
        do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
    }
    return try outcome.wait().get()
}

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
