extension Command {
    static let snapshot = Command(
        name: "snapshot",
        summary: "Write a snapshot now",
        discussion: [
            """
            After a snapshot the next start reads less of the log. A server writes one itself when the log has grown by \
            64 MiB, after an hour with changes, and when it stops; `sooke serve` has options for the first two.
            """
        ],
        parameters: [Options.data.description],
        examples: [Example("sooke snapshot --data /var/lib/sooke", "Writes one, beside a running server or without.")],
        exitCodes: [
            .success, .badData, .unavailable, .locked, .inputOutput, .unanswered, .notPermitted, .configuration,
        ]
    ) { invocation throws(CommandError) in
        try AdminCall(.post, "/api/v1/admin/snapshot").printResponse(try invocation[Options.data], invocation.console)
        return .success
    }
}
