import Exchange
import Store

extension Command {
    private static let format = Parameter.option(
        "format", "FORMAT", ValueSyntax<ExportFormat>.choice(), default: "json",
        help: "json is a whole dataset, ndjson one record per line, csv one table.")
    private static let table = Parameter.option(
        "table", "TABLE", ValueSyntax<Export.Table>.choice(), default: "businesses",
        help: "The table for csv.")

    private static let mark = Parameter<Bool>.flag(
        "bom", help: "Begins a table with a byte order mark, by which Excel recognizes UTF-8.")

    /// `sooke export`
    static let export = Command(
        name: "export",
        summary: "Write the town to standard output",
        discussion: [
            """
            The export contains one version of the town, even if changes are made meanwhile. It can be imported again, \
            and the same town gives the same bytes. The command works with or without a running server.
            """
        ],
        parameters: [Options.data.description, format.description, table.description, mark.description],
        examples: [
            Example("sooke export > town.json", "Keeps everything in one file."),
            Example("sooke export --format csv --table events --bom > events.csv", "Makes a spreadsheet for Excel."),
        ],
        exitCodes: [.success, .badData, .unavailable, .locked, .inputOutput, .notPermitted, .configuration]
    ) { invocation throws(CommandError) in
        let console = invocation.console
        let folder = try invocation[Options.data]
        let (format, table) = (try invocation[format], try invocation[table])
        let begin = try invocation[mark] && format == .csv ? [0xEF, 0xBB, 0xBF] as [UInt8] : []
        try DataFolder.work(on: folder) { client throws(CommandError) in
            let target = "/api/v1/admin/export?format=\(format.rawValue)&table=\(table.rawValue)"
            var response = try client.send(AdminRequest(method: "GET", target: target))
            guard response.isSuccess else {
                throw CommandError(serverStatus: response.status, body: try response.body())
            }
            try console.print(begin)
            while let piece = try response.next() { try console.print(piece) }
        } orHere: { () throws(CommandError) in
            try DataFolder.requireStore(folder)
            do {
                let version = try DataFolder.use(folder, console: console) { store in store.current }
                try console.print(begin)
                try Export(version.town).write(format, table: table) { piece throws(CommandError) in
                    try console.print(piece)
                }
            } catch {
                throw CommandError(error)
            }
        }
        return .success
    }
}
