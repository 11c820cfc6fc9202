import Platform

extension SystemError {
    /// How a command ends for which a file or socket could not be opened.
    var codeForOpening: ExitCode {
        if isForbidden { return .notPermitted }
        return isUnusablePath ? .noInput : .inputOutput
    }
}

/// Ends the process without running anything more, as a failed disk demands.
func exitAtOnce(_ code: ExitCode) -> Never {
    Machine.exitAtOnce(code.rawValue)
}
