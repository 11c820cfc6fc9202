import Credentials
import HTTP
import Platform
import Service
import SookeModel
import Store

/// The REST API: routes requests and responds to them.
///
/// A class, because each pending write holds a reference to it.
public final class API: Application {
    let town: Town
    let crossOrigin: CrossOrigin
    let hosts: AllowedHosts
    let routes: Router<Route>
    let cachedReads: CachedReads
    /// Metrics of requests and responses; the server records each response in it.
    public let metrics: RequestMetrics

    /// The API of a town.
    ///
    /// - Parameters:
    ///   - hosts: the host names and the folder that it serves.
    ///   - administration: the functions of the administration routes; nil leaves the routes out.
    public init(
        town: Town, crossOrigin: CrossOrigin, hosts: AllowedHosts = .all, administration: Administration? = nil
    ) {
        self.hosts = hosts
        self.town = town
        self.crossOrigin = crossOrigin
        cachedReads = CachedReads(town)
        var routes = RouterBuilder<Route>()
        HealthRoute.add(to: &routes)
        BusinessListRoute.add(to: &routes)
        BusinessRoutes.add(to: &routes)
        TermRoutes.add(to: &routes)
        EventRoutes.add(to: &routes)
        CalendarRoutes.add(to: &routes)
        EventWritingRoutes.add(to: &routes)
        MenuRoutes.add(to: &routes)
        SpecialHoursRoutes.add(to: &routes)
        SessionRoutes.add(to: &routes)
        OwnSessionRoutes.add(to: &routes)
        UserRoutes.add(to: &routes)
        InvitationRoutes.add(to: &routes)
        ConfirmationRoutes.add(to: &routes)
        TokenRoutes.add(to: &routes)
        HistoryRoutes.add(to: &routes)
        ChangesRoute.add(to: &routes)
        AuditRoute.add(to: &routes)
        administration?.add(to: &routes)
        let description = APIDescription()
        description.add(to: &routes)
        metrics = RequestMetrics(routes.routes + [(.get, MetricsRoute.path)])
        if let administration { MetricsRoute.add(to: &routes, requests: metrics, facts: administration.facts) }
        self.routes = routes.build()
        description.describe(self.routes.routes)
    }

    /// Responds to a request: at once to a read, later when a transaction must be on stable storage first.
    ///
    /// These are the steps in their order. A request for another host gets no data. The cached responses are the same
    /// for all sites and clients, so the step that depends on `Origin`, which also refuses what pages of other sites must
    /// not send, comes before them. Access, limits and the audit
    /// depend on the route; see `respond(to:_:_:)`. The server assigns request IDs and counts
    /// responses itself, because it also responds to requests that never get here.
    public func respond(to request: Request) throws(HTTPError) -> EventualResponse {
        try hosts.respond(to: request) { () throws(HTTPError) in
            try crossOrigin.respond(to: request) { () throws(HTTPError) in
                try cachedReads.respond(to: request) { () throws(HTTPError) in
                    try route(request)
                }
            }
        }
    }

    private func route(_ request: Request) throws(HTTPError) -> EventualResponse {
        switch routes.match(request.method, request.path) {
        case .found(let route, let captures):
            do throws(HTTPError) {
                return try respond(to: request, route, captures)
            } catch {
                throw error.of(captures.route)
            }
        case .options(let allowed): return .now(crossOrigin.options(request, allowed))
        case .methodNotAllowed(let allowed): throw .methodNotAllowed(allowed)
        case .notFound: throw .notFound()
        }
    }

    /// The response of a route: checks the permission and the rate limit of the caller, and runs the handler.
    private func respond(
        to request: Request, _ route: Route, _ captures: Captures
    ) throws(HTTPError) -> EventualResponse {
        var caller = Caller.anonymous
        let subject = route.audit == nil ? nil : AuditSubject()
        do throws(HTTPError) {
            let call = try Call(request, captures: captures, route: route, town: town, subject: subject)
            caller = call.caller
            try call.requireAccess()
            try call.requireUncodedBody()
            // Before the limits: what any page may send must use up nothing.
            if route.takesJSON, !request.body.isEmpty { try call.requireJSONType() }
            let decision = request.method.isSafe ? nil : try call.admitRate(isLogin: route.audit == .login)
            switch route.handler {
            case .read(let read):
                return .now(finished(try read(call), call))
            case .cachedRead(let read):
                return .now(
                    try cachedReads.respond(to: call) { () throws(HTTPError) in
                        var shown = try read(call)
                        shown.response = finished(shown.response, call)
                        return shown
                    })
            case .async(let respond):
                return try later(respond, call, route, decision)
            case .transaction(let prepare):
                return try later(prepare, call, route, decision)
            }
        } catch {
            audit(.failure(error), request, route, caller: caller, subject)
            throw error
        }
    }

    /// Responds when an asynchronous handler has returned; it runs in a task.
    private func later(
        _ respond: @escaping @Sendable (Call) async throws -> Response, _ call: Call, _ route: Route,
        _ decision: RateLimitDecision?
    ) throws(HTTPError) -> EventualResponse {
        let permit = try permit(for: call, route)
        let importPermit = try importPermit(for: call.request, route)
        return .later { [self] deferred in
            let call = Call(call, isWanted: isWanted(deferred, nil))
            let task = Task {
                let result: Result<Response, HTTPError>
                let work = TaskWork()
                do {
                    result = .success(try await TaskWork.$current.withValue(work) { try await respond(call) })
                } catch {
                    result = .failure(call.httpError(error))
                }
                deferred.charge(work.nanoseconds)
                permit?.release()
                importPermit?.release()
                deferred.send { [self] () throws(HTTPError) in try finished(result, call, route, decision) }
            }
            if route.isCancelledByClose { deferred.onClose { task.cancel() } }
        }
    }

    /// Responds when the change of a transaction is on stable storage.
    private func later(
        _ prepare: (Call) throws(HTTPError) -> Transaction<Outcome>, _ call: Call, _ route: Route,
        _ decision: RateLimitDecision?
    ) throws(HTTPError) -> EventualResponse {
        let permit = try permit(for: call, route)
        let transaction = try prepare(call)
        return .later { [self] deferred in
            town.run(transaction, isWanted: isWanted(deferred, permit)) { [self] result in
                permit?.release()
                deferred.send { [self] () throws(HTTPError) in
                    try finished(result.map(call.response).mapError(call.httpError), call, route, decision)
                }
            }
        }
    }

    /// Whether the client still waits for the response when the transaction gets its turn. An asynchronous handler has no
    /// permit here, because hashing a password or reading a large file may take longer than a transaction may wait.
    private func isWanted(_ deferred: DeferredResponse, _ permit: WriteLimiter.Permit?) -> @Sendable () -> Bool {
        { permit?.isInTime != false && !deferred.isAbandoned }
    }

    /// A permit for a write; nil when the request needs none.
    private func permit(for call: Call, _ route: Route) throws(HTTPError) -> WriteLimiter.Permit? {
        if call.request.method.isSafe || call.request.isLocal { return nil }
        // Only administrators send files, and one may be larger than all other bodies together.
        let bytes = route.takes == .file ? 0 : call.request.body.count
        return try call.service { () throws(ServiceError) in try town.writes.admit(bytes: bytes) }
    }

    /// The response of a deferred route, after its audit entry was recorded.
    private func finished(
        _ result: consuming Result<Response, HTTPError>, _ call: Call, _ route: Route, _ decision: RateLimitDecision?
    ) throws(HTTPError) -> Response {
        audit(result, call.request, route, caller: call.caller, call.subject)
        do throws(HTTPError) {
            var response = finished(try result.get(), call)
            if let decision { response.headers.add(decision) }
            return response
        } catch {
            throw error.of(call.captures.route)
        }
    }

    /// A successful response of a route. Caches must not store a response to a client with an account.
    private func finished(_ response: consuming Response, _ call: Call) -> Response {
        if call.caller != .anonymous { response.headers.set("Cache-Control", "no-store") }
        CrossOrigin.markVarying(&response)
        response.route = call.captures.route
        return response
    }
}

/// Error responses, as JSON.
extension API {
    /// The response to a request that failed.
    public func response(to request: Request, failing error: HTTPError) -> Response {
        var response = Response.error(error, request.id)
        CrossOrigin.markVarying(&response)
        crossOrigin.allow(&response, for: request.headers)
        response.route = error.route
        return response
    }

    /// The response to a request that the server rejects before routing.
    public func response(refusing request: RefusedRequest, _ error: HTTPError) -> Response {
        var response = Response.error(error, request.id)
        CrossOrigin.markVarying(&response)
        crossOrigin.allowUnread(&response, for: request.headers)
        response.route = error.route
        return response
    }

    /// Whether a request is served even when there are too many connections: administration over the socket, and health
    /// checks.
    public func hasPriority(_ request: Request) -> Bool {
        request.isLocal || HealthRoute.paths.contains { request.path.encoded.elementsEqual($0) }
    }

    /// Records the result of a route in the audit, if the route requires that.
    func audit(
        _ result: Result<Response, HTTPError>, _ request: Request, _ route: Route, caller: Caller,
        _ subject: AuditSubject?
    ) {
        guard let audit = town.audit else { return }
        let status: Status
        let code: String?
        switch result {
        case .success(let response): (status, code) = (response.status, nil)
        case .failure(let error): (status, code) = (error.status, error.code)
        }
        let isRefused = status == .unauthorized || status == .forbidden
        let isThrottled = status == .tooManyRequests && caller.personID != nil
        guard route.audit != nil || isThrottled || isRefused && route.isGuarded(request.method) else { return }
        audit.record(
            AuditEntry(
                at: town.clock(), action: route.audit ?? .request, status: status.code, code: code, caller: caller,
                subject: subject?.value ?? AuditSubject.Value(), network: ClientNetwork(request.peer),
                request: AuditedRequest(
                    client: request.peer.name, method: "\(request.method.name)", target: request.target)))
    }
}

extension HTTPError {
    /// The same error, with its route.
    fileprivate func of(_ route: Int) -> HTTPError {
        var error = self
        error.route = route
        return error
    }
}
