import Bytes
import JSON

extension Command {
    private enum Action: String, CaseIterable {
        case on, off
    }

    private static let action = Parameter.required("ACTION", ValueSyntax<Action>.choice(), help: "on or off.")
    private static let reason = Parameter<String?>.optional(
        "reason", "TEXT", ValueSyntax.text("a text"),
        help: "The reason, shown to people whose changes are refused; at most 200 characters.")
    private static let format = Parameter.option(
        "format", "FORMAT", ValueSyntax<OutputFormat>.choice(), default: "text",
        help: "text for a terminal or a shell; json gives one object.")

    static let readOnly = Command(
        name: "read-only",
        summary: "Stop all changes of a town, or accept them again",
        discussion: [
            """
            A read-only town makes no change at all, so that another database or machine can take over: each attempt \
            to change something, and each login, gets 503 with the reason. Reading goes on, also for those who are \
            logged in, and so do exports, backups and snapshots. It stays so over restarts, until `read-only off`.
            """,
            """
            `read-only on` waits until all changes that are under way are stored, and prints the position of the last \
            one, alone on a line of standard output: every change that was acknowledged is in it, and it stays the \
            same. Once more it changes nothing but the reason, if one is given, and prints the same position.
            """,
            "The command works with or without a running server.",
        ],
        parameters: [Options.data, reason, format, action],
        examples: [
            Example("sooke read-only on --reason moving", "Stops all changes, and prints the position."),
            Example("sooke read-only off", "Accepts changes again."),
        ]
    ) { invocation throws(CommandError) in
        let (folder, console) = (try invocation[Options.data], invocation.console)
        let isOn = try invocation[action] == .on
        let reason = try invocation[reason]
        if reason != nil, !isOn { throw CommandError(.usage, "read-only off takes no --reason") }
        var body = JSONWriter()
        body.beginObject()
        body.member("read_only", isOn)
        if let reason { body.member("reason", reason) }
        body.endObject()
        let answer = try AdminCall(.put, "/api/v1/admin/read-only", body: body.bytes).send(folder, console)
        switch try invocation[format] {
        case .json: try console.print(answer + [ASCII.lineFeed])
        case .text where isOn:
            console.report(
                "sooke: the town is read-only; to accept changes again: sooke read-only off\(try invocation.dataHint)\n"
            )
            try console.print(try ResponseMembers(answer).required("position") + "\n")
        case .text: try console.print("the town accepts changes\n")
        }
        return .success
    }

}
