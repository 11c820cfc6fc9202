import Bytes

extension Command {
    private static let format = Parameter.option(
        "format", "FORMAT", ValueSyntax<OutputFormat>.choice(), default: "text",
        help: "text for people; json gives one object.")

    static let status = Command(
        name: "status",
        summary: "Show the status of the town in a data folder",
        discussion: [
            """
            It shows what the town has, whether a server runs on the folder, when the town last changed, and the sizes \
            of the log, the snapshots and the history.
            """,
            """
            Any moment after history_since can be restored. history_begins_by says why not an earlier one: "beginning" \
            (of the town), "days" (--keep-history), "size" (--keep-history-size) or "copy" (the folder was made without \
            it, by a restore or a repair). These are members of the object that --format json prints.
            """,
        ],
        parameters: [Options.data.description, format.description],
        examples: [
            Example("sooke status --data /var/lib/sooke", "Asks the running server, or reads the folder."),
            Example("sooke status --format json", "Prints all figures for a program."),
        ],
        exitCodes: [.success, .badData, .unavailable, .locked, .inputOutput, .notPermitted, .configuration]
    ) { invocation throws(CommandError) in
        let (folder, console) = (try invocation[Options.data], invocation.console)
        let format = try invocation[format]
        let report = try AdminCall(.get, "/api/v1/admin/status").send(folder, console)
        switch format {
        case .json: try console.print(report + [ASCII.lineFeed])
        case .text: try console.print(try StatusPage(report, folder: folder).text)
        }
        return .success
    }
}
