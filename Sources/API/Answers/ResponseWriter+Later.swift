import HTTP
import Synchronization

extension ResponseWriter {
    /// Answers with what some work comes to, without holding up the event loop meanwhile.
    consuming func send(_ work: @escaping @Sendable () async -> Response) {
        let slot = WriterSlot(self)
        Task {
            let response = await work()
            slot.take()?.send(response)
        }
    }
}

/// Carries a writer, which cannot be copied, into a task, whose closure the compiler must assume to run twice.
private final class WriterSlot: Sendable {
    private let writer: Mutex<ResponseWriter?>

    init(_ writer: consuming ResponseWriter) {
        self.writer = Mutex(writer)
    }

    func take() -> ResponseWriter? {
        writer.withLock { $0.take() }
    }
}
