import Bytes
import HTTP

/// Where load goes: `http://127.0.0.1:8080/api/v1/businesses?page={1..9}`.
struct LoadAddress {
    /// Where to connect.
    let socket: SocketAddress
    /// What `Host` says.
    let authority: String
    /// Path and query, a `RequestTemplate`.
    let target: String

    /// The address of a text.
    ///
    /// - Throws: what is wrong with it, for the command line.
    init(_ text: String) throws(CommandError) {
        guard text.hasPrefix("http://") else {
            let advice = text.hasPrefix("https://") ? "; TLS is the proxy's work, so ask the server behind it" : ""
            throw CommandError(.usage, "\(text): an address begins with http://\(advice)")
        }
        let rest = text.dropFirst("http://".count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = String(rest[..<end])
        guard let (host, port) = Self.split(authority), let socket = SocketAddress(host: host, port: port) else {
            throw CommandError(
                .usage, "\(text): names are not looked up; write it with a number, such as http://127.0.0.1:8080/")
        }
        let target = String(rest[end...])
        (self.socket, self.authority) = (socket, authority)
        self.target = try Self.checked(target: target.hasPrefix("/") ? target : "/" + target, "URL")
    }

    /// A path with query that can stand in a request line.
    ///
    /// - Parameter place: where it was given.
    static func checked(target: String, _ place: String) throws(CommandError) -> String {
        guard target.hasPrefix("/") else {
            throw CommandError(.usage, "\(place): \"\(target)\" is no path; it begins with /")
        }
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw CommandError(
                .usage, "\(place): \"\(target)\" holds a space, a # or a control; write %20, %23 and so on")
        }
        return target
    }

    /// `127.0.0.1:8080`, `localhost` or `[::1]:8080`; nil when it is none of these.
    private static func split(_ authority: String) -> (host: String, port: UInt16)? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let host = String(authority[..<end].dropFirst())
            return port(authority[end...].dropFirst()).map { (host, $0) }
        }
        let end = authority.firstIndex(of: ":") ?? authority.endIndex
        return port(authority[end...]).map { (String(authority[..<end]), $0) }
    }

    /// What follows the host: nothing, or a colon and a number.
    private static func port(_ text: Substring) -> UInt16? {
        if text.isEmpty { return 80 }
        let digits = text.dropFirst()
        guard text.first == ":", digits.utf8.allSatisfy(ASCII.isDigit), let port = UInt16(digits), port > 0 else {
            return nil
        }
        return port
    }
}
