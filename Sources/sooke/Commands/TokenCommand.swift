import Bytes
import JSON
import SookeModel

extension Command {
    private enum Action: String, CaseIterable {
        case create, list, revoke
    }

    private static let action = Parameter.required(
        "ACTION", ValueSyntax<Action>.choice(), help: "create, list or revoke.")
    private static let subject = Parameter<String?>.operand(
        "NAME", ValueSyntax.text("a name or ID"), help: "The purpose of a new token, or the ID of the token to revoke.")
    private static let email = Parameter<String?>.optional(
        "for", "EMAIL", ValueSyntax.text("an e-mail address"),
        help: "The account of the token, which has the same permissions.")
    private static let scope = Parameter.option(
        "scope", "SCOPE", ValueSyntax<Credential.Scope>.choice(), default: "write",
        help: "read, write, admin or metrics.")
    private static let end = Parameter<Timestamp?>.optional(
        "until", "TIME", ValueSyntax.moment, help: "When it expires; never without this option.")

    static let token = Command(
        name: "token",
        summary: "Create, list or revoke tokens for programs",
        discussion: [
            """
            A token authenticates a program as a person. `token create` prints it, alone on a line and only once: just \
            its digest is stored. A program sends it as `Authorization: Bearer TOKEN`. The scope metrics is for \
            Prometheus: it allows reading /metrics and nothing else. A token becomes invalid when the account that \
            created it is removed or is no longer a super_admin.
            """,
            "The command works with or without a running server.",
        ],
        parameters: [Options.data, email, scope, end, action, subject],
        examples: [
            Example(
                "sooke token create till --for dan@slacktide.example > token", "Stores a token for a program."),
            Example("sooke token revoke 12", "Ends it at once."),
        ]
    ) { invocation in
        let console = invocation.console
        let folder = try invocation[Options.data]
        let path = "/api/v1/admin/tokens"
        switch (try invocation[action], try invocation[subject]) {
        case (.list, .some): throw CommandError(.usage, "token list takes no NAME")
        case (.list, nil):
            try AdminCall(.get, path).printResponse(folder, console)
        case (.create, let name?):
            guard let email = try invocation[email] else {
                throw CommandError(.usage, "missing option --for EMAIL (the account that owns the token)")
            }
            let members = [
                ("name", name), ("email", email), ("scope", try invocation[scope].rawValue),
                ("expires_at", try invocation[end]?.rfc3339),
            ]
            let answer = try ResponseMembers(AdminCall(.post, path, members).send(folder, console))
            try console.print(try answer.required("token") + "\n")
        case (.revoke, let number?):
            guard let id = Int(number), id > 0 else {
                let command = "sooke token list\(try invocation.dataHint)"
                throw CommandError(.usage, "token revoke takes the ID that `\(command)` shows")
            }
            _ = try AdminCall(.delete, "\(path)/\(id)").send(folder, console)
            try console.print("token \(id) is revoked\n")
        case (.create, nil): throw CommandError(.usage, "missing argument NAME")
        case (.revoke, nil): throw CommandError(.usage, "token revoke needs the ID of the token")
        }
    }
}
