import Credentials
import HTTP
import SookeModel
import Store

/// The REST API: finds the route of a request and answers it.
///
/// A class because the answer to every write holds it until the disk is done.
public final class API: Sendable {
    let town: Town
    private let crossOrigin: CrossOrigin
    let hosts: AllowedHosts
    let routes: Router<Route>
    private let responses = ResponseCache()
    let imports = ImportLimiter()
    /// What was asked and how it was answered; whoever serves the API tells it of each answer.
    public let metrics: RequestMetrics

    /// The API of a town.
    ///
    /// - Parameters:
    ///   - hosts: the names that it answers to.
    ///   - administration: what the administration routes do; nil leaves them out.
    public init(
        town: Town, crossOrigin: CrossOrigin, hosts: AllowedHosts = .all, administration: Administration? = nil
    ) {
        self.hosts = hosts
        self.town = town
        self.crossOrigin = crossOrigin
        var routes = RouterBuilder<Route>()
        HealthRoute.add(to: &routes)
        BusinessRoutes.add(to: &routes)
        TermRoutes.add(to: &routes)
        EventRoutes.add(to: &routes)
        EventWritingRoutes.add(to: &routes)
        MenuRoutes.add(to: &routes)
        SessionRoutes.add(to: &routes)
        OwnSessionRoutes.add(to: &routes)
        UserRoutes.add(to: &routes)
        InvitationRoutes.add(to: &routes)
        TokenRoutes.add(to: &routes)
        HistoryRoutes.add(to: &routes)
        AuditRoute.add(to: &routes)
        administration?.add(to: &routes)
        let description = APIDescription()
        description.add(to: &routes)
        metrics = RequestMetrics(routes.routes + [(.get, MetricsRoute.path)])
        if let administration { MetricsRoute.add(to: &routes, requests: metrics, facts: administration.facts) }
        self.routes = routes.build()
        description.describe(self.routes.routes)
    }

    /// Whether a request is answered even when there are too many connections: administration over the socket, and who
    /// watches the server.
    public func hasPriority(_ request: Request) -> Bool {
        request.isLocal || HealthRoute.paths.contains { request.path.encoded.elementsEqual($0) }
    }

    /// The answer to a request that cannot be served.
    ///
    /// - Parameters:
    ///   - headers: its fields, as far as they could be read.
    ///   - id: what the answer calls it; nil leaves that out.
    public func response(failing error: HTTPError, _ headers: Headers, _ id: RequestID?) -> Response {
        var response = Response.error(error, id)
        CrossOrigin.markVarying(&response)
        crossOrigin.allowUnread(&response, for: headers)
        response.route = error.route
        return response
    }

    private func response(to request: Request, failing error: HTTPError) -> Response {
        var response = crossOrigin.marking(.error(error, request.id), for: request.headers)
        response.route = error.route
        return response
    }

    /// The answer to a request with its whole body; for callers without a connection to write it to.
    public func response(to request: Request) async -> Response {
        var response = await withCheckedContinuation { continuation in
            respond(to: request).send(to: DeferredResponse { continuation.resume(returning: $0) })
        }
        if case .stream(let stream) = response.content { response.body = await stream.bytes() ?? [] }
        return response
    }

    /// Answers a request: at once when it reads, later when it has to wait for the disk.
    public func respond(to request: Request) -> Answer {
        do throws(HTTPError) {
            try hosts.check(request)
            if let response = try cachedResponse(to: request) { return .now(response) }
            switch routes.match(request.method, request.path) {
            case .found(let route, let captures):
                return answer(to: request, route, captures)
            case .options(let allowed):
                return .now(crossOrigin.options(request, allowed))
            case .methodNotAllowed(let allowed):
                throw HTTPError.methodNotAllowed(allowed)
            case .notFound:
                // The page that asks is to see the 404 of its real request.
                if crossOrigin.isPreflight(request) { return .now(crossOrigin.options(request, [])) }
                throw HTTPError.notFound()
            }
        } catch {
            return .now(response(to: request, failing: error))
        }
    }

    /// The answer of a route.
    private func answer(to request: Request, _ route: Route, _ captures: Captures) -> Answer {
        var caller = Caller.anonymous
        let subject = route.audit == nil ? nil : AuditSubject()
        do throws(HTTPError) {
            let call = try Call(request, captures: captures, access: route.access, town: town, subject: subject)
            caller = call.caller
            try call.requireAccess()
            try call.requireUncodedBody()
            let decision = request.method.isSafe ? nil : try town.accounts.admit(call, isLogin: route.audit == .login)
            switch route.handler {
            case .read(let read):
                return .now(finished(.success(guarded(try read(call), for: caller)), request, captures.route))
            case .show(let show):
                let response = shown(try show(call), to: call)
                return .now(finished(.success(guarded(response, for: caller)), request, captures.route))
            case .write(let write):
                let place = try place(for: request, route)
                let permit = try importPermit(for: request, route)
                return .later { [self] deferred in
                    let call = Call(call, isWanted: isWanted(deferred, nil))
                    Task {
                        let result: Result<Response, HTTPError>
                        do { result = .success(try await write(call)) } catch { result = .failure(HTTPError(error)) }
                        place?.leave()
                        permit?.release()
                        deferred.send { [self] in finished(result, call, route, decision) }
                    }
                }
            case .change(let prepare):
                let place = try place(for: request, route)
                let change = try prepare(call)
                return .later { [self] deferred in
                    do throws(HTTPError) {
                        let transaction = try call.transaction(change, isWanted: isWanted(deferred, place))
                        town.store.write(transaction) { [self] result in
                            place?.leave()
                            deferred.send { [self] in
                                finished(result.mapError(HTTPError.init(_:)), call, route, decision)
                            }
                        }
                    } catch {
                        place?.leave()
                        deferred.send { [self] in finished(.failure(error), call, route, decision) }
                    }
                }
            }
        } catch {
            note(.failure(error), request, route, caller: caller, subject)
            return .now(finished(.failure(error), request, captures.route))
        }
    }

    /// What is answered without looking at the town: a read without an account that was answered before.
    private func cachedResponse(to request: Request) throws(HTTPError) -> Response? {
        guard request.method == .get || request.method == .head, Call.isAnonymous(request),
            var response = responses.response(
                to: request.target, of: town.store.current.publicRevision, at: town.clock())
        else { return nil }
        crossOrigin.allow(&response, for: request.headers)
        return try response.applyingPreconditions(of: request)
    }

    /// A good answer, which nobody on the way may store when it is for somebody with an account.
    private func guarded(_ response: consuming Response, for caller: Caller) -> Response {
        if caller != .anonymous { response.headers.set("Cache-Control", "no-store") }
        return response
    }

    /// An answer to a read, which is kept for the next who asks.
    private func shown(_ shown: Shown, to call: Call) -> Response {
        if let until = shown.until, call.caller == .anonymous {
            var kept = shown.response
            kept.route = call.captures.route
            CrossOrigin.markVarying(&kept)
            responses.store(kept, to: call.request.target, of: call.version.publicRevision, for: call.now...until)
        }
        return shown.response
    }

    /// Says whether somebody still waits for the answer to a write, when that has its turn. What is slow before that,
    /// such as to hash a password or to read a large file, may take longer than a change may wait, and brings no place.
    private func isWanted(_ deferred: DeferredResponse, _ place: WriteQueue.Place?) -> @Sendable () -> Bool {
        { place?.isInTime != false && !deferred.isAbandoned }
    }

    /// A place among the writes under way; nil when the request needs none.
    private func place(for request: Request, _ route: Route) throws(HTTPError) -> WriteQueue.Place? {
        if request.method.isSafe || request.isLocal { return nil }
        // Only who looks after the town sends files, and one may be larger than all else together.
        return try town.writes.enter(bytes: route.takes == .file ? 0 : request.body.count)
    }

    /// What leaves for a request that had to wait, and is told to the audit.
    private func finished(
        _ result: consuming Result<Response, HTTPError>, _ call: Call, _ route: Route, _ decision: RateLimitDecision?
    ) -> Response {
        note(result, call.request, route, caller: call.caller, call.subject)
        let isSuccess = if case .success = result { true } else { false }
        var response = finished(result.map { guarded($0, for: call.caller) }, call.request, call.captures.route)
        if let decision, isSuccess { response.headers.add(decision) }
        return response
    }

    /// What leaves for every request that a route takes, good or bad.
    private func finished(
        _ result: consuming Result<Response, HTTPError>, _ request: Request, _ route: Int
    ) -> Response {
        var response: Response
        do throws(HTTPError) {
            response = crossOrigin.marking(try result.get().applyingPreconditions(of: request), for: request.headers)
        } catch {
            response = self.response(to: request, failing: error)
        }
        response.route = route
        return response
    }

    /// Tells the audit what it is to know.
    func note(
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
        guard route.audit != nil || isRefused && route.isGuarded(request.method) else { return }
        audit.record(
            AuditEntry(
                at: town.clock(), action: route.audit ?? .request, status: status, code: code, caller: caller,
                subject: subject?.value ?? AuditSubject.Value(), request: request))
    }
}
