import Bytes
import HTTP
import Journal
import Platform
import Service
import Store

extension Command {
    private static let file = Parameter.required(
        "FILE", ValueSyntax.file,
        help: """
            The file to write; - is standard output. %Y, %m, %d, %H, %M, %S and %a in its name are replaced by the \
            time in UTC, %% by a percent sign.
            """)
    private static let keep = Parameter<Int?>.optional(
        "keep", "COUNT", ValueSyntax.count(of: "backups", in: 1...100_000),
        help: """
            Then removes the backups of this town whose names match the pattern, except for this many with the newest \
            changes, and what backups that were killed left there more than a day ago. Damaged files do not count, nor \
            do those of changes that a restore has left behind, of which the newest two stay. Nothing is removed when \
            the backup fails.
            """)
    private static let ifChanged = Parameter.flag(
        "if-changed",
        help: """
            Does nothing, and says nothing, when a file that the name matches has the town as it is. Who logs in or \
            out does not change it.
            """)
    private static let ifMissing = Parameter.flag(
        "if-missing", help: "Does nothing, and says nothing, when the file exists: a name with a date is for one a day."
    )
    private static let checks = Parameter.flag(
        "check",
        help: """
            Writes none, but restores in memory the newest one that the name matches, as `sooke restore --check` does, \
            and stores the result for `sooke status`. With --if-missing once a day, and again after one that failed.
            """)

    static let backup = Command(
        name: "backup",
        summary: "Write the whole town into one file, for a restore",
        discussion: [
            """
            The file contains one version of the town, even if changes are made meanwhile, and ends with a checksum. \
            It replaces an older file of the same name only after it was written to disk and read back. Symbolic links \
            are followed; a device or a pipe is written into. A file in the data folder is refused. The command works \
            with or without a running server. `sooke status`, /metrics and the page /admin show when it last \
            succeeded, or why it failed.
            """,
            """
            Keep backups on another machine: two disks seldom fail together. Copy the finished file there; a pipe \
            would replace an older copy even when the backup fails.
            """,
        ],
        parameters: [Options.data, keep, ifChanged, ifMissing, checks, file],
        examples: [
            Example("sooke backup --data /var/lib/sooke town.json", "Writes town.json, or replaces it."),
            Example("sooke backup --keep 14 town-%Y-%m-%d.json", "Writes a file a day and keeps those of two weeks."),
            Example(
                "sooke backup --if-changed --keep 60 town-%Y-%m-%d-%H%M.json",
                "Run every minute, writes a file whenever the town has changed."),
        ],
        exitCodes: AdminCall.exitCodesOfReading
    ) { invocation in
        let folder = try invocation[Options.data]
        if try invocation[checks] {
            try check(invocation, folder, invocation.console)
            return
        }
        try LastBackup.store(in: folder, invocation.console) { () throws(CommandError) in
            try run(invocation, folder, invocation.console)
        }
    }

    private static var request: AdminCall { AdminCall(.get, "/api/v1/admin/backup") }

    /// Whether a backup was made, or is there with the town as it is.
    private static func run(
        _ invocation: Invocation, _ folder: String, _ console: Console
    ) throws(CommandError) -> Bool {
        let given = try invocation[file]
        let keep = try invocation[keep]
        let (ifChanged, ifMissing) = (try invocation[ifChanged], try invocation[ifMissing])
        let option = keep != nil ? "--keep" : ifChanged ? "--if-changed" : ifMissing ? "--if-missing" : nil
        if given == "-" {
            if let option { throw CommandError(.usage, "\(option) needs the name of a file, not -") }
            try request.read(folder, console) { piece throws(CommandError) in try console.print(piece) }
            return true
        }
        let name = try name(given)
        guard keep == nil || name.hasFields else {
            throw CommandError(.usage, "--keep needs a name with the date in it, such as town-%Y-%m-%d.json")
        }
        let path = name.path(at: TimeSource.system.wall())
        switch try BackupDestination(path, outside: folder) {
        case .file(let file):
            if ifMissing, DataFolder.exists(file) { return false }
            if ifChanged, try isUpToDate(name, of: folder, console) { return true }
            let origin = try replace(file, named: path, of: folder, console)
            if let keep { try rotate(name, keep, sparing: path, origin, console) }
        case .stream(let stream):
            if let option {
                throw CommandError(.usage, "\(option) needs the name of a file; \(path) is a device or a pipe")
            }
            try write(folder, into: stream.descriptor, named: path, console)
        }
        return true
    }

    private static func name(_ given: String) throws(CommandError) -> BackupName {
        if let name = BackupName(given) { return name }
        throw CommandError(
            .usage,
            "\(given) has a % that stands for nothing: use %Y, %m, %d, %H, %M, %S and %a, or %% for a percent sign")
    }

    /// Almost a day, so that a timer does it at the same time of each day.
    private static let checkSeconds = 23 * 3600 + 1800

    private static func check(
        _ invocation: Invocation, _ folder: String, _ console: Console
    ) throws(CommandError) {
        let given = try invocation[file]
        guard given != "-", try invocation[keep] == nil, try !invocation[ifChanged] else {
            throw CommandError(.usage, "--check takes the name of a file, without --keep and --if-changed")
        }
        let name = try name(given)
        let last = try invocation[ifMissing] ? LastBackup(of: folder).check : nil
        if let last, last.isGood, TimeSource.system.wall().seconds - last.at.seconds < checkSeconds { return }
        let text = try LastBackup.storeCheck(in: folder, console) { () throws(CommandError) in
            let path = try name.newestFile()
            let (town, origin) = try CommandError.translating { try Town.inBackup(path) }
            return "\(path) restores: \(town.summary), \(origin.words)"
        }
        try console.print(text + "\n")
    }

    private static func isUpToDate(
        _ name: BackupName, of folder: String, _ console: Console
    ) throws(CommandError) -> Bool {
        let path = "/api/v1/admin/status"
        let status = try ResponseMembers(AdminCall(.get, path).send(folder, console))
        guard let store = status["store"], let newest = status["position"].flatMap({ CommitPosition($0) }) else {
            return false
        }
        return try BackupRotation(name, of: store).has(newest) { backup throws(CommandError) in
            let status = try AdminCall(.get, "\(path)?since=\(backup)").send(folder, console)
            return try ResponseMembers(status)["only_sessions_since"] == "true"
        }
    }

    private static func rotate(
        _ name: BackupName, _ keep: Int, sparing path: String, _ origin: CheckedDocument.Origin, _ console: Console
    ) throws(CommandError) {
        let rotation = try BackupRotation(name, of: origin.store)
        var aside: [String] = []
        let removed = try rotation.remove(allBut: keep, sparing: path, at: origin) { file, isDamaged, reason in
            if isDamaged {
                return console.log(.warning, "warning: \(file) is not a valid backup and is ignored: \(reason)")
            }
            aside.append("\(file): kept aside: \(reason)\n")
        }
        for line in aside { try console.print(line) }
        for old in removed + (try rotation.removeAbandoned()) { try console.print("\(old): removed\n") }
    }

    /// Writes into a device or a pipe, and reports it on standard error: standard output may be the pipe.
    private static func write(
        _ folder: String, into stream: FileDescriptor, named name: String, _ console: Console
    ) throws(CommandError) {
        var length = 0
        try request.read(folder, console) { piece throws(CommandError) in
            try CommandError.mapped("cannot write to \(name)", .inputOutput) { try stream.write(piece) }
            length += piece.count
        }
        console.report("\(name): written, \(FormattedNumber.bytes(length))\n")
    }

    private static func replace(
        _ file: String, named name: String, of folder: String, _ console: Console
    ) throws(CommandError) -> CheckedDocument.Origin {
        let signals = Signals.prepare()
        var output = try ReplacedFile(file)
        let temporary = output.temporary
        try CommandError.mapped("cannot start a thread", .inputOutput) {
            try signals.dieAfter { try? FileDescriptor.workingFolder.remove(temporary) }
        }
        var length = 0
        try request.read(folder, console) { piece throws(CommandError) in
            try output.write(piece)
            length += piece.count
        }
        try output.sync()
        // It is read as a start would read it.
        let origin = try CommandError.translating { try Town.inBackup(temporary).origin }
        try output.install()
        try console.print(
            "\(name): the town \(origin.words), \(FormattedNumber.bytes(length))\n")
        return origin
    }
}

extension CheckedDocument.Origin {
    /// Which state it is: `after change 12 of 2026-11-25T09:30:00Z`.
    var words: String { "after change \(sequence) of \((wall ?? at).rfc3339)" }
}
