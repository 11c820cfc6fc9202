#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// A response that is received on a thread of its own, which sleeps while nothing arrives.
    ///
    /// `http` goes over a socket; `https`, and what needs more than a socket, through libcurl. Redirects are followed.
    final class ThreadTransfer: StreamTransfer, Sendable {
        /// As `URLSession`.
        private static let mostRedirects = 20

        private let sockets = SharedSockets()

        /// Sends a request; nil when only a session can send it as the app wants.
        init?(_ request: URLRequest, _ configuration: URLSessionConfiguration, _ sink: StreamSink) {
            guard !configuration.hasOwnProtocols, Self.exchange(of: request) != nil else { return nil }
            var request = request
            for case (let name as String, let value as String) in configuration.httpAdditionalHeaders ?? [:]
            where request.value(forHTTPHeaderField: name) == nil {
                request.setValue(value, forHTTPHeaderField: name)
            }
            let thread = Thread { [sockets, request, certificates = CurlExchange.certificates] in
                CurlExchange.$certificates.withValue(certificates) { Self.run(request, sockets, sink) }
            }
            thread.name = "stream"
            thread.start()
        }

        func cancel() {
            sockets.cancel()
        }

        private static func run(_ first: URLRequest, _ sockets: SharedSockets, _ sink: StreamSink) {
            var request = first
            for _ in 0...mostRedirects {
                let receiver = StreamReceiver(request, sink)
                do {
                    guard let exchange = exchange(of: request) else { throw URLError(.unsupportedURL) }
                    try exchange(request, sockets, receiver)
                } catch {
                    return sink.end(error)
                }
                guard let next = receiver.redirect else { return sink.end(nil) }
                request = next
            }
            sink.end(URLError(.httpTooManyRedirects))
        }

        /// Sends a request and receives its response. It returns at the end of the response, or when the receiver wants
        /// no more of it.
        private typealias Exchange = (URLRequest, SharedSockets, StreamReceiver) throws -> Void

        private static func exchange(of request: URLRequest) -> Exchange? {
            guard let url = request.url, url.scheme == "http" || url.scheme == "https" else { return nil }
            if SocketExchange.canSend(url) { return SocketExchange.run }
            return CurlLibrary.shared.map { library in { try CurlExchange(library).run($0, $1, $2) } }
        }
    }

    extension URLSessionConfiguration {
        /// Whether an app has injected protocol classes.
        fileprivate var hasOwnProtocols: Bool {
            protocolClasses?.contains { !String(reflecting: $0).hasPrefix("FoundationNetworking.") } ?? false
        }
    }
#endif
