import CSystem
import Glibc

extension FileDescriptor {
    package var columns: Int? { terminalSize?.columns }

    package var terminalSize: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    package var terminalSettings: TerminalSettings? {
        var settings = termios()
        guard tcgetattr(number, &settings) == 0 else { return nil }
        return TerminalSettings(number: number, settings: settings)
    }

    /// Switches the echo off; nil when that is not possible.
    package func silence() -> TerminalSettings? {
        guard let former = terminalSettings else { return nil }
        former.apply { $0.c_lflag &= ~tcflag_t(ECHO) }
        return former
    }

    /// Passes every key on at once, without echo and without signals; nil when that is not possible.
    package func makeRaw() -> TerminalSettings? {
        guard let former = terminalSettings else { return nil }
        former.apply { cfmakeraw(&$0) }
        return former
    }
}

package struct TerminalSettings: Sendable {
    fileprivate let number: Int32
    fileprivate let settings: termios

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

/// How many columns a terminal uses for text: 0, 1 or 2 for a character.
package enum CellWidth {
    /// Its tables of widths are part of the C library itself.
    private static let locale = setlocale(LC_CTYPE, "C.UTF-8") != nil

    /// Two for an ideograph or an emoji, none for a combining mark on its own.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        // A selector of emoji presentation, U+FE0F, a joiner between two emoji, or two letters of a flag.
        if scalars.count > 1, scalars.contains(where: { $0.value == 0xFE0F || $0.properties.isEmojiModifier }) {
            return 2
        }
        if scalars.count > 1, scalars.allSatisfy({ 0x1F1E6...0x1F1FF ~= $0.value }) { return 2 }
        return scalars.reduce(0) { max($0, of($1)) }
    }

    package static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value ? 1 : 0 }
        return locale ? max(0, Int(wcwidth(wchar_t(bitPattern: scalar.value)))) : 1
    }
}
