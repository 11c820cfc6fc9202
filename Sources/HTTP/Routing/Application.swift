/// What a server serves: it answers requests, and renders refusals in its own form.
///
/// ```swift
/// struct Greeting: Application {
///     func respond(to request: Request) throws(HTTPError) -> Answer {
///         .now(Response(body: Array("hello".utf8)))
///     }
///     func response(to request: Request, failing error: HTTPError) -> Response { plain(error) }
///     func response(refusing request: RefusedRequest, _ error: HTTPError) -> Response { plain(error) }
/// }
/// ```
public protocol Application: Sendable {
    /// Answers a request. It is called on the thread of an event loop and must not block: longer work belongs on another
    /// thread, see `Answer.later`.
    ///
    /// - Throws: a refusal, which `response(to:failing:)` renders; so does what completes a deferred response.
    func respond(to request: Request) throws(HTTPError) -> EventualResponse

    /// The response to a request that `respond` refused.
    func response(to request: Request, failing error: HTTPError) -> Response

    /// The response to a request that did not get as far as `respond`.
    func response(refusing request: RefusedRequest, _ error: HTTPError) -> Response

    /// Whether a body is received, and how large it may be; asked when the head of its request is complete. It is not
    /// asked about a body that came with its head and is no larger than `HTTPLimits.smallBody`: such a request is
    /// answered at once anyway.
    ///
    /// - Throws: a refusal, sent at once, the body unread.
    func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission

    /// Whether a request is served even at the connection limit, as health and administration are.
    func hasPriority(_ request: Request) -> Bool
}

/// A request that could not be read, whose body was not admitted or for which there is no room.
public struct RefusedRequest: Sendable {
    /// The request target, as far as it could be read.
    public let target: ArraySlice<UInt8>
    /// The fields, as far as they could be read.
    public let headers: Headers
    /// What the response calls the request; nil leaves that out.
    public let id: RequestID?

    /// A refused request.
    public init(target: ArraySlice<UInt8> = [], headers: Headers = .none, id: RequestID? = nil) {
        (self.target, self.headers, self.id) = (target, headers, id)
    }
}

extension Application {
    /// Bodies of up to 1 MiB.
    public func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission {
        BodyAdmission(limit: 1 << 20)
    }

    /// No request has priority.
    public func hasPriority(_ request: Request) -> Bool { false }

    /// Answers a request without a server: hands on the response, now or later.
    public func respond(to request: Request, then receive: @escaping @Sendable (Response) -> Void) {
        do throws(HTTPError) {
            switch try respond(to: request) {
            case .now(let response): receive(response)
            case .later(let start):
                start(DeferredResponse(failing: { response(to: request, failing: $0) }, receive))
            }
        } catch {
            receive(response(to: request, failing: error))
        }
    }

    /// The response to a request with its whole body, without a server.
    public func response(to request: Request) async -> Response {
        var response = await withCheckedContinuation { continuation in
            respond(to: request) { continuation.resume(returning: $0) }
        }
        if case .stream(let stream) = response.content { response.body = await stream.bytes() ?? [] }
        return response
    }
}

/// A step on the way of every request to its route, and of the response back.
///
/// An application calls its steps by name, one inside the other, in the order in which they are to run:
///
/// ```swift
/// try hosts.respond(to: request) { () throws(HTTPError) in
///     try crossOrigin.respond(to: request) { () throws(HTTPError) in
///         try route(request)
///     }
/// }
/// ```
///
/// So the order can be read in one place, and costs nothing: the types are known, the closures do not escape and the
/// compiler makes one function of it. A list of `any Middleware` would cost each request a call through a table and an
/// allocation for each step.
public protocol Middleware: Sendable {
    /// Answers a request itself, or lets the next step answer it and adds to its response.
    ///
    /// - Throws: a refusal, its own or of a later step.
    func respond(to request: Request, next: () throws(HTTPError) -> EventualResponse) throws(HTTPError)
        -> EventualResponse
}
