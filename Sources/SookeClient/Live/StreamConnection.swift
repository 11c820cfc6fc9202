import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response whose body is received in parts, as they arrive. It ends with its owner.
///
/// `URLSession.bytes` does not exist on Linux, and only the delegate of a session receives parts there, not that of a
/// task. So each connection has a session of its own, with the configuration of the client's.
final class StreamConnection {
    /// What arrives.
    enum Part: Sendable {
        case response(HTTPURLResponse)
        case data(Data)
        /// The end; with an error unless the response is complete.
        case end((any Error)?)
    }

    /// The most parts that wait to be taken; each has usually 16 KiB. Beyond that the connection ends, because a task
    /// cannot be paused on every platform.
    private static let bufferLimit = 4096

    private let session: URLSession
    private let continuation: AsyncStream<Part>.Continuation
    private var parts: AsyncStream<Part>.Iterator
    private let clock: any Clock<Duration>
    private let silence: Duration

    /// Sends a request.
    ///
    /// - Parameter silence: without any byte for so long, measured by the clock, the connection is broken.
    init(
        _ request: URLRequest, configuration: URLSessionConfiguration, silence: Duration, clock: any Clock<Duration>
    ) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Part.self, bufferingPolicy: .bufferingOldest(Self.bufferLimit))
        (self.continuation, parts) = (continuation, stream.makeAsyncIterator())
        (self.silence, self.clock) = (silence, clock)
        session = URLSession(
            configuration: configuration, delegate: StreamDelegate(continuation), delegateQueue: nil)
        session.dataTask(with: request).resume()
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// The next part; nil after the end, and when the task was cancelled.
    func next() async -> Part? {
        let watch = Task { [clock, silence, continuation] in
            guard (try? await clock.sleep(for: silence)) != nil else { return }
            continuation.yield(.end(URLError(.timedOut)))
            continuation.finish()
        }
        defer { watch.cancel() }
        return await parts.next()
    }
}

/// Passes what a session receives to a stream.
private final class StreamDelegate: NSObject, URLSessionDataDelegate {
    private let continuation: AsyncStream<StreamConnection.Part>.Continuation

    init(_ continuation: AsyncStream<StreamConnection.Part>.Continuation) {
        self.continuation = continuation
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        yield(.response(response), of: session)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        yield(.data(data), of: session)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        yield(.end(error), of: session)
        continuation.finish()
    }

    private func yield(_ part: StreamConnection.Part, of session: URLSession) {
        if case .dropped = continuation.yield(part) {
            continuation.finish()
            session.invalidateAndCancel()
        }
    }
}
