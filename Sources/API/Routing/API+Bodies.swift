import HTTP
import Service

/// Admission of bodies.
///
/// It is decided when the head of a request is complete, so that a client sends no body, and the server stores none,
/// for a request that its head already rules out.
extension API {
    /// The most bytes of a body on a route that needs no account, such as a login.
    static let anonymousBodyLimit = 8 << 10
    /// The most bytes of a body on other routes, except imports.
    static let bodyLimit = 1 << 20

    /// Admits the body of a request whose head is complete.
    ///
    /// - Throws: the response that the head already determines: 421, 403, 404, 405, 401, 415, 413; 503 when there is no
    ///   room.
    public func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission {
        try hosts.check(request)
        try crossOrigin.check(request)
        switch routes.match(request.method, request.path) {
        case .found(let route, let captures):
            do throws(HTTPError) {
                return try admitBody(of: request, route, captures)
            } catch {
                var error = error
                error.route = captures.route
                throw error
            }
        case .options:
            try Self.requireLength(of: request, upTo: Self.anonymousBodyLimit)
            return BodyAdmission(limit: Self.anonymousBodyLimit)
        case .methodNotAllowed(let allowed): throw .methodNotAllowed(allowed)
        case .notFound: throw .notFound()
        }
    }

    private func admitBody(
        of request: Request, _ route: Route, _ captures: Captures
    ) throws(HTTPError) -> BodyAdmission {
        let call = try admittedCall(request, route, captures)
        try call.requireUncodedBody()
        if route.takesJSON { try call.requireJSONType() }
        let limit = Self.bodyLimit(of: route)
        try Self.requireLength(of: request, upTo: limit)
        if route.takes == .file { return BodyAdmission(limit: limit, permit: try admittedImport()) }
        try requireRoom(for: request)
        return BodyAdmission(limit: limit)
    }

    /// The call of a request whose caller may use the route. The audit records a refusal, as for a request without a
    /// body.
    private func admittedCall(_ request: Request, _ route: Route, _ captures: Captures) throws(HTTPError) -> Call {
        var caller = Caller.anonymous
        do throws(HTTPError) {
            let call = try Call(request, captures: captures, route: route, town: town)
            caller = call.caller
            try call.requireAccess()
            return call
        } catch {
            audit(.failure(error), request, route, caller: caller, nil)
            throw error
        }
    }

    private static func bodyLimit(of route: Route) -> Int {
        if route.takes == .file { return Administration.importLimit }
        return route.access == .anyone ? anonymousBodyLimit : bodyLimit
    }

    private static func requireLength(of request: Request, upTo limit: Int) throws(HTTPError) {
        guard request.announcedLength <= limit else { throw .contentTooLarge(limit: limit) }
    }

    /// Rejects a request when there are too many writes in flight.
    private func requireRoom(for request: Request) throws(HTTPError) {
        if request.method.isSafe || request.isLocal { return }
        guard town.writes.hasRoom(for: request.announcedLength) else { throw .overloaded }
    }

    /// The permit for an import: the one from the admission of the body, or a new one for a body that came with its
    /// head. Nil for other routes.
    ///
    /// - Throws: 503 `import_running`.
    func importPermit(for request: Request, _ route: Route) throws(HTTPError) -> ImportLimiter.Permit? {
        guard route.takes == .file else { return nil }
        if let permit = request.permit as? ImportLimiter.Permit { return permit }
        return try admittedImport()
    }

    private func admittedImport() throws(HTTPError) -> ImportLimiter.Permit {
        do throws(ServiceError) {
            return try town.imports.admit()
        } catch {
            throw HTTPError(error)
        }
    }
}

extension Route {
    /// Whether the body of a request must be JSON.
    var takesJSON: Bool { takes != .nothing && takes != .file }
}
