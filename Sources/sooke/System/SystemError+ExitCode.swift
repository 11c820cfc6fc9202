import Platform

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
