import Bytes
import Journal
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
    ) { invocation throws(CommandError) in
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
                _ = try Town.inFolder(folder)
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
        return verdict.exitCode
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
