import HTTP
import Service

/// What answers a request once its route is known and its caller let through.
enum Handler: Sendable {
    /// Answers at once, from the version that is there.
    case read(@Sendable (Call) throws(HTTPError) -> Response)
    /// The same, for what everybody without an account is answered alike.
    case show(@Sendable (Call) throws(HTTPError) -> Shown)
    /// Answers when the change that it prepares at once is on stable storage.
    case change(@Sendable (Call) throws(HTTPError) -> Transaction<Outcome>)
    /// Answers when a commit is on stable storage, or after other slow work.
    case write(@Sendable (Call) async throws -> Response)
}

extension RouterBuilder<Route> {
    /// Adds a route that reads.
    mutating func get(_ pattern: String, _ route: Route) { on(.get, pattern, route) }
    /// Adds a route that makes something, or does it.
    mutating func post(_ pattern: String, _ route: Route) { on(.post, pattern, route) }
    /// Adds a route that changes some fields.
    mutating func patch(_ pattern: String, _ route: Route) { on(.patch, pattern, route) }
    /// Adds a route that removes something.
    mutating func delete(_ pattern: String, _ route: Route) { on(.delete, pattern, route) }
}
