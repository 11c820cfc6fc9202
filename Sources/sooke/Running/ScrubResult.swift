import Bytes
import Journal

/// The result of a scrub: of reading every byte of a data folder.
enum ScrubResult: Sendable {
    /// No damage was found.
    case sound
    /// These places are damaged.
    case damaged([InspectionReport.Finding])
    /// The files could not be read to the end.
    case unreadable(JournalError)

    /// A description of the damage, in one line without a full stop; nil when none is known.
    ///
    /// An unreadable file counts as damage only if the disk fails: a lack of descriptors may be temporary.
    var damage: String? {
        switch self {
        case .sound: nil
        case .damaged(let findings):
            "\(findings[0])" + (findings.count > 1 ? "; and \(Count.grouped(findings.count - 1)) more" : "")
        case .unreadable(let error): error.cause?.isFatal == true ? error.message : nil
        }
    }

    /// Messages for the administrator, one per line.
    ///
    /// - Parameter folder: the data folder, for the command in the next step.
    func messages(folder: String) -> [String] {
        let nextStep = "the town is served as before; look with: sooke verify --data \(ShellWord.quoted(folder))"
        switch self {
        case .sound: return []
        case .damaged(let findings):
            let shown = findings.prefix(Self.shownFindings).map { "damaged: \($0)" }
            let rest = findings.count - shown.count
            return shown + (rest > 0 ? ["damaged: \(Count(rest, "more place"))"] : []) + [nextStep]
        case .unreadable(let error):
            return ["the files in \(folder) could not be checked: \(error.message)", nextStep]
        }
    }

    private static let shownFindings = 10
}
