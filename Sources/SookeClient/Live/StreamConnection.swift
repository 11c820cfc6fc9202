import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response whose body is received in parts, as they arrive. It ends with its owner.
///
/// On Linux a `URLSession` that waits uses a whole core, because it polls its socket for writing. So a `ThreadTransfer`
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

    private let transfer: any StreamTransfer
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
        transfer = Self.transfer(request, session.configuration, StreamSink(continuation: continuation))
    }

    deinit {
        transfer.cancel()
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

    private static func transfer(
        _ request: URLRequest, _ configuration: URLSessionConfiguration, _ sink: StreamSink
    ) -> any StreamTransfer {
        #if canImport(FoundationNetworking)
            if let transfer = ThreadTransfer(request, configuration, sink) { return transfer }
        #endif
        return SessionTransfer(request, configuration, sink)
    }
}

protocol StreamTransfer {
    /// Does not wait for the end.
    func cancel()
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

/// A response that a `URLSession` receives.
///
/// `URLSession.bytes` does not exist on Linux, and only the delegate of a session receives parts there, not that of a
/// task. So each transfer has a session of its own, with the configuration of the client's.
final class SessionTransfer: StreamTransfer {
    private let session: URLSession

    init(_ request: URLRequest, _ configuration: URLSessionConfiguration, _ sink: StreamSink) {
        session = URLSession(configuration: configuration, delegate: StreamDelegate(sink), delegateQueue: nil)
        session.dataTask(with: request).resume()
    }

    func cancel() {
        session.invalidateAndCancel()
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
