package protocol Application: Sendable {
    /// Called on the thread of an event loop: it must not block, see `EventualResponse.later`.
    ///
    /// - Throws: a refusal, which `response(to:failing:)` renders, as it does an error of a deferred response.
    func respond(to request: Request) throws(HTTPError) -> EventualResponse

    func response(to request: Request, failing error: HTTPError) -> Response

    func response(refusing request: RefusedRequest, _ error: HTTPError) -> Response

    /// Called when the head is complete, but not for a body that arrived with its head and is no larger than
    /// `HTTPLimits.smallBody`.
    ///
    /// - Throws: a refusal, sent at once, without reading the body.
    func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission

    /// Served even at the connection limit, such as health checks and administration.
    func hasPriority(_ request: Request) -> Bool
}

/// A request that could not be read, whose body was not admitted or that exceeds a connection limit.
package struct RefusedRequest: Sendable {
    package let target: ArraySlice<UInt8>
    package let headers: Headers
    /// nil omits it from the response.
    package let id: RequestID?

    package init(target: ArraySlice<UInt8> = [], headers: Headers = .none, id: RequestID? = nil) {
        (self.target, self.headers, self.id) = (target, headers, id)
    }
}

extension Application {
    package func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission {
        BodyAdmission(limit: 1 << 20)
    }

    package func hasPriority(_ request: Request) -> Bool { false }

    /// Without a server.
    package func respond(to request: Request, then receive: @escaping @Sendable (Response) -> Void) {
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
}
