#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLSession {
        /// Sends a request, and waits for its answer, which a cancellation drops.
        ///
        /// `URLSessionTask.cancel()` is not called: on Linux it waits for the queue of the session, which may wait for the
        /// task that is cancelled, and it races with what the session receives, so that the process hangs or ends.
        ///
        /// - Throws: errors of the session; `CancellationError`.
        func droppableData(for request: URLRequest) async throws -> (Data, URLResponse) {
            try Task.checkCancellation()
            let (answers, continuation) = AsyncThrowingStream.makeStream(of: (Data, URLResponse).self)
            dataTask(with: request) { data, response, error in
                if let data, let response, error == nil {
                    continuation.yield((data, response))
                } else {
                    continuation.finish(throwing: error ?? URLError(.badServerResponse))
                }
            }.resume()
            for try await answer in answers { return answer }
            throw CancellationError()
        }
    }
#endif
