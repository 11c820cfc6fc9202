extension Command {
    /// `sooke status`
    static let status = Command(
        name: "status",
        summary: "Show the status of the town in a data folder",
        discussion: [
            "It prints one JSON object: counts, sequence number, sizes of the log and of the snapshots.",
            """
            Any moment after history_since can be restored. history_begins_by says why not an earlier one: "beginning" \
            (of the town), "days" (--keep-history), "size" (--keep-history-size) or "copy" (the folder was made without \
            it, by a restore or a repair).
            """,
        ],
        parameters: [Options.data.description],
        examples: [Example("sooke status --data /var/lib/sooke", "Asks the running server, or reads the folder.")],
        exitCodes: [.success, .badData, .unavailable, .locked, .inputOutput, .notPermitted, .configuration]
    ) { invocation throws(CommandError) in
        try AdminCall(.get, "/api/v1/admin/status").printResponse(try invocation[Options.data], invocation.console)
        return .success
    }
}
