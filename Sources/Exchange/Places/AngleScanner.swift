import Bytes
import SookeModel

/// Reads degrees from text: `48.374`, `48,374`, `-123.726°`, `48°22'27"N`, `W123.726`, `48° 22.45′ N`.
struct AngleScanner {
    /// Degrees, and their axis if a letter gives it.
    struct Angle {
        var degrees: Double
        var axis: PlaceText.Axis?
    }

    /// The text with one character for each meaning: all spaces, minus signs, degree, minute and second signs.
    private let text: [Unicode.Scalar]
    private var position = 0
    /// Whether a comma between digits is a decimal point. It is unless the text has one.
    private let hasDecimalCommas: Bool

    init(_ source: String) {
        var text = source.unicodeScalars.map(Self.plain)
        text.removeLast(text.reversed().prefix { $0 == " " }.count)
        text.removeFirst(text.prefix { $0 == " " }.count)
        for (opening, closing) in [("(", ")"), ("[", "]")] as [(Unicode.Scalar, Unicode.Scalar)]
        where text.count > 1 && text.first == opening && text.last == closing {
            text = Array(text.dropFirst().dropLast())
        }
        self.text = text
        hasDecimalCommas = !text.contains(".")
    }

    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\t", "\n", "\r", "\u{A0}", "\u{2009}", "\u{202F}": " "
        case "\u{2212}", "\u{2012}", "\u{2013}": "-"
        case "\u{BA}", "\u{2DA}": "°"
        case "\u{2032}", "\u{2018}", "\u{2019}", "\u{B4}", "`": "'"
        case "\u{2033}", "\u{201C}", "\u{201D}": "\""
        default: scalar
        }
    }

    /// Whether nothing follows but spaces.
    var isAtEnd: Bool { text[position...].allSatisfy { $0 == " " } }

    /// Moves past spaces and one sign that separates two numbers.
    mutating func skipSeparator() {
        skipSpaces()
        if let next, ",;/|".unicodeScalars.contains(next) { position += 1 }
    }

    /// Reads the next degrees; nil when something else comes next.
    ///
    /// - Throws: what is wrong with them.
    mutating func nextAngle() throws(PlaceTextError) -> Angle? {
        skipSpaces()
        var letter = takeLetter()
        skipSpaces()
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let whole = number() else { return nil }
        var degrees = whole.value
        skipSpaces()
        if take("°") { degrees = try minutesAndSeconds(after: whole) }
        // A letter right before a number belongs to the next angle: `48.374 W123.726`.
        if letter == nil {
            skipSpaces()
            if position + 1 >= text.count || !("0"..."9" ~= text[position + 1]) { letter = takeLetter() }
        }
        guard let letter else { return Angle(degrees: isNegative ? -degrees : degrees) }
        guard !isNegative else {
            throw PlaceTextError("has both a minus sign and the letter \(letter); one of them is enough")
        }
        let isSouthOrWest = letter == "S" || letter == "W"
        return Angle(
            degrees: isSouthOrWest ? -degrees : degrees, axis: letter == "N" || letter == "S" ? .latitude : .longitude)
    }

    /// Reads minutes and seconds if they follow. A number without a sign of minutes belongs to the next angle.
    private mutating func minutesAndSeconds(after whole: Number) throws(PlaceTextError) -> Double {
        guard let minutes = number(before: { $0.takeMinuteSign() }) else { return whole.value }
        let seconds = number(before: { $0.takeSecondSign() })
        guard whole.isInteger, minutes.isInteger || seconds == nil else {
            throw PlaceTextError(
                "has a fraction before its last number; only the last of degrees, minutes and seconds may")
        }
        guard minutes.value < 60, seconds?.value ?? 0 < 60 else {
            throw PlaceTextError("has minutes or seconds of 60 or more; there are 60 minutes in a degree")
        }
        let degrees = whole.value + minutes.value / 60 + (seconds?.value ?? 0) / 3600
        // Seven decimals are a centimetre.
        return (degrees * 10_000_000).rounded() / 10_000_000
    }

    // MARK: Characters

    private struct Number {
        let value: Double
        let isInteger: Bool
    }

    private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        while next == " " { position += 1 }
    }

    /// A letter of a direction that is not the beginning of a word.
    private mutating func takeLetter() -> Unicode.Scalar? {
        guard let next, let letter = "NSEW".unicodeScalars.first(where: { $0.value == next.value & ~0x20 }),
            position + 1 == text.count || !text[position + 1].properties.isAlphabetic
        else { return nil }
        position += 1
        return letter
    }

    private mutating func takeMinuteSign() -> Bool {
        // Two of them are the sign of seconds.
        guard next == "'", position + 1 == text.count || text[position + 1] != "'" else { return false }
        return take("'")
    }

    private mutating func takeSecondSign() -> Bool {
        if take("\"") { return true }
        guard next == "'", position + 1 < text.count, text[position + 1] == "'" else { return false }
        position += 2
        return true
    }

    /// Reads a number that a sign follows; otherwise reads nothing.
    private mutating func number(before sign: (inout Self) -> Bool) -> Number? {
        let start = position
        skipSpaces()
        if let number = number() {
            skipSpaces()
            if sign(&self) { return number }
        }
        position = start
        return nil
    }

    /// Reads digits with at most one decimal point.
    private mutating func number() -> Number? {
        var digits = ""
        takeDigits(into: &digits)
        guard !digits.isEmpty else { return nil }
        var isInteger = true
        if let point = next, point == "." || point == "," && hasDecimalCommas, position + 1 < text.count,
            isDigit(text[position + 1])
        {
            position += 1
            digits += "."
            takeDigits(into: &digits)
            isInteger = false
        }
        return Double(decimal: digits).map { Number(value: $0, isInteger: isInteger) }
    }

    private mutating func takeDigits(into digits: inout String) {
        while let scalar = next, isDigit(scalar) {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
    }

    private func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }
}
