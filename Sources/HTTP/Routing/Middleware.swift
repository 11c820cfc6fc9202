/// A step on the way of every request to its route, and of the response back.
///
/// An application calls its steps by name, one inside the other, in the order in which they are to run:
///
/// ```swift
/// try hosts.respond(to: request) { () throws(HTTPError) in
///     try crossOrigin.respond(to: request) { () throws(HTTPError) in
///         try route(request)
///     }
/// }
/// ```
///
/// So the order can be read in one place, and costs nothing: the types are known, the closures do not escape and the
/// compiler makes one function of it. A list of `any Middleware` would cost each request a call through a table and an
/// allocation for each step.
public protocol Middleware: Sendable {
    /// Answers a request itself, or lets the next step answer it and adds to its response.
    ///
    /// - Throws: a refusal, its own or of a later step.
    func respond(to request: Request, next: () throws(HTTPError) -> Answer) throws(HTTPError) -> Answer
}
