import Platform

/// What the other end of a descriptor can show.
struct TerminalTraits: Sendable, Equatable {
    /// Whether a line may be drawn over: a terminal that is not `dumb`.
    let canRedraw: Bool
    /// Whether colour is welcome: such a terminal, and `NO_COLOR` (no-color.org) not set or empty.
    let allowsColor: Bool

    init(isTerminal: Bool, _ environment: Environment) {
        let kind = environment["TERM"] ?? ""
        canRedraw = isTerminal && !kind.isEmpty && kind != "dumb"
        allowsColor = canRedraw && (environment["NO_COLOR"] ?? "").isEmpty
    }

    init(of descriptor: FileDescriptor, _ environment: Environment) {
        self.init(isTerminal: descriptor.isTerminal, environment)
    }

    /// The columns that a terminal has now; 80 when it does not tell.
    static func columns(of descriptor: FileDescriptor) -> Int {
        descriptor.columns ?? TextWrap.width
    }
}
