import Bytes
import HTTP

/// Cross-origin resource sharing (WHATWG Fetch, section 3.2): the origins whose pages may read responses.
package struct CrossOrigin {
    private let allowed: [[UInt8]]
    private let allowsAll: Bool
    private let allowsThisMachine: Bool

    /// Origins have scheme, host and port; `*` allows all, and `thisMachine` pages from this machine on any port.
    package init(allowing origins: [String], thisMachine: Bool = false) {
        allowed = origins.map { Array($0.utf8) }
        allowsAll = origins.contains("*")
        allowsThisMachine = thisMachine
    }

    /// Refuses what a page of another site must not send, and lets an allowed origin read the response.
    package func respond(
        to request: Request, next: () throws(HTTPError) -> EventualResponse
    ) throws(HTTPError) -> EventualResponse {
        try check(request)
        let answer: EventualResponse
        do throws(HTTPError) {
            answer = try next()
        } catch {
            // The page must get the 404 of its actual request.
            if error.status == .notFound, isPreflight(request) { return .now(options(request, [])) }
            throw error
        }
        // The response to `OPTIONS` already has its fields.
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

    /// A browser says by `Sec-Fetch-Site` where a request comes from, and sends some requests without asking for
    /// permission first.
    func check(_ request: Request) throws(HTTPError) {
        guard !request.method.isSafe, let site = request.headers.first("sec-fetch-site"),
            ASCII.equalIgnoringCase(site, "cross-site".utf8), allowedOrigin(in: request.headers) == nil
        else { return }
        throw HTTPError(
            .forbidden, code: "cross_site",
            message:
                "pages of another site may not change anything here; the server's owner can allow their origin with "
                + "--cors-origin")
    }

    /// What a page of another site sends comes with the cookie too. Browsers say where a form was sent from (W3C Fetch
    /// Metadata), over plain HTTP only by `Origin`. A page of the same machine with another port is one of another
    /// site.
    static func requireOwnPage(_ request: Request, url: String) throws(HTTPError) {
        if let site = request.headers.first("sec-fetch-site") {
            if ASCII.equalIgnoringCase(site, "same-origin".utf8) { return }
        } else if let origin = request.headers.first("origin") {
            // A proxy in front may have another scheme, or another name.
            let schemes: [StaticString] = ["http://", "https://"]
            let own = schemes.map { Array("\($0)".utf8) + request.authority } + [Array(url.utf8)]
            if !request.authority.isEmpty, own.contains(where: { ASCII.equalIgnoringCase($0, origin) }) { return }
        }
        throw HTTPError(
            .forbidden, code: "cross_site",
            message: "this was not sent from a page of this site; open the page again, and send it from there")
    }

    /// For caches: a response depends on the format, the account and the origin of a request.
    static func markVarying(_ response: inout Response) {
        response.headers.add("Vary", "Accept, Accept-Encoding, Authorization, Cookie, Origin")
    }

    func allow(_ response: inout Response, for headers: Headers) {
        if let origin = allowedOrigin(in: headers) { allow(&response, origin) }
    }

    /// For a request whose fields could not all be read: if only one origin is allowed, it may read the response.
    func allowUnread(_ response: inout Response, for headers: Headers) {
        if headers.first("origin") == nil, !allowsThisMachine, let only = allowed.first, allowed.count == 1 {
            allow(&response, String(decoding: only, as: UTF8.self))
        } else {
            allow(&response, for: headers)
        }
    }

    private func allow(_ response: inout Response, _ origin: String) {
        response.headers.add("Access-Control-Allow-Origin", allowsAll ? "*" : origin)
        response.headers.add("Access-Control-Expose-Headers", Self.exposed)
    }

    private static let exposed = "ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy"

    func isPreflight(_ request: Request) -> Bool {
        request.method == .options && request.headers.first("access-control-request-method") != nil
    }

    /// The response to `OPTIONS`: the methods of the route, if there is one, and for a preflight the allowed fields.
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
                || (allowsThisMachine && Self.isThisMachine(field))
        else { return nil }
        return String(validUTF8: field)
    }

    private static let thisMachine = ["localhost", "127.0.0.1", "[::1]"].flatMap { host in
        ["http", "https"].map { Array("\($0)://\(host)".utf8) }
    }

    /// With any port.
    package static func isThisMachine(_ origin: ArraySlice<UInt8>) -> Bool {
        thisMachine.contains { known in
            guard ASCII.equalIgnoringCase(known, origin.prefix(known.count)) else { return false }
            let port = origin.dropFirst(known.count)
            guard !port.isEmpty else { return true }
            return 2...6 ~= port.count && port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(ASCII.isDigit)
        }
    }
}
