/// What parsing, help and completion need to know of an option or an operand.
struct ParameterDescription: Sendable {
    /// How it stands on the command line.
    enum Kind: Sendable, Equatable {
        /// `--name`
        case flag(String)
        /// `--name VALUE` or `--name=VALUE`
        case option(String)
        /// A word by its place.
        case operand
    }

    let kind: Kind
    /// What stands for the value in help, in capitals; empty for a flag.
    let placeholder: String
    /// Whether it may be given more than once.
    var isRepeatable = false
    /// Whether the command cannot do without it.
    var isRequired = false
    /// The environment variable that is read when the option is not given.
    var environment: String?
    /// The text that counts when nothing is given.
    var fallback: String?
    /// What it does, in sentences.
    let help: String
    /// What a shell offers for its value.
    var completion = Completion.none
    /// Throws what is wrong with what was given.
    var check: @Sendable ([GivenText]) throws(CommandError) -> Void = { _ in }

    /// How a person writes it: `--port`, or `FILE`.
    var spelling: String {
        switch kind {
        case .flag(let name), .option(let name): "--\(name)"
        case .operand: placeholder
        }
    }

    /// How usage lines write it: `[--port PORT]`, `[--cors-origin ORIGIN]...`, `FILE...`.
    var usage: String {
        let words = kind == .operand || placeholder.isEmpty ? spelling : "\(spelling) \(placeholder)"
        return (isRequired ? words : "[\(words)]") + (isRepeatable ? "..." : "")
    }

    var isOperand: Bool { kind == .operand }
}

/// A text that was given as a value, and where.
struct GivenText: Sendable, Equatable {
    /// The text.
    let text: String
    /// What an error calls the place: `--port`, `FILE`, or the environment variable's name.
    let spelling: String
}
