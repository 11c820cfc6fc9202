import Dispatcher
import HTTP
import Service

/// An endpoint and its description. The tests of permissions and the descriptions of the API are made from this value.
struct Route: Sendable {
    /// What it does, as a sentence without subject and full stop: `Adds a business`.
    let summary: String
    let access: Access
    /// The body of a request.
    let takes: Shape
    /// The body of a successful response.
    let gives: Shape
    /// The status of a successful response.
    let status: Status
    let handler: Endpoint.Handler
    /// The action of its audit entries; nil when the audit records only refusals.
    private(set) var audit: AuditEntry.Action?
    private(set) var parameters: [QueryParameter] = []
    /// The formats of responses besides JSON, which a client may prefer by `Accept`.
    private(set) var otherTypes: [MediaType] = []
    private var hasPriority = false
    private var isCancelledByClose = false
    private var loginAddress: (@Sendable (Call) -> String?)?
    private var changesNothing: (@Sendable (Call) -> Bool)?

    private init(
        _ summary: String, _ access: Access, takes: Shape = .nothing, gives: Shape, status: Status = .ok,
        _ handler: Endpoint.Handler
    ) {
        (self.summary, self.access, self.handler) = (summary, access, handler)
        (self.takes, self.gives, self.status) = (takes, gives, status)
    }

    static func read(
        _ summary: String, _ access: Access = .anyone, gives: Shape,
        _ handler: @escaping @Sendable (Call) throws(HTTPError) -> Response
    ) -> Route {
        Route(summary, access, gives: gives, .read(handler))
    }

    /// A route that reads public data. Its responses to clients without an account may be cached.
    static func cachedRead(
        _ summary: String, gives: Shape, _ handler: @escaping @Sendable (Call) throws(HTTPError) -> CacheableResponse
    ) -> Route {
        Route(summary, .anyone, gives: gives, .cachedRead(handler))
    }

    /// A route whose handler is asynchronous: it does slow work, or several transactions.
    static func async(
        _ summary: String, _ access: Access, takes: Shape = .nothing, gives: Shape, status: Status = .ok,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) -> Route {
        Route(summary, access, takes: takes, gives: gives, status: status, .async(handler))
    }

    /// A route that runs one transaction.
    static func transaction(
        _ summary: String, _ access: Access, takes: Shape = .nothing, gives: Shape, status: Status = .ok,
        _ handler: @escaping @Sendable (Call) throws(HTTPError) -> Transaction<Outcome>
    ) -> Route {
        Route(summary, access, takes: takes, gives: gives, status: status, .transaction(handler))
    }

    private func changed(_ change: (inout Route) -> Void) -> Route {
        var route = self
        change(&route)
        return route
    }

    /// The same route, with an audit entry for each use.
    func audited(as action: AuditEntry.Action) -> Route { changed { $0.audit = action } }

    /// The same route, with parameters of its query.
    func with(_ parameters: QueryParameter...) -> Route { with(parameters) }

    func with(_ parameters: [QueryParameter]) -> Route { changed { $0.parameters = parameters } }

    /// The same route, with formats besides JSON.
    func also(_ types: MediaType...) -> Route { changed { $0.otherTypes = types } }

    /// The same route, served even when there are too many connections.
    func withPriority() -> Route { changed { $0.hasPriority = true } }

    /// The same route, whose task is cancelled when the client disconnects or closes its side of the connection: its
    /// asynchronous handler waits for something that may not come, and should respond at once then.
    func cancelledByClose() -> Route { changed { $0.isCancelledByClose = true } }

    /// The same route, with a rate limit for the account with the address that a request names.
    func limited(byAddress address: @escaping @Sendable (Call) -> String?) -> Route {
        changed { $0.loginAddress = address }
    }

    /// The same route, which makes no commit, or not for some requests, although its method is unsafe: it is served while
    /// the town is read-only.
    func changingNothing(when isHarmless: @escaping @Sendable (Call) -> Bool = { _ in true }) -> Route {
        changed { $0.changesNothing = isHarmless }
    }

    /// The route as the dispatcher knows it.
    var endpoint: Endpoint {
        Endpoint(
            access, body: takes.body, types: [.json] + otherTypes,
            parameters: parameters.map { Endpoint.Parameter($0.name, isRepeated: $0.isRepeated) }, audit: audit,
            hasPriority: hasPriority, isCancelledByClose: isCancelledByClose, loginAddress: loginAddress,
            changesNothing: changesNothing, handler: handler)
    }
}

/// The shape of a body.
enum Shape: Sendable, Hashable {
    case nothing
    /// An object with a schema.
    case one(Schema)
    /// `{"items":[…]}` with objects of a schema.
    case items(Schema)
    /// `{"items":[…],"pagination":{…}}` with objects of a schema.
    case page(Schema)
    /// A merge patch of an object with a schema (RFC 7396).
    case patch(Schema)
    /// Changes as server-sent events, or as `{"reset":…,"changes":[…],"position":…,"more":…}`.
    case changes
    /// Not JSON: a file in one of the formats of import and export, or text for a scraper.
    case file

    /// The bodies of requests with this shape.
    fileprivate var body: AcceptedBody {
        switch self {
        case .nothing: .none
        case .file: .file(upTo: Administration.importLimit)
        default: .of("application/json", "application/merge-patch+json")
        }
    }
}

/// Routes with their methods and patterns, in the order of the descriptions.
struct RouteList {
    private(set) var all: [(method: Method, pattern: String, route: Route)] = []

    mutating func get(_ pattern: String, _ route: Route) { all.append((.get, pattern, route)) }
    mutating func post(_ pattern: String, _ route: Route) { all.append((.post, pattern, route)) }
    mutating func put(_ pattern: String, _ route: Route) { all.append((.put, pattern, route)) }
    mutating func patch(_ pattern: String, _ route: Route) { all.append((.patch, pattern, route)) }
    mutating func delete(_ pattern: String, _ route: Route) { all.append((.delete, pattern, route)) }
}
