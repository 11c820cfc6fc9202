/// Collects routes; `build` freezes them into a `Router`.
///
/// A pattern is a path of literal segments and captures: `/api/v1/businesses/{slug}`.
///
/// ```swift
/// var builder = RouterBuilder<Handler>()
/// builder.on(.get, "/api/v1/businesses", list)
/// builder.on(.get, "/api/v1/businesses/{slug}", detail)
/// let router = builder.build()
/// ```
public struct RouterBuilder<Handler> {
    private var tree = RouteTree()
    private var handlers: [Handler] = []

    /// No route.
    public init() {}

    /// Adds a route. `GET` includes `HEAD`; `OPTIONS` exists for every path with a route.
    ///
    /// It is a programming error, and traps, when the pattern does not begin with `/`, when it has more than four
    /// captures, or when the route exists already.
    public mutating func on(_ method: Method, _ pattern: String, _ handler: Handler) {
        tree.add(method, pattern, index: handlers.count)
        handlers.append(handler)
    }

    /// The routes so far, in the order in which they were added.
    public var routes: [(method: Method, pattern: String)] {
        tree.routes.map { ($0.method, $0.pattern) }
    }

    /// The router of all routes so far.
    public func build() -> Router<Handler> {
        Router(tree: tree, handlers: handlers)
    }
}

extension RouterBuilder: Sendable where Handler: Sendable {}

/// Finds the handler for a method and a path. It is immutable: a look-up needs no lock and allocates nothing.
public struct Router<Handler> {
    let tree: RouteTree
    let handlers: [Handler]

    /// The result of `match`.
    public enum Match {
        /// The handler of the route, and the values of its captures.
        case found(Handler, Captures)
        /// The method is `OPTIONS`, and the target is `*`, or its path has routes but none for this method: 204 with these
        /// methods in `Allow`.
        case options(MethodSet)
        /// The path has routes, none of them for this method: 405 with these methods in `Allow`.
        case methodNotAllowed(MethodSet)
        /// The path has no route: 404.
        case notFound
    }

    /// The route for a request. A literal segment has precedence over a capture; a capture is never empty, and a
    /// trailing slash makes another path.
    public func match(_ method: Method, _ path: Path) -> Match {
        switch tree.match(method, path) {
        case .found(let index, let captures): .found(handlers[index], captures)
        case .options(let allowed): .options(allowed)
        case .methodNotAllowed(let allowed): .methodNotAllowed(allowed)
        case .notFound: .notFound
        }
    }

    /// All routes in the order in which they were added, for tests and descriptions of the API.
    public var routes: [(method: Method, pattern: String, handler: Handler)] {
        tree.routes.map { ($0.method, $0.pattern, handlers[$0.index]) }
    }
}

extension Router: Sendable where Handler: Sendable {}
extension Router.Match: Sendable where Handler: Sendable {}

/// The values of the captures of a route.
public struct Captures: Sendable {
    /// The index of the route, from 0 in the order in which routes were added.
    public let route: Int
    let bytes: [UInt8]
    let names: [String]
    let ranges: InlineArray<4, ByteRange>

    /// Whether the route's pattern has a capture of this name.
    public func has(_ name: String) -> Bool { names.contains(name) }

    /// The decoded segment of a capture. A name that the pattern does not have is a programming error and traps.
    ///
    /// - Throws: `HTTPError` 400 `invalid_parameter` for a broken escape, NUL or bytes that are not UTF-8.
    public func text(_ name: String) throws(HTTPError) -> String {
        guard let index = names.firstIndex(of: name) else {
            preconditionFailure("the route has no capture {\(name)}")
        }
        return try DecodedText.segment(bytes[ranges[index].range])
    }
}
