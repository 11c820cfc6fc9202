import Bytes
import JSON
import Journal
import Platform
import Service
import SookeModel
import Store

extension Command {
    static let verify = Command(
        name: "verify",
        summary: "Read every byte of a data folder and report damage",
        discussion: [
            "All is sound when every byte is as it was written, and a server would start with it.",
            "It changes nothing and may run while a server does.",
            """
            The exit code is 0 when all is sound, 1 when there is damage but no acknowledged change is lost, and 2 \
            when acknowledged changes are lost or unreadable.
            """,
        ],
        parameters: [Options.data],
        examples: [Example("sooke verify --data /var/lib/sooke", "Names file, line, byte and sequence of any damage.")],
        exitCodes: [.success, .damaged, .answersLost, .noInput, .inputOutput, .notPermitted, .configuration]
    ) { invocation in
        let report: InspectionReport
        let folder = try invocation[Options.data]
        do throws(JournalError) {
            report = try FolderSurvey(of: folder).report
        } catch {
            throw DataFolder.exists(folder) ? CommandError(error) : .noTown(folder)
        }
        var (text, verdict) = (report.findings.map { "\($0)\n" }.joined(), report.verdict)
        // Sound bytes are not enough: sound means that a server starts with them.
        if verdict == .sound {
            do throws(JournalError) {
                text += try eventsOfFormat3(in: Town.inFolder(folder))
            } catch {
                (text, verdict) = ("\(error)\n", .lost)
            }
        }
        text += """
            \(Count(report.commits, "commit")) in \(Count(report.segments, "segment")), \
            \(Count(report.snapshots, "snapshot")), \
            \(FormattedNumber.bytes(report.bytes)), last sequence \(report.lastSequence): \(verdict.words)

            """
        try invocation.console.print(text)
        if verdict != .sound { throw verdict.exitCode }
    }
}

/// What a start will do with events that have no local times; empty where all have them.
private func eventsOfFormat3(in town: Town) -> String {
    let events = town.events.inOrderOfID.map(\.value).filter { $0.startsLocal == nil }
    if events.isEmpty { return "" }
    let zones = TimeZones(TimeZoneDatabase())
    let twice = events.filter { event in
        let zone = (event.zoneName(in: town) ?? town.settings.timeZone).flatMap { try? zones.zone(named: $0) }
        return event.startsAt.flatMap { zone?.localTime(at: $0).offset } != nil
    }
    let names = twice.map { "  \"\($0.name.excerpt())\" starts in an hour that clocks show twice\n" }
    return "\(Count(events.count, "event")) of disk format 3: the next start stores what clocks show at their times\n"
        + names.joined()
}

extension InspectionReport.Verdict {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .sound: .success
        case .damaged: .damaged
        case .lost: .answersLost
        }
    }

    fileprivate var words: String { self == .sound ? "all is sound" : exitCode.meaning }
}

extension Command {
    private static let target = Parameter<String?>.optional(
        "to", "NEWDIR", ValueSyntax.folder, help: "The new data folder, absent or empty.")

    static let repair = Command(
        name: "repair",
        summary: "Copy the intact part of a damaged data folder to a new one",
        discussion: [
            """
            The damaged folder is only read. The copy is the newest state that can be built from it: a snapshot and \
            all changes after it up to the first that cannot be read. Later changes that can be read are not applied, \
            since they may depend on the lost ones; they are written to quarantine/ in the copy, one JSON object per \
            line.
            """,
            """
            Older history that can be read, but does not lead to that state, is reported and omitted. If root runs the \
            command, the copy belongs to the owner of the damaged folder.
            """,
            """
            The exit code is 0 when the copy contains every acknowledged change, and 2 when some are missing. If no \
            state can be built, restore a backup; the records of a damaged snapshot that can be read are written to \
            readable.json in the new folder, for an import.
            """,
        ],
        parameters: [Options.data, target],
        examples: [
            Example("sooke repair --data /var/lib/sooke --to /var/lib/sooke-repaired", "Names all damage, then copies.")
        ],
        exitCodes: [.success, .answersLost, .noInput, .displaced, .locked, .inputOutput, .notPermitted, .configuration]
    ) { invocation in
        let console = invocation.console
        let folder = try invocation[Options.data]
        guard let target = try invocation[target] else {
            throw CommandError(.usage, "repair needs --to NEWDIR, the folder to make; the damaged one is only read")
        }
        let (survey, copied) = try RestoredTown.repeating {
            let survey = try FolderSurvey(of: folder)
            let copy = try survey.newestState.map { sequence in
                try RestoredTown.copy(sequence, from: survey, to: target, keepingRest: true, console)
            }
            return (survey, copy)
        }
        for finding in survey.report.findings { try console.print("\(finding)\n") }
        guard let copy = copied else {
            let start = "no state of the town can be built from what is left in \(folder); restore a backup"
            guard let snapshot = survey.damagedSnapshots.last else { throw CommandError(.answersLost, start) }
            let records = try ReadableRecords(of: snapshot, in: survey)
            throw CommandError(.answersLost, "\(start). \(try records.write(to: target))")
        }
        let sequence = copy.sequence
        try console.print("\(target): \(try RestoredTown.finish(copy, ownedLike: folder, console))\n")
        if let text = words(copy.omitted) {
            console.report(
                "left out: \(text), which can be read and are older than the damage; they stay in \(folder)\n")
        }
        let last = survey.report.lastSequence
        guard sequence < last else { return }
        var text = "missing: changes \(sequence + 1) to \(last)"
        if let rest = copy.rest { text += "; those that can be read are in \(target)/\(rest)" }
        console.report("\(text)\n")
        throw ExitCode.answersLost
    }

    private static func words(_ omitted: FolderCopy.OmittedHistory) -> String? {
        let commits = omitted.commits.map { run in
            run.count == 1 ? "change \(run.lowerBound)" : "changes \(run.lowerBound) to \(run.upperBound)"
        }
        let parts = commits + omitted.snapshots.map { "the snapshot after change \($0)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// The records of a damaged snapshot that can be read: a document for `sooke import`, as it may be wrong in what no
/// checksum proves any more.
struct ReadableRecords {
    private let snapshot: DamagedSnapshot
    private var collections: [(name: String, records: [[UInt8]])] = []
    private var omitted: [Int] = []

    private static let file = "readable.json"

    /// Reads all lines but those with the damage, and those that are no JSON.
    init(of snapshot: DamagedSnapshot, in survey: FolderSurvey) throws(JournalError) {
        self.snapshot = snapshot
        let starts = Dictionary(
            uniqueKeysWithValues: Town.kinds.map { (Array("\"\($0.collection)\":[".utf8), $0.collection) })
        var isInside = false
        var lines: [(Int, [UInt8])] = []
        try survey.forEachLine(of: snapshot) { lines.append(($0, Array($1))) }
        for (number, text) in lines {
            let line = text.last == UInt8(ascii: ",") ? text.dropLast() : text[...]
            if let name = starts[Array(line)] {
                collections.append((name, []))
                isInside = true
            } else if line.elementsEqual("]".utf8) {
                isInside = false
            } else if snapshot.lines.contains(number) || (isInside && !JSONReader.isObject(Array(line))) {
                omitted.append(number)
            } else if isInside {
                collections[collections.count - 1].records.append(Array(line))
            }
        }
    }

    private var document: [UInt8] {
        var writer = CheckedDocumentWriter()
        for (name, records) in collections {
            writer.append(line: Array("\"\(name)\":[".utf8))
            for (index, record) in records.enumerated() {
                writer.append(line: index == records.count - 1 ? record : record + [UInt8(ascii: ",")])
            }
            writer.append(line: Array("],".utf8))
        }
        writer.finish()
        return writer.takeBytes()
    }

    /// Writes them into a new folder, or an empty one; returns what to do with them.
    func write(to folder: String) throws(CommandError) -> String {
        let path = "\(folder)/\(Self.file)"
        do throws(FileSystemError) {
            let files = POSIXFileSystem()
            if (try? files.openDirectory(folder)) == nil { try files.createDirectory(folder) }
            let directory = try files.openDirectory(folder)
            let file = try directory.create(Self.file)
            try file.append(document)
            try file.sync()
            try directory.sync()
        } catch {
            throw CommandError(.inputOutput, "\(error)")
        }
        let count = collections.reduce(0) { $0 + $1.records.count }
        let lines = omitted.map(String.init).joined(separator: ", ")
        let without = omitted.isEmpty ? "" : ", without line\(omitted.count == 1 ? "" : "s") \(lines)"
        return "Otherwise \(path) has the \(Count(count, "record")) of \(snapshot.name) that can be read\(without): "
            + "no checksum proves them, so look at them first; `sooke import --data NEWTOWN "
            + "\(ShellWord.quoted(path))` makes a new town of them, without passwords"
    }
}
