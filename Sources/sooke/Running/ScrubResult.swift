import Journal

/// What came of reading every byte of a data folder.
enum ScrubResult: Sendable {
    /// All is as it was written.
    case sound
    /// This is not.
    case damaged([InspectionReport.Finding])
    /// The files could not be read to the end.
    case unreadable(JournalError)

    /// What is wrong with the files, in one line without a full stop; nil when nothing is known to be.
    ///
    /// Only a disk that fails to read is damage: descriptors may be short for a while.
    var damage: String? {
        switch self {
        case .sound: nil
        case .damaged(let findings):
            "\(findings[0])" + (findings.count > 1 ? "; and \(FormattedNumber.grouped(findings.count - 1)) more" : "")
        case .unreadable(let error): error.cause?.isFatal == true ? error.message : nil
        }
    }

    /// What the owner should read, line by line.
    ///
    /// - Parameter folder: the data folder, to be named in the next step.
    func messages(folder: String) -> [String] {
        let nextStep = "the town is served as before; look with: sooke verify --data \(folder)"
        switch self {
        case .sound: return []
        case .damaged(let findings):
            let shown = findings.prefix(Self.shownFindings).map { "damaged: \($0)" }
            let rest = findings.count - shown.count
            return shown + (rest > 0 ? ["damaged: \(FormattedNumber.grouped(rest)) more places"] : []) + [nextStep]
        case .unreadable(let error):
            return ["the files in \(folder) could not be checked: \(error.message)", nextStep]
        }
    }

    private static let shownFindings = 10
}
