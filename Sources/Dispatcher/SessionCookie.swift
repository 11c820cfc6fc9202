import Bytes
import HTTP
import Service

/// The cookie that keeps a person logged in to the pages (RFC 6265).
///
/// Browsers send it with links from other sites (`SameSite=Lax`), or a link in a mail would show the log-in page to
/// somebody who is logged in; what changes something is refused from there, see `CrossOrigin.requireOwnPage`.
package final class SessionCookie: Sendable {
    /// In seconds, for a person who stays signed in: as long as browsers allow. An unused session ends earlier.
    private static let longest = 400 * 86_400

    private let service: TownService

    init(_ service: TownService) { self.service = service }

    private var isSecure: Bool { service.url.hasPrefix("https://") }

    /// Cookies ignore ports, so that without HTTPS the name has it.
    private var name: String {
        isSecure ? "__Host-sooke=" : "sooke-\(service.url.split(separator: ":").last.flatMap { Int($0) } ?? 80)="
    }

    func isPresent(in headers: Headers) -> Bool { value(in: headers) != nil }

    /// Tokens of programs do not belong into browsers.
    func token(in headers: Headers) -> Token? {
        let text = value(in: headers)?.prefix { $0 != UInt8(ascii: ".") }
        guard let token = text.flatMap({ Token(text: $0) }), token.kind == .session else { return nil }
        return token
    }

    func isStamped(in headers: Headers) -> Bool {
        guard let token = token(in: headers), let value = value(in: headers) else { return false }
        return value.elementsEqual(stamped(token).utf8)
    }

    private func stamped(_ token: Token) -> String { "\(token.reveal()).\(service.stamp(of: token))" }

    private func value(in headers: Headers) -> ArraySlice<UInt8>? {
        if headers.first("cookie") == nil { return nil }
        let name = Array(name.utf8)
        for field in headers.all("cookie") {
            for pair in field.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                if pair.starts(with: name) { return pair.dropFirst(name.count) }
            }
        }
        return nil
    }

    package func setting(_ token: Token, stays: Bool) -> String {
        field(stamped(token) + (stays ? "; Max-Age=\(Self.longest)" : ""))
    }

    package var clearing: String { field("; Max-Age=0") }

    private func field(_ value: String) -> String {
        name + value + (isSecure ? "; Path=/; Secure" : "; Path=/") + "; HttpOnly; SameSite=Lax"
    }
}
