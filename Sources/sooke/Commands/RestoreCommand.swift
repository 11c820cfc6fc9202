import Bytes
import HTTP
import Journal
import Platform
import SookeModel
import Store

extension Command {
    private static let file = Parameter<String?>.operand(
        "FILE", ValueSyntax.file, help: "A backup, or a snapshot from a data folder; - is standard input.")
    private static let moment = Parameter<RestoreMoment?>.optional(
        "at", "TIME", ValueSyntax.restoreMoment,
        help: "The time to restore, on the clocks of the town: '2026-11-20 18:00'; or with its offset from UTC.")
    private static let target = Parameter<String?>.optional(
        "to", "NEWDIR", ValueSyntax.folder, help: "With --at: the new data folder, absent or empty.")
    private static let checks = Parameter.flag(
        "check", help: "Only reads FILE as a start would, and says what it has; nothing is written.")
    private static let maxAge = Parameter<Duration?>.optional(
        "max-age", "TIME", ValueSyntax.age,
        help: "With --check: fails when the newest change in FILE is older, such as 1d, 36h or 90m.")

    static let restore = Command(
        name: "restore",
        summary: "Make a data folder from a backup or from the history",
        discussion: [
            """
            With FILE, --data is the new folder. With --at, it is the folder whose history is read; that folder does \
            not change and may be served meanwhile. The new folder, --to, gets the town at that moment, with the \
            history before it. `sooke serve --keep-history` and --keep-history-size set how far back the history \
            goes, and `sooke status` says it.
            """,
            """
            The new folder contains the file restore-in-progress until it is complete, and no command accepts it \
            before. No existing file is changed or deleted.
            """,
            """
            A copy is a backup once it was seen to restore: --check builds the town of FILE in memory, with every \
            check of a start, and prints what it has and when it last changed.
            """,
            """
            A folder that root makes from FILE gets the owner of the folder that it is in. With --at it belongs to \
            root, unless it is in the folder of --data. An empty one keeps its owner.
            """,
        ],
        parameters: [Options.newData, moment, target, checks, maxAge, file],
        examples: [
            Example("sooke restore town.json --data new-town", "Makes new-town of a backup."),
            Example("ssh backups cat town.json | sooke restore - --data new-town", "Makes it of one elsewhere."),
            Example("sooke restore --check --max-age 1d town.json", "Says whether town.json restores and is of today."),
            Example(
                "sooke restore --at 2026-11-20T18:00 --to friday",
                "Makes friday of the default folder as it was on that evening."),
        ],
        exitCodes: [.success, .badData, .noInput, .displaced, .locked, .inputOutput, .notPermitted, .configuration],
        meanings: [.badData: "FILE is cut, damaged, no backup or too old; nothing was changed"]
    ) { invocation in
        let folder = try invocation[Options.data]
        let maxAge = try invocation[maxAge]
        if try invocation[checks] {
            guard let file = try invocation[file], try invocation[moment] == nil, try invocation[target] == nil else {
                throw CommandError(.usage, "--check takes the FILE of a backup, without --at and --to")
            }
            try check(file, maxAge: maxAge, invocation.console)
            return
        }
        guard maxAge == nil else { throw CommandError(.usage, "--max-age needs --check") }
        switch (try invocation[file], try invocation[moment], try invocation[target]) {
        case (let file?, nil, nil):
            try restore(file, to: folder, invocation.console)
        case (nil, let moment?, let target?):
            try restore(moment, of: folder, to: target, invocation.console)
        case (nil, _?, nil):
            throw CommandError(.usage, "--at needs --to NEWDIR, the folder to make")
        case (nil, nil, _):
            throw CommandError(.usage, "restore takes the FILE of a backup, or --at TIME --to NEWDIR")
        case (_?, _, _):
            throw CommandError(.usage, "restore takes a FILE or --at, not both; with a FILE the new folder is --data")
        }
    }

    /// By how many seconds the clocks of two machines may differ.
    private static let clockTolerance = 300

    private static func check(_ file: String, maxAge: Duration?, _ console: Console) throws {
        let (town, origin): (Town, CheckedDocument.Origin)
        if file == "-" {
            let input = try SpooledInput(console, near: "\(Environment.process["TMPDIR"] ?? "/tmp")/sooke")
            (town, origin) = try Town.inBackup(input.path, named: "standard input")
        } else {
            (town, origin) = try Town.inBackup(file)
        }
        let changedAt = origin.wall ?? origin.at
        let seconds = TimeSource.system.wall().seconds - changedAt.seconds
        guard maxAge == nil || seconds >= -clockTolerance else {
            throw CommandError(
                .badData,
                "\(file) restores, but its newest change is of \(changedAt.rfc3339), which is in the future, so its "
                    + "age is unknown. Look at the clock of this machine and of the server")
        }
        let state = "\(origin.words), \(FormattedNumber.ago(seconds: seconds))"
        if let maxAge, .seconds(seconds) > maxAge {
            throw CommandError(
                .badData,
                "\(file) restores, but its newest change is too old: it is the town \(state). Look whether backups "
                    + "are still made and copied")
        }
        try console.print("\(file == "-" ? "standard input" : file): restores: \(town.summary), \(state)\n")
    }

    private static func restore(_ file: String, to folder: String, _ console: Console) throws {
        let now = TimeSource.system.wall()
        let copy: FolderCopy
        if file == "-" {
            let input = try SpooledInput(console, near: folder)
            copy = try FolderCopy(ofSnapshot: input.path, named: "standard input", to: folder, now: now)
        } else {
            copy = try FolderCopy(ofSnapshot: file, to: folder, now: now)
        }
        try console.print("\(folder): \(try RestoredTown.finish(copy, ownedLike: "\(folder)/..", console))\n")
    }

    private static func restore(
        _ moment: RestoreMoment, of folder: String, to target: String, _ console: Console
    ) throws {
        do {
            let (moment, now) = (try moment.timestamp(in: folder, console), TimeSource.system.wall())
            let owner = (try? BackupDestination.isPath(target, in: folder)) == true ? folder : nil
            let (point, copy) = try RestoredTown.repeating {
                let point = try PointInTime(moment, in: folder, now: now)
                // Only a clock that was ahead has shown it.
                guard moment <= now || point.next != nil || point.last.at > now else {
                    throw CommandError(.usage, "--at: \(moment.rfc3339) is in the future; it is \(now.rfc3339)")
                }
                return (point, try RestoredTown.copy(point.last.sequence, from: point.survey, to: target, console))
            }
            try console.print("\(target): \(try RestoredTown.finish(copy, ownedLike: owner, console))\n")
            if let next = point.next {
                try console.print("not in it: change \(next.sequence) of \(next.at.rfc3339), and what followed\n")
            }
        } catch let error as PointInTimeError {
            throw CommandError(.noInput, "\(folder): \(error)")
        }
    }
}

private enum RestoreMoment {
    case moment(Timestamp)
    /// A local time in the time zone of the town, in the form of a timestamp in UTC.
    case local(Timestamp)

    func timestamp(in folder: String, _ console: Console) throws(CommandError) -> Timestamp {
        let local: Timestamp
        switch self {
        case .moment(let moment): return moment
        case .local(let time): local = time
        }
        let advice = "write it with its offset from UTC, such as 2026-11-20T18:00:00-08:00"
        let settings: Settings
        do throws(CommandError) {
            settings = try TownText.settings(try AdminCall(.get, TownText.path).send(folder, console))
        } catch {
            throw CommandError(error.code, "\(error.message). For a time without the clocks of the town, \(advice)")
        }
        let name = settings.timeZone ?? FirstClocks.firstTowns
        let zone = try TownServer.zone(name)
        let (date, microseconds) = local.civil
        let moments = zone.timestamps(of: date, secondsOfDay: microseconds / 1_000_000)
        guard let moment = moments.first, moments.count == 1 else {
            let count = moments.isEmpty ? "never" : "twice"
            throw CommandError(.usage, "--at: the clocks of \(name) showed that \(count); \(advice)")
        }
        return moment
    }
}

extension ValueSyntax where Value == RestoreMoment {
    fileprivate static let restoreMoment = Self(
        expectation: "a time of the town such as '2026-11-20 18:00', or 2026-11-21T02:00:00Z",
        completion: .none
    ) { text in
        let local = Timestamp(rfc3339: "\(text)Z") ?? Timestamp(rfc3339: "\(text):00Z")
        return Timestamp(rfc3339: text).map { .moment($0) } ?? local.map { .local($0) }
    }
}
