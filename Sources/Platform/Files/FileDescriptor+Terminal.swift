import Glibc

extension FileDescriptor {
    /// The width of the terminal in columns; nil when it is unknown.
    package var columns: Int? { terminalSize?.columns }

    /// The size of the terminal in columns and rows; nil when it is unknown.
    package var terminalSize: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// How the terminal treats input and output now; nil when the descriptor is no terminal.
    package var terminalSettings: TerminalSettings? {
        var settings = termios()
        guard tcgetattr(number, &settings) == 0 else { return nil }
        return TerminalSettings(number: number, settings: settings)
    }

    /// Switches the echo of a terminal off; nil when that is not possible.
    package func silence() -> TerminalSettings? {
        guard let former = terminalSettings else { return nil }
        former.apply { $0.c_lflag &= ~tcflag_t(ECHO) }
        return former
    }

    /// Makes a terminal pass every key on at once, without echo and without signals; nil when that is not possible.
    package func makeRaw() -> TerminalSettings? {
        guard let former = terminalSettings else { return nil }
        former.apply { cfmakeraw(&$0) }
        return former
    }
}

/// The settings that a terminal had before it was silenced or made raw.
package struct TerminalSettings: Sendable {
    fileprivate let number: Int32
    fileprivate let settings: termios

    /// Restores the settings.
    package func restore() {
        var settings = settings
        tcsetattr(number, TCSADRAIN, &settings)
    }

    fileprivate func apply(_ change: (inout termios) -> Void) {
        var changed = settings
        change(&changed)
        tcsetattr(number, TCSAFLUSH, &changed)
    }
}
