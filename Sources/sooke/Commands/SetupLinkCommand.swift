import Bytes
import Platform

extension Command {
    static let setupLink = Command(
        name: "setup-link",
        summary: "Print a new link for the first account",
        discussion: [
            """
            A server without an account prints a link when it starts; whoever opens it makes the first account, of an \
            administrator. The link is good once, for 30 minutes. This prints a new one, and ends the one before.
            """
        ],
        parameters: [Options.data],
        examples: [Example("sooke setup-link --data /var/lib/sooke", "Prints the address to open in a browser.")]
    ) { invocation throws(CommandError) in
        var call = AdminCall(.post, "/api/v1/admin/setup-link")
        let serve = "sooke serve\(try invocation.dataHint)"
        call.needsServer = "no server runs on this folder; start one, and it prints a link: \(serve)"
        let answer = try call.send(try invocation[Options.data], invocation.console)
        let link = try ResponseMembers(answer).required("link")
        if let warning = SetupLink.warning(about: link) { invocation.console.log(.warning, warning) }
        try invocation.console.print(link + "\n")
        return .success
    }

}

/// The link for the first account.
enum SetupLink {
    /// What to do first where a password would be sent in plain text: to another machine, without TLS.
    static func warning(about link: String) -> String? {
        guard link.hasPrefix("http://") else { return nil }
        let rest = link.dropFirst("http://".count)
        let host = rest.first == "[" ? rest.dropFirst().prefix { $0 != "]" } : rest.prefix { !":/".contains($0) }
        if SocketAddress(host: String(host), port: 0)?.isLoopback == true { return nil }
        return "warning: the link is not https, so whoever is in between reads the password. Set up the proxy for TLS "
            + "first, and start the server with --url https://\(host)"
    }
}
