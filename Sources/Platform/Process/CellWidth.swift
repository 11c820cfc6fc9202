import CSystem
import Glibc

/// How many columns a terminal uses for text: 0, 1 or 2 for a character.
package enum CellWidth {
    /// The locale whose tables of widths are used; it is part of the C library itself.
    private static let locale = setlocale(LC_CTYPE, "C.UTF-8") != nil

    /// The columns of a character: two for an ideograph or an emoji, none for a combining mark on its own.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        // A selector of emoji presentation, U+FE0F, a joiner between two emoji, or two letters of a flag.
        if scalars.count > 1, scalars.contains(where: { $0.value == 0xFE0F || $0.properties.isEmojiModifier }) {
            return 2
        }
        if scalars.count > 1, scalars.allSatisfy({ 0x1F1E6...0x1F1FF ~= $0.value }) { return 2 }
        return scalars.reduce(0) { max($0, of($1)) }
    }

    /// The columns of a text.
    package static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value ? 1 : 0 }
        return locale ? max(0, Int(wcwidth(wchar_t(bitPattern: scalar.value)))) : 1
    }
}
