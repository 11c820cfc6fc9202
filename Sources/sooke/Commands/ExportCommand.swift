import Exchange
import Journal

extension Command {
    private static let format = Parameter.option(
        "format", "FORMAT", ValueSyntax<ExportFormat>.choice(), default: "json",
        help: "json is a whole dataset, ndjson one record per line, csv one table, postgres a script for psql.")
    private static let table = Parameter.option(
        "table", "TABLE", ValueSyntax<Export.Table>.choice(), default: "businesses",
        help: "The table for csv.")

    private static let mark = Parameter<Bool>.flag(
        "bom", help: "Begins a table with a byte order mark, by which Excel recognizes UTF-8.")
    private static let schema = Parameter<Bool>.flag(
        "schema", help: "For postgres: creates the tables of the Go service, too.")
    private static let secrets = Parameter<Bool>.flag(
        "private", help: "For postgres: includes passwords, sessions, proposals and receipts.")
    private static let since = Parameter<CommitPosition?>.optional(
        "since", "POSITION", ValueSyntax.commit,
        help: "For postgres: only the changes after this position, which the table sooke_position of the database has.")
    private static let follows = Parameter<Bool>.flag(
        "follow", help: "With --since: goes on with later changes as they happen.")

    static let export = Command(
        name: "export",
        summary: "Write the town to standard output",
        discussion: [
            """
            The export contains one version of the town, even if changes are made meanwhile. It can be imported again, \
            and the same town gives the same bytes. The command works with or without a running server.
            """,
            """
            For PostgreSQL it is a script for psql, one transaction: it fills the empty tables of the Go service, and \
            refuses a database that has a town. What these tables cannot hold is counted on standard error, and is in \
            a table of its own, from which an import of a dump brings it back.
            """,
            """
            With --since the script brings a database up to date that had an export, with --follow as long as it runs. \
            Each transaction moves the position of the database, and fails where that is another one: nothing is lost, \
            and nothing done twice, also when either side stops in between.
            """,
        ],
        parameters: [Options.data, format, table, mark, schema, secrets, since, follows],
        examples: [
            Example("sooke export > town.json", "Keeps everything in one file."),
            Example("sooke export --format csv --table events --bom > events.csv", "Makes a spreadsheet for Excel."),
            Example("sooke export --format postgres | psql -Xq \"$DATABASE_URL\"", "Moves the town to PostgreSQL."),
            Example(
                "sooke export --format postgres --since 12.8f3c5a7790d1e2b4 | psql -Xq",
                "Brings what has changed there since."),
        ],
        exitCodes: AdminCall.exitCodesOfReading
    ) { invocation in
        let console = invocation.console
        let folder = try invocation[Options.data]
        let format = try invocation[format]
        let (createsTables, hasPrivateRecords) = (try invocation[schema], try invocation[secrets])
        if format != .postgres, createsTables || hasPrivateRecords {
            throw CommandError(.usage, "--schema and --private are for --format postgres only")
        }
        let (since, follows) = (try invocation[since], try invocation[follows])
        if format != .postgres || createsTables, since != nil || follows {
            throw CommandError(.usage, "--since and --follow are for --format postgres only, without --schema")
        }
        guard since != nil || !follows else {
            throw CommandError(
                .usage, "--follow needs --since POSITION: SELECT sequence || '.' || chain FROM sooke_position")
        }
        if let since {
            let log = AdminCall.log(of: folder, since: since, forever: follows)
            var follower = PostgresFollower(hasPrivateRecords: hasPrivateRecords)
            try log.read(folder, console) { piece throws(CommandError) in
                do {
                    try follower.read(piece) { try console.print($0) }
                } catch {
                    throw error as? CommandError ?? CommandError(.badData, "\(error)")
                }
            }
            return
        }
        let target = invocation.target("/api/v1/admin/export", [Self.format, table, schema, secrets])
        var mark: [UInt8] = try invocation[mark] && format == .csv ? [0xEF, 0xBB, 0xBF] : []
        // The beginning of a script, until its notes are complete.
        var beginning: [UInt8]? = format == .postgres ? [] : nil
        try AdminCall(.get, target).read(folder, console) { piece throws(CommandError) in
            if let earlier = beginning {
                beginning = earlier + piece
                if let notes = PostgresNotes.notes(atBeginningOf: earlier + piece) {
                    for note in notes { console.report("sooke: \(note)\n") }
                    beginning = nil
                }
            }
            try console.print(mark + piece)
            mark = []
        }
    }
}
