import Bytes
import Journal

extension Command {
    /// `sooke verify`
    static let verify = Command(
        name: "verify",
        summary: "Read every byte of a data folder and report damage",
        discussion: [
            "It changes nothing and may run while a server does.",
            """
            The exit code is 0 when all is sound, 1 when there is damage but no acknowledged change is lost, and 2 when \
            acknowledged changes are lost or unreadable.
            """,
        ],
        parameters: [Options.data.description],
        examples: [Example("sooke verify --data /var/lib/sooke", "Names file, line, byte and sequence of any damage.")],
        exitCodes: [.success, .damaged, .answersLost, .noInput, .inputOutput, .notPermitted, .configuration]
    ) { invocation throws(CommandError) in
        let report: InspectionReport
        let folder = try invocation[Options.data]
        do throws(JournalError) {
            report = try JournalInspector.inspect(folder)
        } catch {
            throw DataFolder.exists(folder) ? CommandError(error) : .noTown(folder)
        }
        var text = report.findings.map { "\($0)\n" }.joined()
        text += """
            \(Count(report.commits, "commit")) in \(Count(report.segments, "segment")), \
            \(Count(report.snapshots, "snapshot")), \
            \(FormattedNumber.bytes(report.bytes)), last sequence \(report.lastSequence): \(report.verdict.words)

            """
        try invocation.console.print(text)
        return report.verdict.exitCode
    }
}

extension InspectionReport.Verdict {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .sound: .success
        case .damaged: .damaged
        case .lost: .answersLost
        }
    }

    fileprivate var words: String {
        switch self {
        case .sound: "all is sound"
        case .damaged: "damaged, but no acknowledged change is lost"
        case .lost: "acknowledged changes are lost or unreadable"
        }
    }
}
