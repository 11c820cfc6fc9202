/// Where a server listens.
public enum ListenAddress: Sendable, Hashable {
    /// A numeric IPv4 or IPv6 address, or `localhost`; port 0 takes a free one. `::` takes IPv4 too.
    case tcp(host: String, port: UInt16)
    /// A unix socket, for the user that runs the server (mode 0600). With `replacingStale` a socket that a dead server
    /// left behind is removed; one that answers never is.
    case unix(path: String, replacingStale: Bool = false)
}

/// Where a server listens indeed.
public enum BoundAddress: Sendable, Hashable, CustomStringConvertible {
    /// A TCP address with its true port.
    case tcp(host: String, port: UInt16)
    /// A unix socket.
    case unix(path: String)

    /// The address as a URL: `http://127.0.0.1:8080`, or `unix:/run/sooke.sock`.
    public var description: String {
        switch self {
        case .tcp(let host, let port): "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// What a server is told at its start.
public struct ServerConfiguration: Sendable {
    /// Where to listen; at least one.
    public var listeners: [ListenAddress]
    /// Event loops, each a thread; nil for one a core less one, at least one.
    public var loops: Int?
    /// The bounds that clients are held to.
    public var limits = HTTPLimits()
    /// Numeric addresses of proxies that many clients come through: exempt from the limit an address has, and believed
    /// when they name the client in `X-Forwarded-For`.
    public var proxies: [String] = []

    /// A configuration with defaults for all but where to listen.
    public init(listeners: [ListenAddress]) {
        self.listeners = listeners
    }
}

/// One answered request, for the log and for metrics.
public struct AccessRecord: Sendable {
    /// The method; nil when the request could not be read, or its method is unknown.
    public let method: Method?
    /// The request target as it came; empty when the request could not be read.
    public let target: ArraySlice<UInt8>
    /// The status of the answer.
    public let status: Status
    /// Which route answered; nil when none did.
    public let route: Int?
    /// The size of the answer's body as sent, in bytes.
    public let bytes: Int
    /// From the whole request to the answer, in nanoseconds.
    public let duration: Int
    /// Who asked.
    public let peer: Peer
    /// What the request is called in its response.
    public let id: RequestID
    /// Its `User-Agent`, as it came.
    public let userAgent: ArraySlice<UInt8>?
}
