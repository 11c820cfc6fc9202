import Bytes
import JSON
import Platform

/// Why a command failed: a line for people, an exit code for scripts.
struct CommandError: Error, Equatable {
    let code: ExitCode
    /// What is wrong, where, and what to do next. One line, without a full stop.
    let message: String

    init(_ code: ExitCode, _ message: String) {
        (self.code, self.message) = (code, message)
    }

    init(invalidResponse error: JSONError) {
        self.init(.unavailable, "the server's response is invalid: \(error)")
    }
}

extension CommandError {
    /// - Parameter message: what is wrong, with the reason.
    static func readOnly(_ message: String, in folder: String) -> CommandError {
        CommandError(
            .unavailable, "\(message). To accept changes again: sooke read-only off --data \(ShellWord.quoted(folder))")
    }
}

/// The exit code of the process.
///
/// From 64 on the codes and their meanings are those of BSD's `sysexits.h`.
enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    /// The command ran and found damage, but no acknowledged change is lost.
    case damaged = 1
    /// Acknowledged changes are lost or unreadable.
    case answersLost = 2
    /// `EX_USAGE`: the command line is wrong. Nothing was done.
    case usage = 64
    /// `EX_DATAERR`: the input is invalid. Nothing was changed.
    case badData = 65
    /// `EX_NOINPUT`: a file or folder does not exist or cannot be read.
    case noInput = 66
    /// `EX_UNAVAILABLE`: the address or port is in use, no server responds, or the town is read-only.
    case unavailable = 69
    /// `EX_OSFILE`: the data folder, or its lock file, was moved, deleted or replaced. Nothing more was written.
    case displaced = 72
    /// `EX_CANTCREAT`: another process uses the data folder.
    case locked = 73
    /// `EX_IOERR`: a read or write failed. The server ends with it after a failed sync.
    case inputOutput = 74
    /// `EX_TEMPFAIL`: the server stopped before it responded. The change may have been made.
    case unanswered = 75
    /// `EX_NOPERM`: the operating system denies it to this user.
    case notPermitted = 77
    /// `EX_CONFIG`: the data folder belongs to another program, or has an unknown format.
    case configuration = 78

    /// The meaning of the code for a script, in one line of at most 70 columns.
    var meaning: String {
        switch self {
        case .success: "done"
        case .damaged: "damaged, but no acknowledged change is lost"
        case .answersLost: "acknowledged changes are lost or unreadable"
        case .usage: "the command line is wrong; nothing was done"
        case .badData: "the input has mistakes; nothing was changed"
        case .noInput: "a file or folder is missing or cannot be read"
        case .unavailable: "the port is taken, no server answers, or the town is read-only"
        case .displaced: "the data folder was moved, deleted or replaced while in use"
        case .locked: "another process uses the data folder"
        case .inputOutput: "reading or writing failed"
        case .unanswered: "the server stopped before it answered; look, or try again"
        case .notPermitted: "this user may not do that"
        case .configuration: "the data folder is not one this version can use"
        }
    }
}

extension SystemError {
    /// The exit code of a command when a file or socket cannot be opened.
    var codeForOpening: ExitCode {
        if isForbidden { return .notPermitted }
        return isUnusablePath ? .noInput : .inputOutput
    }
}

/// Ends the process without running anything more, as a failed disk requires.
func exitAtOnce(_ code: ExitCode) -> Never {
    Machine.exitAtOnce(code.rawValue)
}
