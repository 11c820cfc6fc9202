import Bytes

/// Finds the route for a method and a path: a tree of segments in one flat array. A look-up allocates nothing.
///
/// A pattern is a path of literal segments and captures: `/api/v1/businesses/{slug}`.
package struct Router: Sendable {
    private struct Route: Sendable {
        let method: Method
        let captures: [String]
    }

    package enum Match: Sendable {
        case found(Captures)
        /// The target is `*`, or its path has routes but none for `OPTIONS`: 204 with these methods in `Allow`.
        case options(MethodSet)
        /// 405 with these methods in `Allow`.
        case methodNotAllowed(MethodSet)
        case notFound
    }

    private struct Node: Sendable {
        var literals: [(text: [UInt8], node: Int)] = []
        var capture: Int?
        var routes: [Int] = []
        var methods: MethodSet = []
    }

    private var routes: [Route] = []
    private var nodes = [Node()]

    private static let captureLimit = 4

    package init() {}

    /// `GET` includes `HEAD`; `OPTIONS` exists for every path with a route. Traps when the pattern does not begin with
    /// `/`, has more than four captures, or exists already.
    package mutating func add(_ method: Method, _ pattern: String) {
        precondition(pattern.utf8.first == UInt8(ascii: "/"), "the pattern \(pattern) must begin with /")
        var node = 0
        var captures: [String] = []
        for segment in pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            if segment.first == "{", segment.last == "}" {
                captures.append(String(segment.dropFirst().dropLast()))
                node = captureChild(of: node)
            } else {
                node = literalChild(of: node, Array(segment.utf8))
            }
        }
        precondition(captures.count <= Self.captureLimit, "the pattern \(pattern) has too many captures")
        precondition(!nodes[node].methods.contains(method), "\(method.name) \(pattern) is there already")
        nodes[node].routes.append(routes.count)
        nodes[node].methods.insert(MethodSet(method))
        routes.append(Route(method: method, captures: captures))
    }

    private mutating func captureChild(of node: Int) -> Int {
        if let child = nodes[node].capture { return child }
        nodes.append(Node())
        nodes[node].capture = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func literalChild(of node: Int, _ text: [UInt8]) -> Int {
        if let child = nodes[node].literals.first(where: { $0.text == text }) { return child.node }
        nodes.append(Node())
        nodes[node].literals.append((text, nodes.count - 1))
        return nodes.count - 1
    }

    /// A literal segment has precedence over a capture; a capture is never empty; a trailing slash makes another path.
    package func match(_ method: Method, _ path: Path) -> Match {
        if path.isAsterisk { return .options(methodsOfAll) }
        var search = Search(method: method)
        if let route = find(&search, 0, SegmentCursor(path.range.range), path.bytes.span) {
            return .found(
                Captures(route: route, bytes: path.bytes, names: routes[route].captures, ranges: search.captures))
        }
        if search.allowed.isEmpty { return .notFound }
        return method == .options ? .options(search.allowed) : .methodNotAllowed(search.allowed)
    }

    private var methodsOfAll: MethodSet {
        nodes.reduce(into: MethodSet(.options)) { $0.formUnion(Self.allowed(by: $1.methods)) }
    }

    private struct Search {
        let method: Method
        var captures = InlineArray<4, ByteRange>(repeating: ByteRange())
        var captureCount = 0
        var allowed: MethodSet = []
    }

    /// Also collects the methods that the path allows.
    private func find(_ search: inout Search, _ node: Int, _ rest: SegmentCursor, _ bytes: Span<UInt8>) -> Int? {
        var rest = rest
        guard let segment = rest.next(in: bytes) else { return route(of: node, &search) }
        let text = bytes.extracting(segment)
        for literal in nodes[node].literals where Self.isSame(text, literal.text) {
            if let found = find(&search, literal.node, rest, bytes) { return found }
        }
        guard let capture = nodes[node].capture, !segment.isEmpty else { return nil }
        search.captures[search.captureCount] = ByteRange(segment)
        search.captureCount += 1
        let found = find(&search, capture, rest, bytes)
        search.captureCount -= 1
        return found
    }

    private func route(of node: Int, _ search: inout Search) -> Int? {
        let methods = nodes[node].methods
        if methods.isEmpty { return nil }
        search.allowed.formUnion(Self.allowed(by: methods))
        let method = search.method == .head && !methods.contains(.head) ? .get : search.method
        return nodes[node].routes.first { routes[$0].method == method }
    }

    private static func allowed(by methods: MethodSet) -> MethodSet {
        var allowed = methods.union(MethodSet(.options))
        if methods.contains(.get) { allowed.insert(MethodSet(.head)) }
        return allowed
    }

    private static func isSame(_ encoded: Span<UInt8>, _ literal: [UInt8]) -> Bool {
        var escapes = false
        for index in encoded.indices where encoded[index] == UInt8(ascii: "%") { escapes = true }
        guard escapes else {
            guard encoded.count == literal.count else { return false }
            for index in encoded.indices where encoded[index] != literal[index] { return false }
            return true
        }
        return encoded.withUnsafeBufferPointer { (try? PercentCoding.decode($0)) == literal }
    }
}

package struct Captures: Sendable {
    /// From 0 in the order in which routes were added.
    package let route: Int
    let bytes: [UInt8]
    let names: [String]
    let ranges: InlineArray<4, ByteRange>

    package func has(_ name: String) -> Bool { names.contains(name) }

    /// Traps for a name that the pattern does not have.
    ///
    /// - Throws: 400 `invalid_parameter` for a broken escape, NUL or bytes that are not UTF-8.
    package func text(_ name: String) throws(HTTPError) -> String {
        guard let index = names.firstIndex(of: name) else {
            preconditionFailure("the route has no capture {\(name)}")
        }
        return try DecodedText.segment(bytes[ranges[index].range])
    }
}
