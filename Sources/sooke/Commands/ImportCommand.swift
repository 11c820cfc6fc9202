import API
import Bytes
import Exchange
import HTTP
import JSON
import Platform
import Service
import SookeModel
import Store
import Synchronization

extension Command {
    private static let dryRun = Parameter<Bool>.flag(
        "dry-run", help: "Reports what an import would do, and changes nothing.")
    private static let format = Parameter<ImportFormat?>.optional(
        "format", "FORMAT", ValueSyntax<ImportFormat>.choice(),
        help: "The format of the files, if their names do not show it.")
    private static let createsTerms = Parameter<Bool>.flag(
        "create-categories", help: "Creates the categories and event types that the files name and that do not exist.")
    private static let addsStarter = Parameter<Bool>.flag(
        "starter", help: "Adds a set of categories and event types to begin with, unless they exist.")
    private static let skipsInvalid = Parameter<Bool>.flag(
        "skip-invalid",
        help: """
            Imports what is valid, and nothing that refers to other records; writes those to NAME.skipped.csv (or \
            .ics, ...) beside each file, to be mended and imported again. A file that cannot be read to its end stops \
            all.
            """)
    private static let isStrict = Parameter<Bool>.flag(
        "strict", help: "Refuses a calendar of which an event cannot be read, instead of leaving that event out.")
    private static let replacesSettings = Parameter<Bool>.flag(
        "settings", help: "Replaces the settings of the town by those in the files, which are left out otherwise.")
    private static let deletesMissing = Parameter<Bool>.flag(
        "delete-missing", help: "Deletes what was deleted in the database of which a file is a dump.")
    private static let category = Parameter<String?>.optional(
        "category", "NAME", ValueSyntax.text("the name of a category"),
        help: "The category of new businesses that have none in the files.")
    private static let eventType = Parameter<String?>.optional(
        "event-type", "NAME", ValueSyntax.text("the name of an event type"),
        help: "The event type of new events that have none in the files.")
    private static let timeZone = Parameter<String?>.optional(
        "time-zone", "ZONE", ValueSyntax.timeZone,
        help: "The time zone of times without an offset; without it that of the town. A new town gets it.")
    private static let files = Parameter<[String]>.operands(
        "FILE", ValueSyntax.file, isRequired: false,
        help: """
            A dataset (.json), records (.ndjson), a table (.csv, .xlsx), places (.geojson), vCards (.vcf), a calendar \
            (.ics) or a plain dump of pg_dump (.sql); - is standard input. With --starter there may be none.
            """)

    /// The options that are parameters of the request, by the same names.
    private static let sent: [any DescribedParameter] = [
        dryRun, skipsInvalid, isStrict, createsTerms, addsStarter, replacesSettings, deletesMissing, category,
        eventType, timeZone,
    ]

    static let importFiles = Command(
        name: "import",
        summary: "Import businesses, events and other records from files",
        discussion: [
            """
            Records are matched by their slug, people by their e-mail address: an existing record is changed, \
            otherwise a new one is created. Fields that a file does not contain do not change. Either all files are \
            imported or none, and every invalid row is reported before anything is written; with --skip-invalid the \
            valid ones are imported. Of a calendar (.ics), what cannot be read is left out and named. Importing the \
            same files again changes nothing.
            """,
            """
            Times without an offset are those of the town's clocks, or of the time zone of an event or its business.
            """,
            "The command works with or without a running server.",
        ],
        parameters: [Options.newData] + sent + [Options.center, format, files],
        examples: [
            Example("sooke import --dry-run businesses.csv", "Reports errors, and what would change."),
            Example("sooke import --starter", "Begins a town with categories and event types."),
            Example("sooke import --starter --create-categories businesses.csv", "Imports the first table of a town."),
            Example("sooke import town.json events.csv", "Takes two files together."),
        ],
        exitCodes: [.success, .donePartly] + AdminCall.exitCodes.dropFirst()
    ) { invocation in
        let signals = Signals.prepare()
        let folder = try invocation[Options.data]
        if try invocation[files].isEmpty, try !invocation[addsStarter] {
            throw CommandError(
                .usage, "`sooke import` needs FILE, unless --starter is given; see `sooke import --help`")
        }
        if DataFolder.exists(folder) { return try run(invocation, signals, in: folder, draft: nil) }
        // A new town gets its folder when all records are in it.
        let parent = DataFolder.parent(of: folder)
        let draft = try invocation[dryRun] ? TemporaryFolder() : TemporaryFolder(in: parent)
        try run(invocation, signals, in: "\(draft.path)/town", draft: draft.path)
    }

    /// - Parameter draft: where a new town is made; nil for one that is there.
    private static func run(
        _ invocation: Invocation, _ signals: Signals, in folder: String, draft: String?
    ) throws(CommandError) {
        let console = invocation.console
        let isDryRun = try invocation[dryRun]
        let progress = PhasedProgress(on: console)
        defer { progress.finish() }
        try CommandError.mapped("cannot start a thread", .inputOutput) {
            try signals.dieAfter { interrupt(progress, isDryRun: isDryRun, draft: draft, console) }
        }
        let files = try read(try invocation[files], format: try invocation[format], console)
        let clocks = FirstClocks(timeZone: try invocation[timeZone])
        _ = try TownServer.zone(clocks.likelyZone(in: TimeZoneDatabase()))
        let watch = try ImportWatch(
            folder, clocks, isDryRun: isDryRun, onlyReads: isDryRun && draft == nil, progress)
        defer { watch.stop() }
        var call = AdminCall(.post, try target(invocation), body: FileBundle.bytes(of: files))
        call.bodyType = "application/octet-stream"
        call.doubt =
            isDryRun ? nil : "the import may have been committed: run it again to check, it changes nothing twice"
        call.progress = watch
        var body: [UInt8] = []
        let refusal = try call.response(folder, console) { body += $0 }
        progress.finish()
        if let refusal { throw error(of: refusal, in: folder, console) }
        let answer: ImportAnswer
        do throws(JSONError) {
            var reader = JSONReader(body, limits: .trusted)
            answer = try ImportAnswer(from: &reader)
        } catch {
            throw CommandError(invalidResponse: error)
        }
        if draft != nil, !isDryRun { try DataFolder.move(folder, to: try invocation[Options.data]) }
        try report(answer, firstClocks: watch.firstClocks, isDryRun: isDryRun, console)
    }

    private static func target(_ invocation: Invocation) throws(CommandError) -> String {
        let center = try invocation[Options.center].map { "&center=\(PercentCoding.encode($0.shapedText.utf8))" }
        return invocation.target("/api/v1/admin/import", sent) + (center ?? "")
    }

    /// What `{"error":{"message":…,"problems":[…],…}}` says; problems are reported, a line each.
    private static func error(of refusal: AdminCall.Refusal, in folder: String, _ console: Console) -> CommandError {
        let members = try? ResponseMembers(refusal.body)
        guard refusal.status == 422, let members, let summary = members["error.message"],
            members["error.problems"] != nil
        else { return CommandError(refusal, in: folder) }
        console.report(members.all("error.problems"))
        return CommandError(.badData, summary)
    }

    private static func report(
        _ answer: ImportAnswer, firstClocks: String?, isDryRun: Bool, _ console: Console
    ) throws(CommandError) {
        let summary = "\(answer.summary)\(isDryRun ? " (a dry run: nothing was written)" : "")\n"
        if answer.leftOut > 0 { try console.print(summary) }
        console.report(answer.lines)
        if answer.leftOut == 0 { try console.print(summary) }
        if let firstClocks { console.log(.info, firstClocks) }
        if isDryRun { for line in answer.changes { try console.print("  \(line.withoutControls)\n") } }
        guard answer.leftOut > 0 else { return }
        let names = try (isDryRun ? [] : answer.skipped).map { records throws(CommandError) in
            do throws(CommandError) {
                return try write(records)
            } catch {
                throw CommandError(error.code, "\(error.message); the valid records are imported")
            }
        }
        let rest =
            names.isEmpty ? "are left out" : "are in \(names.joined(separator: ", ")): mend and import them"
        let message = "\(Count(answer.problemCount, "problem")); the records with them \(rest)"
        if answer.leftOut == answer.records { throw CommandError(.badData, message) }
        if answer.leftOut * 10 > answer.records { throw CommandError(.donePartly, message) }
        console.report([message])
    }

    /// Writes what was left out of a file beside it, to a file that is not there yet; returns its name.
    private static func write(_ records: ImportFile) throws(CommandError) -> String {
        let ending = ".\(records.format?.fileExtension ?? "txt")"
        // A pipe has no folder for other files.
        let isPipe = records.name == "standard input" || records.name.hasPrefix("/dev/")
        var base = isPipe ? "import" : records.name
        let dot = base.utf8.lastIndex(of: UInt8(ascii: "."))
        let slash = base.utf8.lastIndex(of: UInt8(ascii: "/"))
        if let dot, slash.map({ $0 < dot }) ?? true { base = String(base[..<dot]) }
        if base.hasSuffix(".skipped") { base.removeLast(".skipped".count) }
        var name = "\(base).skipped\(ending)"
        var number = 1
        while FileDescriptor.workingFolder.exists(name) {
            number += 1
            name = "\(base).skipped-\(number)\(ending)"
        }
        var file = try ReplacedFile(name)
        try file.write(records.bytes)
        try file.sync()
        try file.install()
        return name
    }

    private static func interrupt(_ progress: PhasedProgress, isDryRun: Bool, draft: String?, _ console: Console) {
        let phase = progress.phase
        if let draft { TemporaryFolder.remove(draft) }
        progress.finish()
        let isServed = progress.isServed
        let message =
            if isDryRun || !isServed && phase != Import.Phase.writing.rawValue || phase == ImportWatch.sending {
                "interrupted; nothing was imported"
            } else if isServed {
                "interrupted, but the server has the files and goes on; run the same command again to see whether "
                    + "they are imported: it changes nothing twice"
            } else {
                "interrupted while it was written; run the same command again to see whether it is imported: it "
                    + "changes nothing twice"
            }
        console.report("sooke: \(message)\n")
    }

    static func read(
        _ names: [String], format: ImportFormat? = nil, _ console: Console
    ) throws(CommandError) -> [ImportFile] {
        var files: [ImportFile] = []
        for name in names {
            let bytes = try InputFile.read(name, console)
            files.append(ImportFile(name: name == "-" ? "standard input" : name, format: format, bytes: bytes))
        }
        return files
    }
}

extension Console {
    func report(_ lines: [String]) {
        for line in lines { report("\(line.withoutControls)\n") }
    }
}

extension CommandError {
    init(refusing problems: Findings, _ console: Console, _ outcome: String) {
        console.report(problems.lines)
        self.init(.badData, "\(Count(problems.problemCount, "problem")); \(outcome)")
    }
}

/// How far the import of a command has come, wherever it runs. In this process it also gives a town without clocks its
/// first ones.
final class ImportWatch: ImportObserver {
    static let sending = "sending"
    private static let waiting = "waiting for the server"

    let clocks: FirstClocks
    private let isDryRun: Bool
    let onlyReads: Bool
    private let folder: String
    private let progress: PhasedProgress
    private let isStopped = Atomic<Bool>(false)
    private let stopping: Wakeup
    private let isSent = Atomic<Bool>(false)
    private let hasClocks = Mutex<String?>(nil)
    /// In milliseconds.
    private static let interval: Int32 = 200

    init(
        _ folder: String, _ clocks: FirstClocks, isDryRun: Bool, onlyReads: Bool, _ progress: PhasedProgress
    ) throws(CommandError) {
        (self.folder, self.clocks, self.progress) = (folder, clocks, progress)
        (self.isDryRun, self.onlyReads) = (isDryRun, onlyReads)
        stopping = try CommandError.mapped("cannot start a thread", .inputOutput) { try Wakeup() }
        try CommandError.mapped("cannot start a thread", .inputOutput) {
            try Thread.start { [self] in
                while !isStopped.load(ordering: .relaxed) {
                    _ = stopping.wait(milliseconds: Self.interval)
                    progress.draw()
                    // Before, the import of another client may be under way.
                    guard isSent.load(ordering: .relaxed) else { continue }
                    // Without an answer the progress stays as it is: the import itself reports what is wrong.
                    try? ask()
                }
            }
        }
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        stopping.signal()
    }

    func isSending(_ done: Int, of total: Int) {
        progress.isServed = true
        progress.update(Self.sending, .bytes, done: done, of: total)
    }

    func hasSent() {
        progress.update(Self.waiting, .things("record"), done: 0, of: nil)
        isSent.store(true, ordering: .relaxed)
    }

    func update(_ phase: String, done: Int, of total: Int) {
        let isReading = phase == Import.Phase.reading.rawValue
        progress.update(phase, isReading ? .bytes : .things("record"), done: done, of: total)
    }

    private func ask() throws {
        guard var client = try AdminClient.connect(to: folder) else { return }
        try client.send(AdminCall(.get, "/api/v1/admin/import"))
        let state = try ResponseMembers(try client.body())
        guard let phase = state["phase"], !isStopped.load(ordering: .relaxed) else { return }
        update(phase, done: state.number("done") ?? 0, of: state.number("total") ?? 0)
    }

    /// What clocks the town has got; nil when it had some, or a server has it.
    var firstClocks: String? { hasClocks.withLock(\.self) }

    func fillClocks(_ transaction: inout WriteTransaction, likely zone: String) throws {
        if isDryRun { return }
        guard try clocks.fill(&transaction, likely: zone) else { return }
        let words = FirstClocks.words(transaction.town.settings)
        hasClocks.withLock { $0 = words }
    }
}
