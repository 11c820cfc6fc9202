import Bytes
import Platform

package enum ListenAddress: Sendable, Hashable {
    /// A numeric IPv4 or IPv6 address, or `localhost`; port 0 takes a free one. `::` takes IPv4 too.
    case tcp(host: String, port: UInt16)
    /// With mode 0600, or 0660 for the group of the process. `replacingStale`: a socket that a dead server left behind
    /// is removed; one that accepts connections never.
    case unix(path: String, replacingStale: Bool = false, forGroup: Bool = false)
}

package enum BoundAddress: Sendable, Hashable, CustomStringConvertible {
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    /// As a URL that can be opened on this machine: `http://127.0.0.1:8080`, or `unix:/run/sooke.sock`.
    package var description: String {
        switch self {
        // All addresses of this machine, of IPv4 too.
        case .tcp("0.0.0.0", let port), .tcp("::", let port): "http://127.0.0.1:\(port)"
        case .tcp(let host, let port): "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

package struct ServerConfiguration: Sendable {
    package var listeners: [ListenAddress]
    /// Each a thread; nil for one less than the cores, at least one.
    package var loops: Int?
    package var limits = HTTPLimits()
    /// Numeric addresses of proxies: exempt from the limit per address, trusted to name the client (`X-Forwarded-For`).
    package var proxies: [String] = []
    /// Called once at most, on the thread of a loop, when a client on this machine names another one in
    /// `X-Forwarded-For` and is none of `proxies`.
    package var foundUnknownProxy: (@Sendable (_ address: String) -> Void)?
    /// Browsers must use HTTPS from then on, for a year (RFC 6797): a proxy with TLS is in front.
    package var requiresHTTPS = false

    package init(listeners: [ListenAddress]) {
        self.listeners = listeners
    }
}

package struct AccessRecord: Sendable {
    /// nil when the request could not be read, or its method is unknown.
    package let method: Method?
    /// Empty when the request could not be read.
    package let target: ArraySlice<UInt8>
    package let status: Status
    package let route: Int?
    /// Of the body as sent.
    package let bytes: Int
    /// From the complete request to the response, in nanoseconds.
    package let duration: Int
    package let peer: Peer
    package let id: RequestID
    package let userAgent: ArraySlice<UInt8>?
}

package struct ServerError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        case addressInUse, addressNotAvailable, permissionDenied, invalidAddress
        /// The disk has no room for the file of a unix socket.
        case noRoom
        case system
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }
}

extension TimeSource {
    package static let system = TimeSource(
        monotonic: { Clock.monotonic }, wall: { Timestamp(microseconds: Clock.wallMicroseconds) })
}
