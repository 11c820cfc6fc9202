import Bytes
import Platform

struct WebAddress: Sendable {
    /// Without the fragment.
    let text: String
    /// A name or an IP address, without brackets.
    let host: String
    let port: UInt16

    /// Nil for another scheme, a user in it, or a text that is no address.
    init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { $0 > UInt8(ascii: " ") && $0 < 0x7F }
        guard isPlain, let scheme = ["https://", "http://"].first(where: { Self.begins(text, with: $0) }) else {
            return nil
        }
        let rest = text.dropFirst(scheme.utf8.count)
        // Programs do not agree on what a backslash is.
        let authority = rest.prefix { !"/?#".contains($0) }
        let isBracketed = authority.hasPrefix("[") && authority.contains("]")
        let host = authority.dropFirst(isBracketed ? 1 : 0).prefix { $0 != (isBracketed ? "]" : ":") }
        let end = authority.dropFirst(host.count + (isBracketed ? 2 : 0))
        let isHost = host.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._".utf8.contains(byte)
                || isBracketed && byte == UInt8(ascii: ":")
        }
        guard !host.isEmpty, isHost, end.isEmpty || end.hasPrefix(":"),
            let port = end.count < 2 ? (scheme == "https://" ? 443 : 80) : UInt16(end.dropFirst())
        else { return nil }
        (self.text, self.host, self.port) = (String(text.prefix { $0 != "#" }), String(host), port)
    }

    private static func begins(_ text: String, with scheme: String) -> Bool {
        ASCII.equalIgnoringCase(text.utf8.prefix(scheme.utf8.count), scheme.utf8)
    }

    /// As curl has it in `resolve`: a name with the only addresses to connect to.
    func pinned(to addresses: [SocketAddress]) -> String {
        func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
        return "\(bracketed(host)):\(port):\(addresses.map { bracketed($0.host) }.joined(separator: ","))"
    }
}
