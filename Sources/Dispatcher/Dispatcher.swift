import HTTP
import Limits
import Platform
import Service
import SookeModel
import Store

/// What every request passes before an endpoint of an application responds, and what its response passes after.
///
/// The applications share one router, so a literal segment of one has precedence over a capture of another; they also
/// share the cache and the metrics. An address without an endpoint belongs to the application with endpoints below its
/// first segment, else to the first one; a request whose target cannot be read, to the last one.
package final class Dispatcher: Application {
    let service: TownService
    let crossOrigin: CrossOrigin
    let hosts: AllowedHosts
    /// What built the program: another build may render the same version in other bytes.
    package let build: String
    let router: Router
    /// By route of `router`; the owner is the index of the application.
    private let routes: [(endpoint: Endpoint, owner: Int)]
    let responses = ResponseCache()
    package let sessionCookie: SessionCookie
    package let metrics: RequestMetrics
    private let applications: [any RoutedApplication]
    /// The application with endpoints below each first segment.
    private let segments: [ArraySlice<UInt8>: Int]
    private let priorityPaths: [[UInt8]]

    package init(
        _ applications: any RoutedApplication..., service: TownService, crossOrigin: CrossOrigin,
        hosts: AllowedHosts = .all, build: String = ""
    ) {
        (self.service, self.crossOrigin, self.hosts, self.applications) = (service, crossOrigin, hosts, applications)
        self.build = build
        sessionCookie = SessionCookie(service)
        var router = Router()
        var routes: [(endpoint: Endpoint, owner: Int)] = []
        var segments: [ArraySlice<UInt8>: Int] = [:]
        var priorityPaths: [[UInt8]] = []
        for (index, application) in applications.enumerated() {
            for (method, pattern, endpoint) in application.endpoints {
                router.add(method, pattern)
                routes.append((endpoint, index))
                if endpoint.hasPriority { priorityPaths.append(Array(pattern.utf8)) }
                let segment = Self.firstSegment(of: Array(pattern.utf8)[...])
                if segments[segment] == nil { segments[segment] = index }
            }
        }
        metrics = RequestMetrics(applications.flatMap(\.endpoints).map { ($0.method, $0.pattern) })
        (self.router, self.routes) = (router, routes)
        (self.segments, self.priorityPaths) = (segments, priorityPaths)
    }

    /// At once to a read, later when a transaction must be on stable storage first.
    ///
    /// These are the steps in their order. A request for another host gets no data. The cached responses are the same
    /// for all sites and clients, so the step that depends on `Origin`, which also refuses what pages of other sites
    /// must not send, comes before them. Access, limits and the audit depend on the endpoint; see `respond(to:_:_:)`.
    /// The server assigns request IDs and counts responses itself, because it also responds to requests that never get
    /// here.
    package func respond(to request: Request) throws(HTTPError) -> EventualResponse {
        try hosts.check(request)
        return try crossOrigin.respond(to: request) { () throws(HTTPError) in
            try cached(request) { () throws(HTTPError) in try route(request) }
        }
    }

    private func route(_ request: Request) throws(HTTPError) -> EventualResponse {
        switch router.match(request.method, request.path) {
        case .found(let captures):
            do throws(HTTPError) {
                return try respond(to: request, endpoint(of: captures), captures)
            } catch {
                throw error.of(captures.route)
            }
        case .options(let allowed): return .now(crossOrigin.options(request, allowed))
        case .methodNotAllowed(let allowed): throw .methodNotAllowed(allowed)
        case .notFound: throw .notFound()
        }
    }

    func endpoint(of captures: Captures) -> Endpoint { routes[captures.route].endpoint }

    private func respond(
        to request: Request, _ endpoint: Endpoint, _ captures: Captures
    ) throws(HTTPError) -> EventualResponse {
        var caller = Caller.anonymous
        let subject = endpoint.audit == nil ? nil : AuditSubject()
        do throws(HTTPError) {
            let call = try Call(request, captures: captures, dispatcher: self, subject: subject)
            caller = call.caller
            try call.requireOwnPage()
            try call.requireAccess()
            try call.requireUncodedBody()
            try call.requireWritable()
            // Before the limits: what any page may send must use up nothing.
            if !request.body.isEmpty { try call.requireMediaType() }
            let decision = request.method.isSafe ? nil : try call.admitRate()
            switch endpoint.handler {
            case .read(let read):
                return .now(finished(try HTTPError.translating { try read(call) }, call))
            case .cachedRead(let read):
                return .now(
                    try cached(call) { () throws(HTTPError) in
                        var shown = try HTTPError.translating { try read(call) }
                        shown.response = finished(shown.response, call)
                        return shown
                    })
            case .async(let respond):
                return try run(respond, call, decision)
            case .transaction(let prepare):
                return try commit(prepare, call, decision)
            }
        } catch {
            audit(.failure(error), request, endpoint, caller: caller, subject)
            throw error
        }
    }

    private func run(
        _ respond: @escaping @Sendable (Call) async throws -> Response, _ call: Call, _ decision: BucketDecision?
    ) throws(HTTPError) -> EventualResponse {
        let permit = try writePermit(for: call)
        let importPermit = try importPermit(for: call.request, call.endpoint)
        return .later { [self] deferred in
            let call = Call(call) { !deferred.isAbandoned }
            let work = TaskWork()
            Task {
                CrashReport.request = work.request
                let result: Result<Response, HTTPError>
                do {
                    result = .success(try await TaskWork.$current.withValue(work) { try await respond(call) })
                } catch {
                    result = .failure(application(of: call).httpError(error, of: call))
                }
                deferred.charge(work.nanoseconds)
                permit?.release()
                importPermit?.release()
                deferred.send { [self] () throws(HTTPError) in try audited(result, call, decision) }
            }
        }
    }

    private func commit(
        _ prepare: (Call) throws -> Transaction<Outcome>, _ call: Call, _ decision: BucketDecision?
    ) throws(HTTPError) -> EventualResponse {
        let permit = try writePermit(for: call)
        // Hashing a password or reading a large file may take longer, so asynchronous handlers have no such time.
        let (isLimited, isInTime) = (permit != nil, service.limits.patience())
        let transaction = try HTTPError.translating { try prepare(call) }
        return .later { [self] deferred in
            let isWanted = { @Sendable in (!isLimited || isInTime()) && !deferred.isAbandoned }
            service.run(transaction, isWanted: isWanted) { [self] result in
                permit?.release()
                deferred.send { [self] () throws(HTTPError) in
                    let application = application(of: call)
                    let rendered = result.map { application.response($0, to: call) }
                        .mapError { application.httpError($0, of: call) }
                    return try audited(rendered, call, decision)
                }
            }
        }
    }

    private func writePermit(for call: Call) throws(HTTPError) -> Gate<Bool>.Permit? {
        if call.request.method.isSafe || call.request.isLocal { return nil }
        // Only editors and administrators send files, and one may be larger than all other bodies together.
        let bytes = call.endpoint.body.fileLimit == nil ? call.request.body.count : 0
        return try HTTPError.translating { try service.limits.admitWrite(of: bytes) }
    }

    private func audited(
        _ result: consuming Result<Response, HTTPError>, _ call: Call, _ decision: BucketDecision?
    ) throws(HTTPError) -> Response {
        audit(result, call.request, call.endpoint, caller: call.caller, call.subject)
        do throws(HTTPError) {
            var response = finished(try result.get(), call)
            if let decision { response.headers.add(decision) }
            return response
        } catch {
            throw error.of(call.captures.route)
        }
    }

    /// Caches must not store a response to a client with an account.
    private func finished(_ response: consuming Response, _ call: Call) -> Response {
        if call.caller != .anonymous { response.headers.set("Cache-Control", "no-store") }
        CrossOrigin.markVarying(&response)
        response.route = call.captures.route
        return response
    }

    package func hasPriority(_ request: Request) -> Bool {
        request.isLocal || priorityPaths.contains { request.path.encoded.elementsEqual($0) }
    }
}

extension Dispatcher {
    package func response(to request: Request, failing error: HTTPError) -> Response {
        var response = application(at: request.path.encoded, error).response(failing: error, to: request)
        Self.finish(&response, error)
        crossOrigin.allow(&response, for: request.headers)
        return response
    }

    package func response(refusing request: RefusedRequest, _ error: HTTPError) -> Response {
        let path = request.target.prefix { $0 != UInt8(ascii: "?") }
        var response = application(at: path, error).response(failing: error, request.id)
        Self.finish(&response, error)
        crossOrigin.allowUnread(&response, for: request.headers)
        return response
    }

    private func application(at path: ArraySlice<UInt8>, _ error: HTTPError) -> any RoutedApplication {
        // A request whose target could not be read is one of a program, not of a browser.
        if path.isEmpty { return applications[applications.count - 1] }
        return applications[error.route.map { routes[$0].owner } ?? segments[Self.firstSegment(of: path)] ?? 0]
    }

    private static func finish(_ response: inout Response, _ error: HTTPError) {
        CrossOrigin.markVarying(&response)
        response.route = error.route
    }

    private func application(of call: Call) -> any RoutedApplication { applications[routes[call.captures.route].owner] }

    private static func firstSegment(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
    }

    func audit(
        _ result: Result<Response, HTTPError>, _ request: Request, _ endpoint: Endpoint, caller: Caller,
        _ subject: AuditSubject?
    ) {
        guard let audit = service.audit else { return }
        let status: Status
        let code: String?
        switch result {
        case .success(let response): (status, code) = (response.status, nil)
        case .failure(let error): (status, code) = (error.status, error.code)
        }
        let isRefused = status == .unauthorized || status == .forbidden
        let isThrottled = status == .tooManyRequests && caller.personID != nil
        guard endpoint.audit != nil || isThrottled || isRefused && endpoint.isGuarded(request.method) else { return }
        audit.record(
            AuditEntry(
                at: service.clock(), action: endpoint.audit ?? .request, status: status.code, code: code,
                caller: caller,
                subject: subject?.value ?? AuditSubject.Value(), network: ClientNetwork(request.peer),
                request: AuditedRequest(
                    client: request.peer.name, method: "\(request.method.name)", target: request.target)))
    }
}

extension HTTPError {
    func of(_ route: Int) -> HTTPError {
        var error = self
        error.route = route
        return error
    }
}
