import Glibc

extension FileDescriptor {
    /// The width of the terminal in columns; nil when it is unknown.
    package var columns: Int? {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Switches the echo of a terminal off; nil when that is not possible.
    package func silence() -> SilencedTerminal? {
        var settings = termios()
        guard tcgetattr(number, &settings) == 0 else { return nil }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(number, TCSAFLUSH, &silent)
        return SilencedTerminal(number: number, settings: settings)
    }
}

/// A terminal without echo.
package struct SilencedTerminal {
    fileprivate let number: Int32
    fileprivate let settings: termios

    /// Restores the settings.
    package func restore() {
        var settings = settings
        tcsetattr(number, TCSAFLUSH, &settings)
    }
}
