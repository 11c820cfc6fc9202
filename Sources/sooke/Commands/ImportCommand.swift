import Bytes
import Exchange
import HTTP
import JSON
import SookeModel
import Store

extension Command {
    private static let dryRun = Parameter<Bool>.flag(
        "dry-run", help: "Reports what an import would do, and changes nothing.")
    private static let format = Parameter<ExchangeFormat?>.optional(
        "format", "FORMAT", ValueSyntax<ExchangeFormat>.choice(),
        help: "The format of the files, if their names do not show it.")
    private static let files = Parameter<[String]>.operands(
        "FILE", ValueSyntax.file, help: "A dataset (.json), records (.ndjson) or a table (.csv); - is standard input.")

    /// `sooke import`
    static let importFiles = Command(
        name: "import",
        summary: "Import businesses, events and other records from files",
        discussion: [
            """
            Records are matched by their slug, people by their e-mail address: an existing record is changed, otherwise \
            a new one is created. Fields that a file does not contain do not change. Either all files are imported or \
            none, and every invalid row is reported before anything is written. Importing the same files again changes \
            nothing.
            """,
            "The command works with or without a running server.",
        ],
        parameters: [Options.data.description, dryRun.description, format.description, files.description],
        examples: [
            Example("sooke import --dry-run businesses.csv", "Reports the errors in a spreadsheet."),
            Example("sooke import town.json events.csv", "Takes two files together."),
        ],
        exitCodes: [
            .success, .badData, .noInput, .unavailable, .locked, .inputOutput, .unanswered, .notPermitted,
            .configuration,
        ]
    ) { invocation throws(CommandError) in
        let console = invocation.console
        let folder = try invocation[Options.data]
        let isDryRun = try invocation[dryRun]
        let files = try read(try invocation[files], format: try invocation[format], console)
        let outcome: Result<ImportReport, ImportProblems>
        if let client = try AdminClient.connect(to: folder) {
            outcome = try importThrough(client, files, isDryRun: isDryRun)
        } else {
            outcome = try importInto(folder, files, isDryRun: isDryRun, console)
        }
        switch outcome {
        case .success(let report):
            try console.print("\(report)\(isDryRun ? " (a dry run: nothing was written)" : "")\n")
            return .success
        case .failure(let problems):
            for problem in problems.all { console.report("\(problem)\n".withoutControlsButLineFeeds) }
            throw CommandError(.badData, "\(problems.all.count.problemCount); nothing was imported")
        }
    }

    private static func read(
        _ names: [String], format: ExchangeFormat?, _ console: Console
    ) throws(CommandError) -> [ImportFile] {
        var files: [ImportFile] = []
        for name in names {
            let bytes = try InputFile.read(name, console)
            let isInput = name == "-"
            files.append(
                ImportFile(
                    name: isInput ? "standard input" : name,
                    format: format ?? (isInput ? nil : ExchangeFormat(fileName: name)), bytes: bytes))
        }
        return files
    }

    /// Sends the files to the server on the folder.
    private static func importThrough(
        _ client: consuming AdminClient, _ files: [ImportFile], isDryRun: Bool
    ) throws(CommandError) -> Result<ImportReport, ImportProblems> {
        let target = "/api/v1/admin/import?dry_run=\(isDryRun)"
        let body = AdminBody.bytes(FileBundle.bytes(of: files), type: "application/octet-stream")
        let doubt = "the import may have been committed: run it again to check, it changes nothing twice"
        var response = try client.send(
            AdminRequest(method: "POST", target: target, body: body, doubt: isDryRun ? nil : doubt))
        let bytes = try response.body(limit: 1 << 30)
        do throws(JSONError) {
            var reader = JSONReader(bytes, limits: .trusted)
            switch response.status {
            case 200: return .success(try ImportReport(from: &reader))
            case 422: return .failure(try problems(&reader))
            default: throw reader.error("an unexpected response")
            }
        } catch {
            throw CommandError(serverStatus: response.status, body: bytes)
        }
    }

    /// The problems in `{"error":{"problems":[…],…}}`.
    private static func problems(_ reader: inout JSONReader) throws(JSONError) -> ImportProblems {
        try reader.beginObject()
        guard try reader.nextKey() == "error" else { throw reader.error("an unexpected response") }
        try reader.beginObject()
        while let key = try reader.nextKey() {
            if key == "problems" { return try ImportProblems(from: &reader) }
            try reader.skipValue()
        }
        throw reader.error("an unexpected response")
    }

    /// Imports into a folder that no server uses.
    private static func importInto(
        _ folder: String, _ files: [ImportFile], isDryRun: Bool, _ console: Console
    ) throws(CommandError) -> Result<ImportReport, ImportProblems> {
        let progress = SharedProgress("importing", unit: .things("records"), on: console)
        defer { progress.finish() }
        do {
            if !DataFolder.exists(folder) {
                // A folder is created for records that are valid, and not for a dry run.
                let prepared = try ImportRun.prepare(files, at: TimeSource.system.wall()) { done, total in
                    progress.update(done: done, of: total)
                }
                if isDryRun { return .success(prepared.report) }
                return .success(
                    try DataFolder.use(folder, console: console) { try await ImportRun.commit(prepared, on: $0) })
            }
            let report = try DataFolder.use(folder, console: console) { store in
                try await ImportRun.run(files, isDryRun: isDryRun, on: store) { progress.update(done: $0, of: $1) }
            }
            return .success(report)
        } catch let problems as ImportProblems {
            return .failure(problems)
        } catch {
            throw CommandError(error)
        }
    }
}

extension Int {
    fileprivate var problemCount: String { self == 1 ? "1 problem" : "\(FormattedNumber.grouped(self)) problems" }
}
