import Bytes
import Platform

/// Where e-mail is handed over: `smtps://user@host`, or `smtp://host` with STARTTLS, but on this machine.
struct SMTPServer: Sendable {
    /// Without the user; curl knows the other ports.
    let url: String
    let user: String?
    let requiresTLS: Bool
    var password: String?
    /// A file with the certificates to be trusted instead of the machine's.
    var authority: String?

    /// Nil for another text.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, ["smtps:", "smtp:"].contains(parts[0]) else { return nil }
        let names = parts[2].split(separator: "@", omittingEmptySubsequences: false)
        guard names.count <= 2, let authority = names.last,
            let name = try? PercentCoding.decode(names.count == 2 ? Array(names[0].utf8) : []),
            let user = String(validating: name, as: UTF8.self), !user.contains(":"),
            user.withoutControls == user, text.withoutControls == text
        else { return nil }
        let isBracketed = authority.hasPrefix("[")
        let host = authority.dropFirst(isBracketed ? 1 : 0).prefix { $0 != (isBracketed ? "]" : ":") }
        if host.isEmpty { return nil }
        let isLocal = host == "localhost" || SocketAddress(host: String(host), port: 0)?.isLoopback == true
        requiresTLS = parts[0] == "smtp:" && !isLocal
        let hasPort = authority.dropFirst(host.count).contains(":")
        url = "\(parts[0])//\(authority)\(requiresTLS && !hasPort ? ":587" : "")"
        self.user = user.isEmpty ? nil : user
    }

    /// How curl sends what it reads as `/dev/fd/3`. It says who it is by the domain of the sender.
    func options(from: String, to: String) -> [(name: String, value: String?)] {
        let name = from.split(separator: "@").last.map(String.init) ?? "localhost"
        let all: [(String, String?)] = [
            ("url", "\(url)/\(PercentCoding.encode(name.utf8))"), ("proto", "=smtp,smtps"),
            ("mail-from", "<\(from)>"), ("mail-rcpt", "<\(to)>"), ("upload-file", "/dev/fd/3"),
            ("crlf", nil), ("verbose", nil), ("silent", nil), ("show-error", nil),
        ]
        return all + (requiresTLS ? [("ssl-reqd", nil)] : []) + (authority.map { [("cacert", $0)] } ?? [])
            + (user.map { [("user", "\($0):\(password ?? "")")] } ?? [])
    }
}
