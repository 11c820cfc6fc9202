/// Why a command ends without having done its work: one line for the person at the keyboard, one number for scripts.
struct CommandError: Error, Equatable {
    /// How the process ends.
    let code: ExitCode
    /// What is wrong, where, and what to do next. One line, without a full stop.
    let message: String

    /// A command that cannot go on.
    init(_ code: ExitCode, _ message: String) {
        (self.code, self.message) = (code, message)
    }
}
