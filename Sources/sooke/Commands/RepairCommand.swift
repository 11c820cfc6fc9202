import Journal

extension Command {
    private static let target = Parameter<String?>.optional(
        "to", "NEWDIR", ValueSyntax.folder, help: "The new data folder, absent or empty.")

    static let repair = Command(
        name: "repair",
        summary: "Copy the intact part of a damaged data folder to a new one",
        discussion: [
            """
            The damaged folder is only read. The copy is the newest state that can be built from it: a snapshot and all \
            changes after it up to the first that cannot be read. Later changes that can be read are not applied, since \
            they may depend on the lost ones; they are written to quarantine/ in the copy, one JSON object per line.
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
        parameters: [Options.data.description, target.description],
        examples: [
            Example("sooke repair --data /var/lib/sooke --to /var/lib/sooke-repaired", "Names all damage, then copies.")
        ],
        exitCodes: [
            .success, .answersLost, .noInput, .displaced, .locked, .inputOutput, .notPermitted, .configuration,
        ]
    ) { invocation throws(CommandError) in
        let console = invocation.console
        let folder = try invocation[Options.data]
        guard let target = try invocation[target] else {
            throw CommandError(.usage, "repair needs --to NEWDIR, the folder to make; the damaged one is only read")
        }
        do {
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
            guard sequence < last else { return .success }
            var text = "missing: changes \(sequence + 1) to \(last)"
            if let rest = copy.rest { text += "; those that can be read are in \(target)/\(rest)" }
            console.report("\(text)\n")
            return .answersLost
        } catch {
            throw CommandError(error)
        }
    }

    /// A message about older history that was not copied; nil when all was.
    private static func words(_ omitted: FolderCopy.OmittedHistory) -> String? {
        let commits = omitted.commits.map { run in
            run.count == 1 ? "change \(run.lowerBound)" : "changes \(run.lowerBound) to \(run.upperBound)"
        }
        let parts = commits + omitted.snapshots.map { "the snapshot after change \($0)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
