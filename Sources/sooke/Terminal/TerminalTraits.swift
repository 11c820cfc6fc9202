import Platform

/// The capabilities of a terminal or another output.
struct TerminalTraits: Sendable, Equatable {
    /// Whether a line can be redrawn: a terminal that is not `dumb`.
    let canRedraw: Bool
    /// Whether colour is used: on such a terminal, if `NO_COLOR` (no-color.org) is not set or empty.
    let allowsColor: Bool

    init(isTerminal: Bool, _ environment: Environment) {
        let kind = environment["TERM"] ?? ""
        canRedraw = isTerminal && !kind.isEmpty && kind != "dumb"
        allowsColor = canRedraw && (environment["NO_COLOR"] ?? "").isEmpty
    }

    init(of descriptor: FileDescriptor, _ environment: Environment) {
        self.init(isTerminal: descriptor.isTerminal, environment)
    }

    /// The width of the terminal in columns; 80 when it is unknown.
    static func columns(of descriptor: FileDescriptor) -> Int {
        descriptor.columns ?? TextWrap.width
    }
}
