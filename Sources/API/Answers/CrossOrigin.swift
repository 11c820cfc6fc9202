import Bytes
import HTTP

/// Cross-origin resource sharing (WHATWG Fetch, section 3.2): which other sites' pages may read the answers.
public struct CrossOrigin: Sendable {
    private let allowed: Set<String>
    private let allowsAll: Bool

    /// The sites that may, each as scheme, host and port; `*` stands for all.
    public init(allowing origins: [String]) {
        allowed = Set(origins.map { $0.lowercased() })
        allowsAll = allowed.contains("*")
    }

    /// The answer with the fields that tell a browser whether the page may read it.
    func marking(_ response: consuming Response, for request: Request) -> Response {
        Self.markVarying(&response)
        allow(&response, for: request)
        return response
    }

    /// Tells caches that the answer depends on which site asks.
    static func markVarying(_ response: inout Response) {
        response.headers.add("Vary", "Origin")
    }

    /// Adds to an answer that is marked as varying that the site of a request may read it, when that is so.
    func allow(_ response: inout Response, for request: Request) {
        if let origin = allowedOrigin(of: request) {
            response.headers.add("Access-Control-Allow-Origin", allowsAll ? "*" : origin)
        }
    }

    /// The answer to a browser that asks before it sends the real request; nil when the request is no such question.
    func preflight(_ request: Request) -> Response? {
        guard request.method == .options, let method = request.headers.first("access-control-request-method") else {
            return nil
        }
        var headers: ResponseHeaders = ["Vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"]
        if let origin = allowedOrigin(of: request) {
            headers.add("Access-Control-Allow-Origin", allowsAll ? "*" : origin)
            headers.add("Access-Control-Allow-Methods", bytes: method)
            if let names = request.headers.first("access-control-request-headers") {
                headers.add("Access-Control-Allow-Headers", bytes: names)
            }
            headers.add("Access-Control-Max-Age", "300")
        }
        return Response(headers: headers)
    }

    private func allowedOrigin(of request: Request) -> String? {
        guard let field = request.headers.first("origin"), let origin = String(validUTF8: field),
            allowsAll || allowed.contains(origin.lowercased())
        else { return nil }
        return origin
    }
}
