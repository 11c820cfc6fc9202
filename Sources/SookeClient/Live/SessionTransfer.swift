import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response that a `URLSession` receives.
///
/// `URLSession.bytes` does not exist on Linux, and only the delegate of a session receives parts there, not that of a
/// task. So each transfer has a session of its own, with the configuration of the client's.
final class SessionTransfer: StreamTransfer {
    private let session: URLSession

    /// Sends a request.
    init(_ request: URLRequest, _ configuration: URLSessionConfiguration, _ sink: StreamSink) {
        session = URLSession(configuration: configuration, delegate: StreamDelegate(sink), delegateQueue: nil)
        session.dataTask(with: request).resume()
    }

    func cancel() {
        session.invalidateAndCancel()
    }
}

/// Passes what a session receives to a stream.
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
