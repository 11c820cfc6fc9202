import Bytes
import JSON
import Platform

struct CommandError: Error, Equatable {
    let code: ExitCode
    /// What is wrong, where, and what to do next. One line, without a full stop.
    let message: String

    init(_ code: ExitCode, _ message: String) {
        (self.code, self.message) = (code, message)
    }

    /// Runs system calls, with what they are for in the message of an error.
    /// Without a code, the exit code is that of a failed opening.
    static func mapped<Value: ~Copyable>(
        _ message: @autoclosure () -> String, _ code: ExitCode? = nil, _ body: () throws -> Value
    ) throws(CommandError) -> Value {
        do {
            return try body()
        } catch let error as CommandError {
            throw error
        } catch {
            let code = code ?? (error as? SystemError)?.codeForOpening ?? .inputOutput
            throw CommandError(code, "\(message()): \(error)")
        }
    }

    init(invalidResponse error: any Error) {
        self.init(.unavailable, "the server's response is invalid: \(error)")
    }
    static func readOnly(_ message: String, in folder: String) -> CommandError {
        CommandError(
            .unavailable, "\(message). To accept changes again: sooke read-only off --data \(ShellWord.quoted(folder))")
    }
}

/// The exit code of the process. From 64 on the codes and their meanings are those of BSD's `sysexits.h`.
enum ExitCode: Int32, Error, CaseIterable {
    case success = 0
    case damaged = 1
    case answersLost = 2
    case donePartly = 3
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    /// Nothing more was written to the data folder.
    case displaced = 72
    case locked = 73
    /// The server ends with it after a failed sync.
    case inputOutput = 74
    case unanswered = 75
    case notPermitted = 77
    case configuration = 78

    /// The meaning of the code for a script, in one line of at most 70 columns.
    var meaning: String {
        switch self {
        case .success: "done"
        case .damaged: "damaged, but no acknowledged change is lost"
        case .answersLost: "acknowledged changes are lost or unreadable"
        case .donePartly: "done in part: more than a tenth of the input was left out"
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
    var codeForOpening: ExitCode {
        if isForbidden { return .notPermitted }
        return isUnusablePath ? .noInput : .inputOutput
    }
}

/// Ends the process without running anything more, as a failed disk requires.
func exitAtOnce(_ code: ExitCode) -> Never {
    Machine.exitAtOnce(code.rawValue)
}
