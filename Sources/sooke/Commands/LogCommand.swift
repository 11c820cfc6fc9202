import Journal

extension Command {
    private static let since = Parameter<CommitPosition?>.optional(
        "since", "POSITION", ValueSyntax.commit,
        help:
            "Gives the commits after this position, which `sooke status` and each batch show; without it those to come."
    )
    private static let follows = Parameter.flag(
        "follow", help: "Goes on with later commits as they happen, until Control-C.")

    static let log = Command(
        name: "log",
        summary: "Give the commits of the log as lines, for another store",
        discussion: [
            """
            The first line names the store and the position; then follows a line for each commit, as the log has it \
            but without its checksum, and after each batch one with the position and its time, with --follow at least \
            every 15 seconds. A commit is given when it is on stable storage.
            """,
            """
            The lines have everything, also what is private, such as digests of passwords: send them through ssh, \
            never in clear. A position that the log does not have, or no longer, is an error, and nothing is printed. \
            --follow needs a running server.
            """,
        ],
        parameters: [Options.data, since, follows],
        examples: [
            Example("sooke log --since 1200.8f3c5a7790d1e2b4", "Gives what followed change 1200."),
            Example(
                "ssh town.example sooke log --data /var/lib/sooke --follow",
                "Gives what happens from now on, elsewhere."),
        ],
        exitCodes: AdminCall.exitCodesOfReading
    ) { invocation in
        let (folder, console) = (try invocation[Options.data], invocation.console)
        try AdminCall.log(of: folder, since: try invocation[since], forever: try invocation[follows])
            .read(folder, console) { piece throws(CommandError) in try console.print(piece) }
    }
}

extension AdminCall {
    static func log(of folder: String, since: CommitPosition?, forever follows: Bool) -> AdminCall {
        AdminCall(following: folder, "/api/v1/admin/log?" + (since.map { "since=\($0)" } ?? ""), forever: follows)
    }
}
