/// How the process ends, as a script sees it.
///
/// From 64 on the numbers and their meanings are those of BSD's `sysexits.h`.
enum ExitCode: Int32, Sendable, CaseIterable {
    /// All was done.
    case success = 0
    /// The command ran and the answer is bad, but nothing that was answered is lost.
    case damaged = 1
    /// Changes that were answered as stored are lost or unreadable.
    case answersLost = 2
    /// `EX_USAGE`: the command line is wrong. Nothing was done.
    case usage = 64
    /// `EX_DATAERR`: what was to be read is not what it should be. Nothing was changed.
    case badData = 65
    /// `EX_NOINPUT`: a file or folder is not there or cannot be read.
    case noInput = 66
    /// `EX_UNAVAILABLE`: the address or port is taken, or no server answers.
    case unavailable = 69
    /// `EX_OSFILE`: the data folder, or the lock in it, is not where it was when it was opened. Nothing more was
    /// written.
    case displaced = 72
    /// `EX_CANTCREAT`: another process holds the data folder.
    case locked = 73
    /// `EX_IOERR`: a read or write failed. After a failed flush to disk the server ends with it.
    case inputOutput = 74
    /// `EX_TEMPFAIL`: the server stopped before it answered. What was asked for may be done or not.
    case unanswered = 75
    /// `EX_NOPERM`: the operating system does not let this user do it.
    case notPermitted = 77
    /// `EX_CONFIG`: the data folder is another program's, or of a format this version does not know.
    case configuration = 78

    /// What the code tells a script, in one line of at most 70 columns.
    var meaning: String {
        switch self {
        case .success: "done"
        case .damaged: "damaged, but nothing that was answered is lost"
        case .answersLost: "answered changes are lost or unreadable"
        case .usage: "the command line is wrong; nothing was done"
        case .badData: "the input has mistakes; nothing was changed"
        case .noInput: "a file or folder is missing or cannot be read"
        case .unavailable: "the port is taken, or no server answers"
        case .displaced: "the data folder was moved, deleted or replaced while in use"
        case .locked: "another process uses the data folder"
        case .inputOutput: "reading or writing failed"
        case .unanswered: "the server stopped before it answered; look, or try again"
        case .notPermitted: "this user may not do that"
        case .configuration: "the data folder is not one this version can use"
        }
    }
}
