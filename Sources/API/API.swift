import HTTP
import SookeModel
import Store

/// The REST API: finds the route of a request and answers it.
public struct API: Sendable {
    private let town: Town
    private let crossOrigin: CrossOrigin
    let routes: Router<Route>

    /// An answer, or the work that leads to one.
    private enum Answer {
        case now(Response)
        case later(@Sendable () async -> Response)
    }

    /// The API of a town.
    ///
    /// - Parameter administration: what the administration routes do; nil leaves them out, as must be where
    ///   anybody can connect.
    public init(town: Town, crossOrigin: CrossOrigin, administration: Administration? = nil) {
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
        administration?.add(to: &routes)
        self.routes = routes.build()
    }

    /// Answers a request: at once when it reads, later when it has to wait for the disk.
    public func respond(to request: Request, _ writer: consuming ResponseWriter) {
        switch answer(to: request) {
        case .now(let response): writer.send(response)
        case .later(let work): writer.send(work)
        }
    }

    /// Whether a request may bring as much as an import: it is for a route that takes one, from somebody who may.
    ///
    /// It is asked when only the head of the request is there, so that a stranger cannot send so much.
    public func takesFile(_ request: Request) -> Bool {
        guard case .found(let route, let captures) = routes.match(request.method, request.path),
            route.takes == .file
        else { return false }
        return (try? Call(request, captures: captures, access: route.access, town: town)) != nil
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
        case .later(let work): await work()
        }
    }

    private func answer(to request: Request) -> Answer {
        do throws(HTTPError) {
            if let response = crossOrigin.preflight(request) { return .now(response) }
            switch routes.match(request.method, request.path) {
            case .found(let route, let captures):
                let call = try Call(request, captures: captures, access: route.access, town: town)
                return try run(route.handler, call)
            case .options(let allowed), .methodNotAllowed(let allowed):
                throw HTTPError.methodNotAllowed(allowed)
            case .notFound:
                throw HTTPError.notFound()
            }
        } catch {
            return .now(finished(.failure(error), request))
        }
    }

    private func run(_ handler: Handler, _ call: Call) throws(HTTPError) -> Answer {
        switch handler {
        case .read(let read):
            return .now(finished(.success(try read(call)), call.request))
        case .write(let write):
            return .later {
                do {
                    return finished(.success(try await write(call)), call.request)
                } catch {
                    return finished(.failure(HTTPError(error)), call.request)
                }
            }
        }
    }

    /// What leaves for every request, good or bad.
    private func finished(_ result: Result<Response, HTTPError>, _ request: Request) -> Response {
        switch result {
        case .success(let success): crossOrigin.marking(success, for: request)
        case .failure(let error): response(to: request, failing: error)
        }
    }
}
