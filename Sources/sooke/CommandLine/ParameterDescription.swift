/// The description of an option or an operand for parsing, help and completion.
struct ParameterDescription: Sendable {
    /// The form on the command line.
    enum Kind: Sendable, Equatable {
        /// `--name`
        case flag(String)
        /// `--name VALUE` or `--name=VALUE`
        case option(String)
        /// A word by its position.
        case operand
    }

    let kind: Kind
    /// The placeholder of the value in help, in capitals; empty for a flag.
    let placeholder: String
    /// Whether it may be given more than once.
    var isRepeatable = false
    /// Whether it must be given.
    var isRequired = false
    /// The environment variable that is read when the option is not given.
    var environment: String?
    /// The default text.
    var fallback: String?
    /// The explanation, in sentences.
    let help: String
    /// The completions of its value.
    var completion = Completion.none
    /// Throws when the given texts are invalid.
    var check: @Sendable ([GivenText]) throws(CommandError) -> Void = { _ in }

    /// The spelling in messages: `--port`, or `FILE`.
    var spelling: String {
        switch kind {
        case .flag(let name), .option(let name): "--\(name)"
        case .operand: placeholder
        }
    }

    /// The form in usage lines: `[--port PORT]`, `[--cors-origin ORIGIN]...`, `FILE...`.
    var usage: String {
        let words = kind == .operand || placeholder.isEmpty ? spelling : "\(spelling) \(placeholder)"
        return (isRequired ? words : "[\(words)]") + (isRepeatable ? "..." : "")
    }

    var isOperand: Bool { kind == .operand }
}

/// A text that was given as a value, and its source.
struct GivenText: Sendable, Equatable {
    /// The text.
    let text: String
    /// The name of the source in errors: `--port`, `FILE`, or the environment variable's name.
    let spelling: String
}
