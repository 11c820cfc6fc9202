import HTTP
import Service

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
