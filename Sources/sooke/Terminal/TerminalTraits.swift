#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
        var size = winsize()
        guard ioctl(descriptor.number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return TextWrap.width }
        return Int(size.ws_col)
    }
}
