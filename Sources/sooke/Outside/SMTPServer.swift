import Bytes
import Platform
import Service

/// Where e-mail is handed over: `smtps://user@host`, or `smtp://host` with STARTTLS, but on this machine.
struct SMTPServer: Sendable {
    /// Without the user; curl knows the other ports.
    let url: String
    let user: String?
    let requiresTLS: Bool

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
}

/// Hands messages over by curl, a child process: address, message and secrets are on its standard input and in a pipe,
/// so that no list of processes shows them.
struct CurlMail: Sendable {
    let program: String
    let server: SMTPServer
    var password: String?
    /// A file with the certificates to be trusted instead of the machine's.
    var authority: String?

    /// In seconds; see `MailQueue.leaseSeconds`.
    private static let (connectTime, time) = (20, 60)

    /// The path of curl; nil where there is none.
    static func find(_ path: String?) -> String? {
        (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map { "\($0)/curl" }
            .first(where: FileDescriptor.workingFolder.exists)
    }

    func send(_ message: [UInt8], from: String, to: String) -> SMTPConversation {
        let arguments = ["-q", "--noproxy", "*", "--config", "-"]
        do throws(Subprocess.Failure) {
            let (output, failure) = try Subprocess.run(
                program, arguments, input: Array(configuration(from: from, to: to).utf8), secondInput: message,
                timeLimit: (Self.time + 10) * 1000)
            return SMTPConversation(String(decoding: output, as: UTF8.self), failure: failure.map { "curl: \($0)" })
        } catch {
            return SMTPConversation("", failure: "\(program): \(error)")
        }
    }

    private func configuration(from: String, to: String) -> String {
        let name = from.split(separator: "@").last.map(String.init) ?? "localhost"
        var lines = [
            ("url", "\(server.url)/\(PercentCoding.encode(name.utf8))"),
            ("proto", "=smtp,smtps"), ("mail-from", "<\(from)>"), ("mail-rcpt", "<\(to)>"),
            ("upload-file", "/dev/fd/3"), ("connect-timeout", "\(Self.connectTime)"), ("max-time", "\(Self.time)"),
        ]
        if let user = server.user { lines.append(("user", "\(user):\(password ?? "")")) }
        if let authority { lines.append(("cacert", authority)) }
        let flags = ["crlf", "verbose", "silent", "show-error"] + (server.requiresTLS ? ["ssl-reqd"] : [])
        return lines.map { "\($0.0) = \"\(Self.escaped($0.1))\"\n" }.joined() + flags.map { "\($0)\n" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}

/// What curl and the mail server said, without secrets.
struct SMTPConversation: Sendable {
    /// `> ` is what was sent, `< ` what the server said.
    private(set) var lines: [String] = []
    private(set) var outcome = MailResult.sent
    /// Why it was not sent, in the words of the server, or of curl.
    private(set) var words = ""

    private static let facts = ["SSL", "Server cert", "subject", "issuer", "Could not", "connect"]
    private static let commands = ["EHLO", "HELO", "STARTTLS", "MAIL", "RCPT", "DATA", "QUIT"]

    init(_ output: String, failure: String?) {
        var (hasReceiver, refusal, reason) = (false, String?.none, String?.none)
        for line in output.split(whereSeparator: \.isNewline).map(String.init) {
            let text = String(line.dropFirst(2))
            switch line.prefix(2) {
            case "> ":
                // What follows AUTH is a secret, and so may be what is no command.
                let verb = text.split(separator: " ").first.map(String.init) ?? ""
                hasReceiver = hasReceiver || verb == "RCPT"
                let isAuth = verb == "AUTH"
                let shown = isAuth ? text.split(separator: " ").prefix(2).joined(separator: " ") + " ***" : text
                lines.append(Self.commands.contains(verb) || isAuth ? "> \(shown)" : "> ***")
            case "< ":
                lines.append(line)
                if text.hasPrefix("4") || text.hasPrefix("5") { refusal = refusal ?? text }
            case "* ":
                let fact = text.drop { $0 == " " }
                if Self.facts.contains(where: fact.hasPrefix) { lines.append(line) }
            case _ where line.hasPrefix("curl: "): reason = line
            default: break
            }
        }
        guard let failure else { return }
        // A refusal of the receiver or the message is for good, one of the login may be mended.
        outcome = hasReceiver && refusal?.hasPrefix("5") == true ? .refused : .failed
        words = refusal ?? reason ?? failure
        lines.append("* \(reason ?? failure)")
    }

    var text: String { lines.map(\.withoutControls).joined(separator: "\n") }
}
