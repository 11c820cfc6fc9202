import Synchronization

/// A `ResponseWriter` that a closure can hold: for answers that come when something else is done, such as a write.
///
/// ```swift
/// let answer = writer.deferred()
/// store.commit(command) { result in answer.send(response(to: result)) }
/// ```
///
/// Let go without an answer, it answers 500.
public final class DeferredResponse: Sendable {
    private let writer: Mutex<ResponseWriter?>

    fileprivate init(_ writer: consuming ResponseWriter) {
        self.writer = Mutex(writer)
    }

    /// Answers, from any thread. The first answer counts; a further one is dropped.
    public func send(_ response: consuming Response) {
        let taken = writer.withLock { $0.take() }
        if let taken { taken.send(response) }
    }

    /// Whether the client has gone or is answered already, so that work for it may be dropped.
    public var isAbandoned: Bool {
        writer.withLock { writer in
            guard let taken = writer.take() else { return true }
            let isAbandoned = taken.isAbandoned
            writer = consume taken
            return isAbandoned
        }
    }
}

extension ResponseWriter {
    /// The same right and duty as an object that closures can share.
    public consuming func deferred() -> DeferredResponse {
        DeferredResponse(self)
    }
}
