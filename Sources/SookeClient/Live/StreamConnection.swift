import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response whose body is received in parts, as they arrive. It ends with its owner.
///
/// On Linux a `URLSession` that waits uses a whole core, because it polls its socket for writing. So a `CurlTransfer`
/// receives the parts there, unless the session has protocol classes of the app.
final class StreamConnection {
    enum Part: Sendable {
        case response(HTTPURLResponse)
        case data(Data)
        /// The end; with an error unless the response is complete.
        case end((any Error)?)
    }

    /// The most parts that wait to be taken; each has usually 16 KiB. Beyond that the connection ends, because a task
    /// cannot be paused on every platform.
    private static let bufferLimit = 4096

    private let cancel: () -> Void
    private let continuation: AsyncStream<Part>.Continuation
    private var parts: AsyncStream<Part>.Iterator
    private let clock: any Clock<Duration>
    private let silence: Duration

    /// Without a byte for the time of `silence`, the connection counts as broken.
    init(_ request: URLRequest, session: URLSession, silence: Duration, clock: any Clock<Duration>) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Part.self, bufferingPolicy: .bufferingOldest(Self.bufferLimit))
        (self.continuation, parts) = (continuation, stream.makeAsyncIterator())
        (self.silence, self.clock) = (silence, clock)
        cancel = Self.send(request, session.configuration, StreamSink(continuation: continuation))
    }

    deinit {
        cancel()
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

    /// Sends a request, and returns what ends it.
    private static func send(
        _ request: URLRequest, _ configuration: URLSessionConfiguration, _ sink: StreamSink
    ) -> () -> Void {
        #if canImport(FoundationNetworking)
            if let transfer = CurlTransfer(request, configuration, sink) { return transfer.cancel }
        #endif
        // `URLSession.bytes` does not exist on Linux, and only the delegate of a session receives parts there, not that
        // of a task. So each transfer has a session of its own.
        let session = URLSession(configuration: configuration, delegate: StreamDelegate(sink), delegateQueue: nil)
        session.dataTask(with: request).resume()
        return session.invalidateAndCancel
    }
}

struct StreamSink: Sendable {
    fileprivate let continuation: AsyncStream<StreamConnection.Part>.Continuation

    /// False when nobody takes it, and the transfer must end.
    func put(_ part: StreamConnection.Part) -> Bool {
        switch continuation.yield(part) {
        case .enqueued: return true
        case .dropped:
            continuation.finish()
            return false
        default: return false
        }
    }

    func end(_ error: (any Error)?) {
        _ = put(.end(error))
        continuation.finish()
    }
}

private final class StreamDelegate: NSObject, URLSessionDataDelegate {
    private let sink: StreamSink

    init(_ sink: StreamSink) {
        self.sink = sink
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        put(.response(response), of: session)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        put(.data(data), of: session)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        sink.end(error)
    }

    private func put(_ part: StreamConnection.Part, of session: URLSession) {
        if !sink.put(part) { session.invalidateAndCancel() }
    }
}
