import Bytes
import HTTP
import Limits
import Service

/// Bodies are admitted when the head of a request is complete, so that a client sends no body, and the server stores
/// none, for a request that its head already rules out.
extension Dispatcher {
    /// - Throws: what the head already determines: 421, 403, 404, 405, 401, 415, 413; 503 when there is no room, or
    ///   when the town is read-only.
    package func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission {
        try hosts.check(request)
        try crossOrigin.check(request)
        switch router.match(request.method, request.path) {
        case .found(let captures):
            do throws(HTTPError) {
                return try admitBody(of: request, endpoint(of: captures), captures)
            } catch {
                throw error.of(captures.route)
            }
        case .options:
            try Self.requireLength(of: request, upTo: Endpoint.anonymousBodyLimit)
            return BodyAdmission(limit: Endpoint.anonymousBodyLimit)
        case .methodNotAllowed(let allowed): throw .methodNotAllowed(allowed)
        case .notFound: throw .notFound()
        }
    }

    private func admitBody(
        of request: Request, _ endpoint: Endpoint, _ captures: Captures
    ) throws(HTTPError) -> BodyAdmission {
        let call = try admittedCall(request, endpoint, captures)
        try call.requireUncodedBody()
        try call.requireMediaType()
        let limit = call.bodyLimit
        try Self.requireLength(of: request, upTo: limit)
        if let permit = try importPermit(for: request, endpoint) { return BodyAdmission(limit: limit, permit: permit) }
        try requireRoom(for: request)
        return BodyAdmission(limit: limit, isOfStranger: call.isOfStranger)
    }

    /// The audit records a refusal, as for a request without a body.
    private func admittedCall(
        _ request: Request, _ endpoint: Endpoint, _ captures: Captures
    ) throws(HTTPError) -> Call {
        var caller = Caller.anonymous
        do throws(HTTPError) {
            let call = try Call(request, captures: captures, dispatcher: self)
            caller = call.caller
            try call.requireOwnPage()
            // Who was logged out while they typed gets back what they typed.
            if !endpoint.isPage || caller != .anonymous || endpoint.body.fileLimit != nil { try call.requireAccess() }
            // The response to a form shows what was typed, so that nobody loses it.
            if !endpoint.isPage { try call.requireWritable() }
            return call
        } catch {
            audit(.failure(error), request, endpoint, caller: caller, nil)
            throw error
        }
    }

    private static func requireLength(of request: Request, upTo limit: Int) throws(HTTPError) {
        guard request.announcedLength <= limit else { throw .contentTooLarge(limit: limit) }
    }

    private func requireRoom(for request: Request) throws(HTTPError) {
        if request.method.isSafe || request.isLocal { return }
        guard service.limits.hasRoom(for: request.announcedLength) else { throw .overloaded }
    }

    /// The one from the admission of the body, or a new one; nil for other endpoints.
    func importPermit(for request: Request, _ endpoint: Endpoint) throws(HTTPError) -> Gate<TownLimits.Door>.Permit? {
        guard endpoint.body.fileLimit != nil else { return nil }
        if let permit = request.permit as? Gate<TownLimits.Door>.Permit { return permit }
        return try HTTPError.translating { try service.limits.admitImport() }
    }
}

extension Call {
    /// Who was logged out while they typed is none.
    var isOfStranger: Bool { caller == .anonymous && !dispatcher.sessionCookie.isStamped(in: request.headers) }

    var bodyLimit: Int {
        guard endpoint.isPage, caller == .anonymous else { return endpoint.bodyLimit }
        guard isOfStranger else { return Endpoint.formLimit }
        let isLogin = endpoint.access != .anyone || endpoint.audit == .login
        return isLogin ? Endpoint.loginLimit : Endpoint.strangerFormLimit
    }

    /// A page of any site may send a body with another type than JSON, or without one, and a browser asks for
    /// permission first only for types such as JSON.
    package func requireMediaType() throws(HTTPError) {
        guard let usual = endpoint.body.types.first else { return }
        guard let field = request.headers.first("content-type") else {
            if request.body.isEmpty, request.announcedLength == 0 { return }
            throw unsupported("the body needs the field Content-Type: \(usual)")
        }
        let type = field.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        let isAccepted = endpoint.body.types.contains { ASCII.equalIgnoringCase(type, $0.utf8) }
        guard isAccepted else { throw unsupported("the body must be \(usual)") }
    }

    /// - Throws: 415 for a content coding, such as compression (RFC 9110, section 8.4).
    func requireUncodedBody() throws(HTTPError) {
        guard !request.method.isSafe || !request.body.isEmpty, request.headers.first("content-encoding") != nil else {
            return
        }
        throw unsupported("the body must come without a Content-Encoding", ["Accept-Encoding": "identity"])
    }

    /// The response to a `PATCH` has the media types of patches (RFC 5789, section 2.2).
    private func unsupported(_ message: String, _ headers: ResponseHeaders = [:]) -> HTTPError {
        var headers = headers
        if request.method == .patch { headers.add("Accept-Patch", "application/merge-patch+json, application/json") }
        return HTTPError(.unsupportedMediaType, code: "unsupported_media_type", message: message, headers: headers)
    }
}
