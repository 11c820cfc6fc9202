import Bytes
import HTTP

/// The names that the server answers to.
///
/// A page of somebody else's could make its own name stand for this machine's address, and would then be read as if it
/// were ours (DNS rebinding). A browser cannot be made to do that with an address instead of a name, so addresses are
/// always taken.
public struct AllowedHosts: Middleware {
    private let names: [[UInt8]]
    private let allowsAll: Bool

    /// Any name.
    public static let all = AllowedHosts(names: [], allowsAll: true)

    /// These names in any letter case, without ports; and `localhost`.
    public init(_ names: [String]) {
        self.init(names: (names + ["localhost"]).map { Array($0.utf8) }, allowsAll: false)
    }

    private init(names: [[UInt8]], allowsAll: Bool) {
        (self.names, self.allowsAll) = (names, allowsAll)
    }

    /// Refuses a request that is meant for another server.
    public func respond(to request: Request, next: () throws(HTTPError) -> Answer) throws(HTTPError) -> Answer {
        try check(request)
        return try next()
    }

    /// Makes sure that a request is meant for this server (RFC 9110, section 15.5.20).
    ///
    /// - Throws: 421 `misdirected_request`.
    func check(_ request: Request) throws(HTTPError) {
        if allowsAll || request.isLocal { return }
        let host = Self.host(in: request.authority)
        if host.isEmpty || Self.isAddress(host) { return }
        guard names.contains(where: { ASCII.equalIgnoringCase($0, host) }) else {
            throw HTTPError(
                .misdirectedRequest, code: "misdirected_request",
                message: "this server does not answer to that name; its owner can add it with --url or --allow-host")
        }
    }

    /// The host of an authority: without its port, and without the dot that may end a name.
    private static func host(in authority: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if authority.first == UInt8(ascii: "[") { return authority }
        let host = authority.prefix { $0 != UInt8(ascii: ":") }
        return host.last == UInt8(ascii: ".") ? host.dropLast() : host
    }

    /// Whether it is an IPv4 address, or an IPv6 address in brackets. A name's last part is never a number.
    private static func isAddress(_ host: ArraySlice<UInt8>) -> Bool {
        if host.first == UInt8(ascii: "[") { return true }
        return host.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    }
}
