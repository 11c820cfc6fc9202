import JSON

/// Why a command failed: a line for people, an exit code for scripts.
struct CommandError: Error, Equatable {
    /// The exit code of the process.
    let code: ExitCode
    /// What is wrong, where, and what to do next. One line, without a full stop.
    let message: String

    /// An error that ends the command.
    init(_ code: ExitCode, _ message: String) {
        (self.code, self.message) = (code, message)
    }

    /// A response of the server that cannot be read.
    init(invalidResponse error: JSONError) {
        self.init(.unavailable, "the server's response is invalid: \(error)")
    }
}
