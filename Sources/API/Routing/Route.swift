import HTTP
import Service

/// A route: its description and its handler. Dispatch, the tests of permissions and the descriptions of the API are
/// made from this value.
struct Route: Sendable {
    /// What it does, as a sentence without subject and full stop: `Adds a business`.
    let summary: String
    /// Who may use it.
    let access: Access
    /// The body of a request.
    let takes: Shape
    /// The body of a successful response.
    let gives: Shape
    /// The status of a successful response.
    let status: Status
    /// The function that responds.
    let handler: Handler
    /// The action of its audit entries; nil when the audit records only refusals.
    var audit: AuditEntry.Action?
    /// The parameters of its query.
    var parameters: [QueryParameter] = []
    /// The formats of responses besides JSON, which a client may prefer by `Accept`.
    var otherTypes: [MediaType] = []
    /// Whether the task of an asynchronous handler is cancelled when the client disconnects or closes its side of the
    /// connection.
    var isCancelledByClose = false

    /// A route that reads.
    static func read(
        _ summary: String, _ access: Access = .anyone, gives: Shape,
        _ handler: @escaping @Sendable (Call) throws(HTTPError) -> Response
    ) -> Route {
        Route(summary: summary, access: access, takes: .nothing, gives: gives, status: .ok, handler: .read(handler))
    }

    /// A route that reads public data. Its responses to clients without an account may be cached.
    static func cachedRead(
        _ summary: String, gives: Shape, _ handler: @escaping @Sendable (Call) throws(HTTPError) -> CacheableResponse
    ) -> Route {
        Route(
            summary: summary, access: .anyone, takes: .nothing, gives: gives, status: .ok,
            handler: .cachedRead(handler))
    }

    /// A route whose handler is asynchronous: it does slow work, or several transactions.
    static func async(
        _ summary: String, _ access: Access, takes: Shape = .nothing, gives: Shape, status: Status = .ok,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) -> Route {
        Route(
            summary: summary, access: access, takes: takes, gives: gives, status: status, handler: .async(handler))
    }

    /// A route that runs one transaction.
    static func transaction(
        _ summary: String, _ access: Access, takes: Shape = .nothing, gives: Shape, status: Status = .ok,
        _ handler: @escaping @Sendable (Call) throws(HTTPError) -> Transaction<Outcome>
    ) -> Route {
        Route(
            summary: summary, access: access, takes: takes, gives: gives, status: status,
            handler: .transaction(handler))
    }

    /// The same route, with an audit entry for each use.
    func audited(as action: AuditEntry.Action) -> Route {
        var route = self
        route.audit = action
        return route
    }

    /// The same route, with parameters of its query.
    func with(_ parameters: QueryParameter...) -> Route { with(parameters) }

    /// The same route, with parameters of its query.
    func with(_ parameters: [QueryParameter]) -> Route {
        var route = self
        route.parameters = parameters
        return route
    }

    /// The same route, with formats besides JSON.
    func also(_ types: MediaType...) -> Route {
        var route = self
        route.otherTypes = types
        return route
    }

    /// The same route, whose task is cancelled when the client disconnects or closes its side of the connection: its
    /// asynchronous handler waits for something that may not come, and should respond at once then.
    func cancelledByClose() -> Route {
        var route = self
        route.isCancelledByClose = true
        return route
    }

    /// Whether the audit records refusals: the method may change data, or only a few callers have permission.
    func isGuarded(_ method: Method) -> Bool {
        [.superAdmin, .metricsReader, .folderOwner].contains(access) || !method.isSafe
    }
}

/// The shape of a body.
enum Shape: Sendable, Hashable {
    /// No body.
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
}

/// The function that responds once the route is known and the caller has permission.
enum Handler: Sendable {
    /// Responds at once, from the published version.
    case read(@Sendable (Call) throws(HTTPError) -> Response)
    /// Responds at once; the response is the same for all clients without an account.
    case cachedRead(@Sendable (Call) throws(HTTPError) -> CacheableResponse)
    /// Prepares a transaction at once; the response is its outcome, sent when the change is on stable storage.
    case transaction(@Sendable (Call) throws(HTTPError) -> Transaction<Outcome>)
    /// Responds after commits or other slow work.
    case async(@Sendable (Call) async throws -> Response)
}

extension RouterBuilder<Route> {
    /// Adds a route for GET.
    mutating func get(_ pattern: String, _ route: Route) { on(.get, pattern, route) }
    /// Adds a route for POST.
    mutating func post(_ pattern: String, _ route: Route) { on(.post, pattern, route) }
    /// Adds a route for PATCH.
    mutating func patch(_ pattern: String, _ route: Route) { on(.patch, pattern, route) }
    /// Adds a route for DELETE.
    mutating func delete(_ pattern: String, _ route: Route) { on(.delete, pattern, route) }
}
