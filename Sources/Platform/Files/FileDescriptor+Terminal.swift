import Glibc

extension FileDescriptor {
    /// The columns that a terminal has now; nil when it does not tell.
    package var columns: Int? {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Stops a terminal from showing what is typed; nil where that cannot be.
    package func silence() -> SilencedTerminal? {
        var settings = termios()
        guard tcgetattr(number, &settings) == 0 else { return nil }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(number, TCSAFLUSH, &silent)
        return SilencedTerminal(number: number, settings: settings)
    }
}

/// A terminal that does not show what is typed.
package struct SilencedTerminal {
    fileprivate let number: Int32
    fileprivate let settings: termios

    /// Sets it back to what it was.
    package func restore() {
        var settings = settings
        tcsetattr(number, TCSAFLUSH, &settings)
    }
}
