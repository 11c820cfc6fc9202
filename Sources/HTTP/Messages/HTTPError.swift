/// A refusal, in the form that a client sees. The application renders all of them in one place.
package struct HTTPError: Error, Sendable {
    package let status: Status
    /// In snake case, such as `not_found`.
    package let code: String
    /// What is wrong and what to do. It never contains a path on the server or a stack trace.
    package let message: String
    package var headers: ResponseHeaders
    package let fields: [(name: String, message: String)]
    package var detail: (name: String, json: [UInt8])?
    /// nil when no route was reached.
    package var route: Int?

    package init(
        _ status: Status, code: String, message: String, headers: ResponseHeaders = ResponseHeaders(),
        fields: [(name: String, message: String)] = []
    ) {
        (self.status, self.code, self.message) = (status, code, message)
        (self.headers, self.fields) = (headers, fields)
    }

    package static func invalidParameter(_ message: String) -> HTTPError {
        HTTPError(.badRequest, code: "invalid_parameter", message: message)
    }

    package static func notFound(_ message: String = "there is nothing at this address") -> HTTPError {
        HTTPError(.notFound, code: "not_found", message: message)
    }

    package static func methodNotAllowed(_ allowed: MethodSet) -> HTTPError {
        HTTPError(
            .methodNotAllowed, code: "method_not_allowed", message: "this address allows \(allowed.allow)",
            headers: ["Allow": allowed.allow])
    }

    package static func contentTooLarge(limit: Int) -> HTTPError {
        HTTPError(
            .contentTooLarge, code: "content_too_large", message: "the body may have at most \(limit) bytes here")
    }

    package static let internalError = HTTPError(
        .internalServerError, code: "internal_error", message: "the server could not handle this request")

    package static let overloaded = HTTPError(
        .serviceUnavailable, code: "overloaded", message: "the server is busy, try again in a second",
        headers: ["Retry-After": "1"])

    static let tooManyConnections = HTTPError(
        .tooManyRequests, code: "too_many_connections", message: "too many connections from this address",
        headers: ["Retry-After": "1"])

    static func tooMuchWork(retryAfter seconds: Int) -> HTTPError {
        HTTPError(
            .tooManyRequests, code: "too_much_work",
            message: "the requests from this address cost the server too much, try again in \(seconds) s",
            headers: ["Retry-After": "\(seconds)"])
    }

    static let requestTimeout = HTTPError(
        .requestTimeout, code: "request_timeout", message: "the request did not arrive in time")
}
