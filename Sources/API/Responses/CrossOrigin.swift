import Bytes
import HTTP

/// Cross-origin resource sharing (WHATWG Fetch, section 3.2): which other sites' pages may read the answers.
public struct CrossOrigin: Middleware {
    private let allowed: [[UInt8]]
    private let allowsAll: Bool

    /// The sites that may, each as scheme, host and port; `*` stands for all.
    public init(allowing origins: [String]) {
        allowed = origins.map { Array($0.utf8) }
        allowsAll = origins.contains("*")
    }

    /// Lets the site of a request read the response, when it may.
    public func respond(to request: Request, next: () throws(HTTPError) -> Answer) throws(HTTPError) -> Answer {
        let answer: Answer
        do throws(HTTPError) {
            answer = try next()
        } catch {
            // The page that asks is to see the 404 of its real request.
            if error.status == .notFound, isPreflight(request) { return .now(options(request, [])) }
            throw error
        }
        // The response to `OPTIONS` has all of its fields.
        if request.method == .options { return answer }
        if case .now(var response) = answer {
            allow(&response, for: request.headers)
            return .now(response)
        }
        return try answer.map { [self] response in
            var response = response
            allow(&response, for: request.headers)
            return response
        }
    }

    /// Tells caches that the answer depends on which site asks.
    static func markVarying(_ response: inout Response) {
        response.headers.add("Vary", "Origin")
    }

    /// Adds to an answer that is marked as varying that the site of a request may read it, when that is so.
    func allow(_ response: inout Response, for headers: Headers) {
        if let origin = allowedOrigin(in: headers) { allow(&response, origin) }
    }

    /// Adds to an answer to a request whose fields could not all be read what `allow` would add: an answer that depends
    /// on no other field may be read by the only site that may read any, whoever asks.
    func allowUnread(_ response: inout Response, for headers: Headers) {
        if headers.first("origin") == nil, let only = allowed.first, allowed.count == 1 {
            allow(&response, String(decoding: only, as: UTF8.self))
        } else {
            allow(&response, for: headers)
        }
    }

    private func allow(_ response: inout Response, _ origin: String) {
        response.headers.add("Access-Control-Allow-Origin", allowsAll ? "*" : origin)
        response.headers.add("Access-Control-Expose-Headers", Self.exposed)
    }

    /// The fields, besides those that every page may read, that a page needs.
    private static let exposed = "ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy"

    /// Whether a browser asks what a page may send, before it sends the real request.
    func isPreflight(_ request: Request) -> Bool {
        request.method == .options && request.headers.first("access-control-request-method") != nil
    }

    /// The answer to `OPTIONS`: the methods of the route, and for a preflight what the page may send.
    ///
    /// - Parameter methods: the methods of the route; none when there is no route.
    func options(_ request: Request, _ methods: MethodSet) -> Response {
        var headers: ResponseHeaders = ["Vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"]
        if !methods.isEmpty { headers.add("Allow", methods.allow) }
        if isPreflight(request), let origin = allowedOrigin(in: request.headers) {
            headers.add("Access-Control-Allow-Origin", allowsAll ? "*" : origin)
            let others = methods.subtracting(MethodSet(.options))
            if !others.isEmpty { headers.add("Access-Control-Allow-Methods", others.allow) }
            if let names = request.headers.first("access-control-request-headers") {
                headers.add("Access-Control-Allow-Headers", bytes: names)
            }
            headers.add("Access-Control-Max-Age", "300")
        }
        return Response(.noContent, headers: headers)
    }

    private func allowedOrigin(in headers: Headers) -> String? {
        guard let field = headers.first("origin"),
            allowsAll || allowed.contains(where: { ASCII.equalIgnoringCase($0, field) })
        else { return nil }
        return String(validUTF8: field)
    }
}
