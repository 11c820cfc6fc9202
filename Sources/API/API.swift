import Credentials
import HTTP
import SookeModel
import Store

/// The REST API: finds the route of a request and answers it.
///
/// A class because the answer to every write holds it until the disk is done.
public final class API: Sendable {
    private let town: Town
    private let crossOrigin: CrossOrigin
    private let hosts: AllowedHosts
    let routes: Router<Route>
    /// The methods by which a route takes a file.
    private let fileMethods: MethodSet
    private let answers = AnswerCache()
    /// What was asked and how it was answered; whoever serves the API tells it of each answer.
    public let metrics: RequestMetrics

    /// An answer, or the work that leads to one and calls back with it, from any thread.
    private enum Answer {
        case now(Response)
        case later((DeferredResponse) -> Void)
    }

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
        UserRoutes.add(to: &routes)
        InvitationRoutes.add(to: &routes)
        TokenRoutes.add(to: &routes)
        HistoryRoutes.add(to: &routes)
        AuditRoute.add(to: &routes)
        administration?.add(to: &routes)
        metrics = RequestMetrics(routes.routes + [(.get, MetricsRoute.path)])
        if let administration { MetricsRoute.add(to: &routes, requests: metrics, facts: administration.facts) }
        self.routes = routes.build()
        fileMethods = self.routes.routes.reduce(into: MethodSet()) { methods, route in
            if route.handler.takes == .file { methods.insert(MethodSet(route.method)) }
        }
    }

    /// Answers a request: at once when it reads, later when it has to wait for the disk.
    public func respond(to request: Request, _ writer: consuming ResponseWriter) {
        switch answer(to: request) {
        case .now(let response): writer.send(response)
        case .later(let work): work(writer.deferred())
        }
    }

    /// Whether a request may bring as much as an import: it is for a route that takes one, from somebody who may.
    ///
    /// It is asked when only the head of the request is there, so that a stranger cannot send so much.
    public func takesFile(_ request: Request) -> Bool {
        guard fileMethods.contains(request.method),
            case .found(let route, let captures) = routes.match(request.method, request.path), route.takes == .file
        else { return false }
        let call = try? Call(request, captures: captures, access: route.access, town: town)
        return (try? call?.requireAccess()) != nil
    }

    /// Refuses a request with a body for which there is no room among the writes under way, before its body is read. Not
    /// to be asked of a request that `takesFile`.
    ///
    /// - Throws: 503 `overloaded` with `Retry-After`.
    public func requireRoom(for request: Request) throws(HTTPError) {
        if request.method.isSafe || request.isLocal { return }
        let length = request.headers.text("content-length").flatMap { Int($0) } ?? 0
        guard town.writes.hasRoom(for: length) else { throw .overloaded }
    }

    /// The answer to a request that cannot be served; nil stands for one that could not even be read.
    public func response(to request: Request?, failing error: HTTPError) -> Response {
        guard let request else { return .error(error) }
        return crossOrigin.marking(.error(error), for: request)
    }

    /// The answer to a request; for tests, which have no connection to write it to.
    public func response(to request: Request) async -> Response {
        switch answer(to: request) {
        case .now(let response): response
        case .later(let work):
            await withCheckedContinuation { continuation in
                work(ResponseWriter { continuation.resume(returning: $0) }.deferred())
            }
        }
    }

    private func answer(to request: Request) -> Answer {
        do throws(HTTPError) {
            try hosts.check(request)
            if let response = keptAnswer(to: request) { return .now(response) }
            if let response = crossOrigin.preflight(request) { return .now(response) }
            switch routes.match(request.method, request.path) {
            case .found(let route, let captures):
                return answer(to: request, route, captures)
            case .options(let allowed), .methodNotAllowed(let allowed):
                throw HTTPError.methodNotAllowed(allowed)
            case .notFound:
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
            let decision = request.method.isSafe ? nil : try town.accounts.admit(call)
            switch route.handler {
            case .read(let read):
                return .now(finished(.success(try read(call)), request, captures.route))
            case .show(let show):
                return .now(finished(.success(shown(try show(call), to: call)), request, captures.route))
            case .write(let write):
                let place = try place(for: request, route)
                return .later { [self] answer in
                    let call = Call(call, isWanted: isWanted(answer, place))
                    Task {
                        let result: Result<Response, HTTPError>
                        do { result = .success(try await write(call)) } catch { result = .failure(HTTPError(error)) }
                        place?.leave()
                        answer.send(finished(result, call, route, decision))
                    }
                }
            case .change(let prepare):
                let place = try place(for: request, route)
                let change = try prepare(call)
                return .later { [self] answer in
                    do throws(HTTPError) {
                        let transaction = try call.transaction(change, isWanted: isWanted(answer, place))
                        town.store.write(by: call.caller.author, transaction) { [self] result in
                            place?.leave()
                            answer.send(finished(result.mapError(HTTPError.init(_:)), call, route, decision))
                        }
                    } catch {
                        place?.leave()
                        answer.send(finished(.failure(error), call, route, decision))
                    }
                }
            }
        } catch {
            note(.failure(error), request, route, caller: caller, subject)
            return .now(finished(.failure(error), request, captures.route))
        }
    }

    /// What is answered without looking at the town: a read without an account that was answered before.
    private func keptAnswer(to request: Request) -> Response? {
        guard request.method == .get || request.method == .head, Call.isAnonymous(request),
            var response = answers.answer(to: request.target, of: town.store.current.sequence, at: town.clock())
        else { return nil }
        crossOrigin.allow(&response, for: request)
        return response.unlessKept(by: request)
    }

    /// An answer to a read, which is kept for the next who asks.
    private func shown(_ shown: Shown, to call: Call) -> Response {
        if let until = shown.until, call.caller == .anonymous {
            var kept = shown.response
            kept.route = call.captures.route
            CrossOrigin.markVarying(&kept)
            answers.keep(kept, to: call.request.target, of: call.version.sequence, for: call.now...until)
        }
        return shown.response
    }

    /// Says whether somebody still waits for the answer to a write, when that has its turn.
    private func isWanted(_ answer: DeferredResponse, _ place: WriteQueue.Place?) -> @Sendable () -> Bool {
        { place?.isInTime != false && !answer.isAbandoned }
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
        var response = finished(result, call.request, call.captures.route)
        if let decision, isSuccess { response.headers.add(decision) }
        return response
    }

    /// What leaves for every request that a route takes, good or bad.
    private func finished(
        _ result: consuming Result<Response, HTTPError>, _ request: Request, _ route: Int
    ) -> Response {
        var response =
            switch consume result {
            case .success(let success): crossOrigin.marking(success.unlessKept(by: request), for: request)
            case .failure(let error): response(to: request, failing: error)
            }
        response.route = route
        return response
    }

    /// Tells the audit what it is to know.
    private func note(
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
        audit.note(
            AuditEntry(
                at: town.clock(), action: route.audit ?? .request, status: status, code: code, caller: caller,
                subject: subject?.value ?? AuditSubject.Value(), request: request))
    }
}
