#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// A response that is received on a thread of its own, which sleeps while nothing arrives.
    ///
    /// It goes through libcurl, which FoundationNetworking links, too. Redirects are followed.
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
                    try exchange.run(request, sockets, receiver)
                } catch {
                    return sink.end(error)
                }
                guard let next = receiver.redirect else { return sink.end(nil) }
                request = next
            }
            sink.end(URLError(.httpTooManyRedirects))
        }

        private static func exchange(of request: URLRequest) -> CurlExchange? {
            guard let url = request.url, url.scheme == "http" || url.scheme == "https" else { return nil }
            return CurlLibrary.shared.map(CurlExchange.init)
        }
    }

    extension URLSessionConfiguration {
        fileprivate var hasOwnProtocols: Bool {
            protocolClasses?.contains { !String(reflecting: $0).hasPrefix("FoundationNetworking.") } ?? false
        }
    }

    final class StreamReceiver {
        /// The request that follows; nil unless the response is a redirect.
        private(set) var redirect: URLRequest?

        private let request: URLRequest
        private let sink: StreamSink

        init(_ request: URLRequest, _ sink: StreamSink) {
            (self.request, self.sink) = (request, sink)
        }

        /// Takes the head; false when the body is not wanted.
        func takeHead(_ status: Int, _ fields: [(name: String, value: String)]) -> Bool {
            let named = Dictionary(fields) { "\($0), \($1)" }
            guard let url = request.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: named)
            else { return false }
            redirect = Self.redirect(of: request, response)
            return redirect == nil && sink.put(.response(response))
        }

        func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
            sink.put(.data(Data(bytes)))
        }

        private static func redirect(of request: URLRequest, _ response: HTTPURLResponse) -> URLRequest? {
            guard [301, 302, 303, 307, 308].contains(response.statusCode), let from = request.url,
                let location = response.value(forHTTPHeaderField: "Location"),
                let url = URL(string: location, relativeTo: from)?.absoluteURL
            else { return nil }
            var result = request
            result.url = url
            // The token is for its server alone, and not to be read on the way.
            if url.host?.lowercased() != from.host?.lowercased() || (from.scheme == "https" && url.scheme != "https") {
                result.setValue(nil, forHTTPHeaderField: "Authorization")
            }
            return result
        }
    }

    /// The open sockets of a transfer. Another thread ends it by shutting them down, never by closing them: their
    /// numbers might be those of other files by then.
    final class SharedSockets: Sendable {
        private struct State {
            var descriptors: Set<Int32> = []
            var isCancelled = false
        }

        private let state = Mutex(State())

        var isCancelled: Bool { state.withLock(\.isCancelled) }

        /// A new socket; -1 when there is none, or the transfer must end.
        func open(_ family: Int32, _ type: Int32, _ number: Int32) -> Int32 {
            state.withLock { state in
                guard !state.isCancelled else { return -1 }
                let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
                if descriptor >= 0 { state.descriptors.insert(descriptor) }
                return descriptor
            }
        }

        func close(_ descriptor: Int32) {
            state.withLock { state in
                state.descriptors.remove(descriptor)
                _ = Foundation.close(descriptor)
            }
        }

        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
            }
        }
    }
#endif
