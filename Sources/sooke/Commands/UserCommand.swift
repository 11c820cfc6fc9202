import Bytes
import JSON
import Platform
import SookeModel

extension Command {
    private enum Action: String, CaseIterable {
        case add, list, promote, password, sessions
        case endSessions = "end-sessions"
        case remove
    }

    private static let action = Parameter.required(
        "ACTION", ValueSyntax<Action>.choice(), help: "add, list, promote, password, sessions, end-sessions or remove.")
    private static let email = Parameter<String?>.operand(
        "EMAIL", ValueSyntax.text("an e-mail address"), help: "Whose account; for all but list.")
    private static let role = Parameter<Person.Role?>.optional(
        "role", "ROLE", ValueSyntax<Person.Role>.choice(),
        help: "What they may do, for promote and add; add makes a general_user without it.")
    private static let name = Parameter<String?>.optional(
        "name", "NAME", ValueSyntax.text("a name"), help: "What others call them, for add.")
    private static let keepsTokens = Parameter.flag(
        "keep-tokens", help: "For password: leaves the account's API tokens valid; without it they are revoked.")

    static let user = Command(
        name: "user",
        summary: "Add, list, promote or remove the people with accounts",
        discussion: [
            """
            add creates an account. password sets its password, read from the terminal or from the first line of \
            standard input. A new password ends all sessions of the account and revokes its API tokens, except for \
            those of the scope metrics, and those that it created for others. sessions shows where somebody is logged \
            in; end-sessions ends all sessions, for a lost device: the password and the API tokens stay. remove \
            deletes the account, but not the businesses of its owner.
            """,
            """
            A general_user submits events. A business_owner also manages the businesses that they own. An editor \
            changes all public data, such as businesses, events and categories, but no accounts, owners, tokens or \
            settings. A super_admin has all permissions.
            """,
            "The command works with or without a running server.",
        ],
        parameters: [Options.data, role, name, keepsTokens, action, email],
        examples: [
            Example(
                "sooke user add ada@town.example --role super_admin", "Creates an account of an administrator."),
            Example("sooke user promote edie@town.example --role editor", "Lets somebody change all public data."),
            Example("sooke user sessions ada@town.example", "Shows on which devices somebody is logged in."),
            Example("sooke user password ada@town.example", "Prompts for a new password."),
        ]
    ) { invocation in
        let console = invocation.console
        let folder = try invocation[Options.data]
        let action = try invocation[action]
        let role = try invocation[role]?.rawValue
        if action == .list {
            guard try invocation[email] == nil else { throw CommandError(.usage, "user list takes no EMAIL") }
            try list(folder, console)
            return
        }
        guard let email = try invocation[email] else {
            throw CommandError(.usage, "user \(action.rawValue) needs an EMAIL")
        }
        switch action {
        case .list: break
        case .add:
            let role = role ?? Person.Role.generalUser.rawValue
            let members = [("email", email), ("role", role), ("display_name", try invocation[name])]
            _ = try AdminCall(.post, "/api/v1/users", members).send(folder, console)
            let command = "sooke user password \(ShellWord.quoted(email))\(try invocation.dataHint)"
            try console.print("\(email) has an account (\(role)); `\(command)` gives it a password\n")
        case .promote:
            guard let role else { throw CommandError(.usage, "missing option --role ROLE") }
            let id = try id(of: email, folder, console)
            _ = try AdminCall(.post, "/api/v1/users/\(id)/promote", [("role", role)]).send(folder, console)
            try console.print("\(email) is now \(role)\n")
        case .password:
            let id = try id(of: email, folder, console)
            let password = try PasswordInput.read(console, for: email)
            let isKeeping = try invocation[keepsTokens]
            let body = JSONWriter.object { writer in
                writer.member("new_password", password)
                if isKeeping { writer.member("keep_tokens", true) }
            }
            _ = try AdminCall(.post, "/api/v1/users/\(id)/password", body: body).send(folder, console)
            let ended = isKeeping ? "sessions" : "sessions and API tokens (except for metrics)"
            try console.print("\(email) has a new password; all \(ended) of the account have ended\n")
        case .sessions:
            let id = try id(of: email, folder, console)
            for session in try ResponseMembers(AdminCall(.get, "/api/v1/users/\(id)/sessions").send(folder, console))
                .items
            {
                let times = ["created_at", "last_used_at", "expires_at"].map { session.time($0) ?? "never" }
                let device = (session["device"] ?? "unknown device").withoutControls
                try console.print("\(device): since \(times[0]), last used \(times[1]), ends \(times[2])\n")
            }
        case .endSessions:
            let id = try id(of: email, folder, console)
            _ = try AdminCall(.delete, "/api/v1/users/\(id)/sessions").send(folder, console)
            try console.print("all sessions of \(email) have ended\n")
        case .remove:
            let id = try id(of: email, folder, console)
            _ = try AdminCall(.delete, "/api/v1/users/\(id)").send(folder, console)
            try console.print("\(email) has no account any more\n")
        }
    }

    private static func list(_ folder: String, _ console: Console) throws(CommandError) {
        for person in try accounts(in: folder, console) {
            let name = person["display_name"].map { ", \($0)" } ?? ""
            try console.print("\(try person.required("email")) (\(try person.required("role")))\(name)\n")
        }
    }

    static func accounts(in folder: String, _ console: Console) throws(CommandError) -> [ResponseMembers] {
        var people: [ResponseMembers] = []
        while people.count.isMultiple(of: 100) {
            let target = "/api/v1/users?per_page=100&page=\(people.count / 100 + 1)"
            let page = try ResponseMembers(AdminCall(.get, target).send(folder, console)).items
            if page.isEmpty { break }
            people += page
        }
        return people
    }

    private static func id(of email: String, _ folder: String, _ console: Console) throws(CommandError) -> String {
        let query = "/api/v1/users?email=\(PercentCoding.encode(email.utf8))"
        let body = try AdminCall(.get, query).send(folder, console)
        guard let person = try ResponseMembers(body).items.first else {
            throw CommandError(.noInput, "there is no account with the address \(email)")
        }
        return try person.required("id")
    }

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
    ) { invocation in
        var call = AdminCall(.post, "/api/v1/admin/setup-link")
        let serve = "sooke serve\(try invocation.dataHint)"
        call.needsServer = "no server runs on this folder; start one, and it prints a link: \(serve)"
        let answer = try call.send(try invocation[Options.data], invocation.console)
        let link = try ResponseMembers(answer).required("link")
        if let warning = SetupLink.warning(about: link) { invocation.console.log(.warning, warning) }
        try invocation.console.print(link + "\n")
    }
}

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
