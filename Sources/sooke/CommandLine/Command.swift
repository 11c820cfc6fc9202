/// A command of the program, described once: parsing, errors, help and shell completion all come from this value.
struct Command: Sendable {
    /// A command line that does something, and what it does.
    struct Example: Sendable {
        let line: String
        let explanation: String

        init(_ line: String, _ explanation: String) {
            (self.line, self.explanation) = (line, explanation)
        }
    }

    /// The word after `sooke`.
    let name: String
    /// What it does, in at most 60 columns, to stand in a list.
    let summary: String
    /// More about it, a paragraph each.
    var discussion: [String] = []
    /// Options and operands, in the order in which help lists them.
    var parameters: [ParameterDescription] = []
    let examples: [Example]
    /// The exit codes that a script should expect, besides `usage`.
    let exitCodes: [ExitCode]
    /// Does it.
    let run: @Sendable (Invocation) throws(CommandError) -> ExitCode

    var options: [ParameterDescription] { parameters.filter { !$0.isOperand } }
    var operands: [ParameterDescription] { parameters.filter(\.isOperand) }
}

/// A command line that was understood: what was given for each parameter, and where the command reads and writes.
struct Invocation: Sendable {
    let console: Console
    /// What was given, by the parameter's spelling.
    let given: [String: [GivenText]]

    /// The value of a parameter of this command.
    subscript<Value>(parameter: Parameter<Value>) -> Value {
        get throws(CommandError) {
            try parameter.read(given[parameter.description.spelling] ?? [])
        }
    }
}
