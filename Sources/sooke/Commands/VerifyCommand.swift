import Journal

extension Command {
    /// `sooke verify`
    static let verify = Command(
        name: "verify",
        summary: "Read every byte of a data folder and report damage",
        discussion: [
            "It changes nothing and may run beside a server.",
            """
            It ends with 0 when all is sound, with 1 when something is damaged but nothing that was answered is lost, \
            and with 2 when answered changes are lost or cannot be read.
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
            throw CommandError(error)
        }
        var text = report.findings.map { "\($0)\n" }.joined()
        text += """
            \(FormattedNumber.grouped(report.commits)) commits in \(report.segments) segments, \(report.snapshots) snapshots, \
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
