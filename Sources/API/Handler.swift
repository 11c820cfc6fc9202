import HTTP

/// What answers a request once its route is known.
enum Handler: Sendable {
    /// Answers at once, from the version that is there.
    case read(@Sendable (Call) throws(HTTPError) -> Response)
    /// Answers when a commit is on stable storage, or after other slow work.
    case write(@Sendable (Call) async throws -> Response)
}

extension RouterBuilder<Handler> {
    /// Adds a route that reads.
    mutating func get(_ pattern: String, _ handler: @escaping @Sendable (Call) throws(HTTPError) -> Response) {
        on(.get, pattern, .read(handler))
    }

    /// Adds a route that changes something.
    mutating func post(_ pattern: String, _ handler: @escaping @Sendable (Call) async throws -> Response) {
        on(.post, pattern, .write(handler))
    }
}
