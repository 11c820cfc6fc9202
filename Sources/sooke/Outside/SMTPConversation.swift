import Service

/// What curl and the mail server said, without secrets.
struct SMTPConversation: Sendable {
    /// `> ` is what was sent, `< ` what the server said.
    private(set) var lines: [String] = []
    private(set) var outcome = MailReport.Outcome.sent
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
