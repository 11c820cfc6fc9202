#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// The answer to a request of a session, which a cancellation drops.
    ///
    /// `URLSessionTask.cancel()` is not called: on Linux it waits for the queue of the session, which may wait for the
    /// task that is cancelled, and it races with what the session receives, so that the process hangs or ends.
    final class DroppableAnswer: Sendable {
        private typealias Continuation = CheckedContinuation<(Data, URLResponse), any Error>

        private enum State {
            case new
            case waiting(Continuation)
            case ended
        }

        private let state = Mutex(State.new)

        private init() {}

        /// Sends a request, and waits for its answer.
        ///
        /// - Throws: errors of the session; `CancellationError`.
        static func load(_ request: URLRequest, from session: URLSession) async throws -> (Data, URLResponse) {
            let answer = DroppableAnswer()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    guard answer.wait(continuation) else { return continuation.resume(throwing: CancellationError()) }
                    session.dataTask(with: request) { data, response, error in
                        if let data, let response, error == nil {
                            answer.end()?.resume(returning: (data, response))
                        } else {
                            answer.end()?.resume(throwing: error ?? URLError(.badServerResponse))
                        }
                    }.resume()
                }
            } onCancel: {
                answer.end()?.resume(throwing: CancellationError())
            }
        }

        /// Whether the answer is still wanted.
        private func wait(_ continuation: Continuation) -> Bool {
            state.withLock { state in
                guard case .new = state else { return false }
                state = .waiting(continuation)
                return true
            }
        }

        /// Who waits for the answer; nil after the first call.
        private func end() -> Continuation? {
            state.withLock { state in
                defer { state = .ended }
                return if case .waiting(let continuation) = state { continuation } else { nil }
            }
        }
    }
#endif
