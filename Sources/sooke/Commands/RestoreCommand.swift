import Bytes
import HTTP
import Journal
import Store

extension Command {
    private static let file = Parameter<String?>.operand(
        "FILE", ValueSyntax.file, help: "A backup, or a snapshot from a data folder; - is standard input.")
    private static let moment = Parameter<Timestamp?>.optional(
        "at", "MOMENT", ValueSyntax.moment, help: "The moment to restore, with its time zone.")
    private static let target = Parameter<String?>.optional(
        "to", "NEWDIR", ValueSyntax.folder, help: "With --at: the new data folder, absent or empty.")

    /// `sooke restore`
    static let restore = Command(
        name: "restore",
        summary: "Make a data folder from a backup or from the history",
        discussion: [
            """
            With FILE, --data is the new folder. With --at, it is the folder whose history is read; that folder does not \
            change and may be served meanwhile. The new folder, --to, gets the town at that moment, with the history \
            before it. `sooke serve --keep-history` and --keep-history-size set how far back the history \
            goes, and `sooke status` says it.
            """,
            """
            The new folder contains the file restore-in-progress until it is complete, and no command accepts it before. \
            No existing file is changed or deleted.
            """,
            """
            A folder that root makes from FILE gets the owner of the folder that it is in; an empty one keeps its own.
            """,
        ],
        parameters: [Options.data.description, moment.description, target.description, file.description],
        examples: [
            Example("sooke restore town.json --data new-town", "Makes new-town of a backup."),
            Example("ssh backups cat town.json | sooke restore - --data new-town", "Makes it of one elsewhere."),
            Example(
                "sooke restore --at 2026-11-20T18:00:00-08:00 --to friday",
                "Makes friday of the default folder as it was on that evening."),
        ],
        exitCodes: [
            .success, .badData, .noInput, .displaced, .locked, .inputOutput, .notPermitted, .configuration,
        ]
    ) { invocation throws(CommandError) in
        let folder = try invocation[Options.data]
        switch (try invocation[file], try invocation[moment], try invocation[target]) {
        case (let file?, nil, nil):
            try restore(file, to: folder, invocation.console)
        case (nil, let moment?, let target?):
            try restore(moment, of: folder, to: target, invocation.console)
        case (nil, _?, nil):
            throw CommandError(.usage, "--at needs --to NEWDIR, the folder to make")
        case (nil, nil, _):
            throw CommandError(.usage, "restore takes the FILE of a backup, or --at MOMENT --to NEWDIR")
        case (_?, _, _):
            throw CommandError(.usage, "restore takes a FILE or --at, not both; with a FILE the new folder is --data")
        }
        return .success
    }

    private static func restore(
        _ file: String, to folder: String, _ console: Console
    ) throws(CommandError) {
        do {
            let now = TimeSource.system.wall()
            let copy: FolderCopy
            if file == "-" {
                let input = try SpooledInput(console, near: folder)
                copy = try FolderCopy(ofSnapshot: input.path, named: "standard input", to: folder, now: now)
            } else {
                copy = try FolderCopy(ofSnapshot: file, to: folder, now: now)
            }
            try console.print("\(folder): \(try RestoredTown.finish(copy, ownedLike: "\(folder)/..", console))\n")
        } catch {
            throw CommandError(error)
        }
    }

    private static func restore(
        _ moment: Timestamp, of folder: String, to target: String, _ console: Console
    ) throws(CommandError) {
        do {
            let (point, copy) = try RestoredTown.repeating {
                let point = try PointInTime(moment, in: folder, now: TimeSource.system.wall())
                return (point, try RestoredTown.copy(point.last.sequence, from: point.survey, to: target, console))
            }
            try console.print("\(target): \(try RestoredTown.finish(copy, ownedLike: folder, console))\n")
            if let next = point.next {
                try console.print("not in it: change \(next.sequence) of \(next.at.rfc3339), and what followed\n")
            }
        } catch let error as PointInTimeError {
            throw CommandError(.noInput, "\(folder): \(error)")
        } catch {
            throw CommandError(error)
        }
    }
}
