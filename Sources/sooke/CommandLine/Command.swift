/// A command of the program: parsing, errors, help and shell completion all use this value.
struct Command: Sendable {
    /// An example command line, with an explanation.
    struct Example: Sendable {
        let line: String
        let explanation: String

        init(_ line: String, _ explanation: String) {
            (self.line, self.explanation) = (line, explanation)
        }
    }

    /// The word after `sooke`.
    let name: String
    /// A summary in at most 60 columns, for lists.
    let summary: String
    /// Further paragraphs of the description.
    var discussion: [String] = []
    /// Options and operands, in the order in which help lists them.
    var parameters: [ParameterDescription] = []
    let examples: [Example]
    /// The exit codes that a script should expect, besides `usage`.
    let exitCodes: [ExitCode]
    /// What some of them mean for this command in particular.
    var meanings: [ExitCode: String] = [:]
    /// Runs the command.
    let run: @Sendable (Invocation) throws(CommandError) -> ExitCode

    var options: [ParameterDescription] { parameters.filter { !$0.isOperand } }
    var operands: [ParameterDescription] { parameters.filter(\.isOperand) }
}

/// A parsed command line: the values of the parameters, and the console.
struct Invocation: Sendable {
    let console: Console
    /// The given values, by the parameter's spelling.
    let given: [String: [GivenText]]

    /// The value of a parameter of this command.
    subscript<Value>(parameter: Parameter<Value>) -> Value {
        get throws(CommandError) {
            try parameter.read(given[parameter.description.spelling] ?? [])
        }
    }
}
