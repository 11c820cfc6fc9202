#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Takes one response of a `ThreadTransfer`.
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

        /// Takes a part of the body; false when no more is wanted.
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

    extension URLError {
        /// An error of the network with its message.
        init(_ code: Code, saying message: String) {
            self.init(code, userInfo: [NSLocalizedDescriptionKey: message])
        }
    }
#endif
