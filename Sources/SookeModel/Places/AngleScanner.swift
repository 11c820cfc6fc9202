import Bytes

/// Reads degrees from text: `48.374`, `48,374`, `-123.726°`, `48°22'27"N`, `W123.726`, `48° 22.45′ N`, `lat 48.374`.
struct AngleScanner {
    /// The axis, if a letter or a word gives it.
    struct Angle {
        var degrees: Double
        var axis: PlaceText.Axis?
        /// With minutes (2), and with seconds (3).
        var parts = 1
        var hasFraction = false
    }

    /// With one character for each meaning: all spaces, minus signs, degree, minute and second signs.
    private var rest: ArraySlice<Unicode.Scalar>
    private let hasDecimalCommas: Bool
    /// Without signs, `48 22 27` is one angle.
    private let hasSigns: Bool

    init(_ source: String, hasSigns: Bool = true) {
        var text = source.unicodeScalars.map(Self.plain).drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        for (opening, closing) in [("(", ")"), ("[", "]")] as [(Unicode.Scalar, Unicode.Scalar)]
        where text.count > 1 && text.first == opening && text.last == closing && !Self.isOneNumber(text) {
            text = text.dropFirst().dropLast()
        }
        (rest, self.hasSigns) = (text, hasSigns)
        hasDecimalCommas = !text.contains(".")
    }

    /// Which the brackets make negative, as accountants write it.
    private static func isOneNumber(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let inner = text.dropFirst().dropLast()
        let points = inner.count { $0 == "." || $0 == "," }
        return text.first == "(" && points <= 1 && inner.count { "0"..."9" ~= $0 } + points == inner.count
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

    var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

    mutating func skipSeparator() {
        skipSpaces()
        if let next = rest.first, ",;/|".unicodeScalars.contains(next) { rest.removeFirst() }
    }

    /// What maps and people add to a place: a zoom such as `,17z`, and a note in brackets.
    mutating func skipNote() {
        skipSpaces()
        let start = rest
        let isAfterComma = take(",")
        skipSpaces()
        if !isAfterComma || number() == nil || !(take("z") || take("m")) { rest = start }
        skipSpaces()
        if rest.first == "(", rest.last == ")", !rest.contains(where: isDigit) { rest = [] }
    }

    mutating func nextAngle() throws(PlaceTextError) -> Angle? {
        skipSpaces()
        let label = takeLabel()
        var letter = takeLetter()
        skipSpaces()
        let isInBrackets = take("(")
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let whole = number() else { return nil }
        var angle = Angle(degrees: whole.value, hasFraction: !whole.isInteger)
        let end = rest
        skipSpaces()
        if take("°") || !hasSigns && whole.isInteger {
            angle = try minutesAndSeconds(after: whole)
        } else {
            rest = end
        }
        guard !isInBrackets || take(")") else { return nil }
        if letter == nil { letter = takeLetterBehind() }
        angle.axis = label
        guard let letter else {
            if isNegative || isInBrackets { angle.degrees.negate() }
            return angle
        }
        guard !isNegative else {
            throw PlaceTextError("has both a minus sign and the letter \(letter); one of them is enough")
        }
        let axis = letter == "N" || letter == "S" ? PlaceText.Axis.latitude : .longitude
        guard label ?? axis == axis else {
            throw PlaceTextError("has the letter \(letter) with a \(axis.other.name); correct one of them")
        }
        if letter == "S" || letter == "W" { angle.degrees.negate() }
        angle.axis = axis
        return angle
    }

    /// While others have signs, a number without one belongs to the next angle.
    private mutating func minutesAndSeconds(after whole: Number) throws(PlaceTextError) -> Angle {
        let mayLackSign = { (scanner: Self, number: Number) in
            !scanner.hasSigns && number.value < 60 && !["°", "'", "\""].contains(scanner.rest.first)
        }
        guard let minutes = number(before: { $0.takeMinuteSign() || mayLackSign($0, $1) }) else {
            return Angle(degrees: whole.value, hasFraction: !whole.isInteger)
        }
        let seconds = number(before: { $0.takeSecondSign() || minutes.isInteger && mayLackSign($0, $1) })
        guard whole.isInteger, minutes.isInteger || seconds == nil else {
            throw PlaceTextError(
                "has a fraction before its last number; only the last of degrees, minutes and seconds may")
        }
        guard minutes.value < 60, seconds?.value ?? 0 < 60 else {
            throw PlaceTextError("has minutes or seconds of 60 or more; there are 60 minutes in a degree")
        }
        let degrees = whole.value + minutes.value / 60 + (seconds?.value ?? 0) / 3600
        // Seven decimals are a centimetre.
        return Angle(
            degrees: (degrees * 10_000_000).rounded() / 10_000_000, parts: seconds == nil ? 2 : 3,
            hasFraction: !(seconds ?? minutes).isInteger)
    }

    private struct Number {
        let value: Double
        let isInteger: Bool
    }

    private var second: Unicode.Scalar? { rest.dropFirst().first }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }

    private mutating func takeLetter() -> Unicode.Scalar? {
        guard let next = rest.first, second?.properties.isAlphabetic != true,
            let letter = "NSEW".unicodeScalars.first(where: { $0.value == next.value & ~0x20 })
        else { return nil }
        rest.removeFirst()
        return letter
    }

    /// In `48.374 W123.726`, the letter belongs to the next number.
    private mutating func takeLetterBehind() -> Unicode.Scalar? {
        let end = rest
        skipSpaces()
        let isSeparate = rest.count < end.count
        if let letter = takeLetter(), !(isSeparate && rest.first.map(isDigit) ?? false) { return letter }
        rest = end
        return nil
    }

    private static let labels: [String: PlaceText.Axis] = [
        "lat": .latitude, "latitude": .latitude, "lon": .longitude, "long": .longitude, "lng": .longitude,
        "longitude": .longitude,
    ]

    private mutating func takeLabel() -> PlaceText.Axis? {
        let word = rest.prefix { $0.isASCII && $0.properties.isAlphabetic }
        guard word.count <= 9, let axis = Self.labels[String(String.UnicodeScalarView(word)).lowercased()] else {
            return nil
        }
        rest = rest[word.endIndex...]
        skipSpaces()
        if let next = rest.first, ":=.".unicodeScalars.contains(next) { rest.removeFirst() }
        skipSpaces()
        return axis
    }

    private mutating func takeMinuteSign() -> Bool {
        // Two of them are the sign of seconds.
        second != "'" && take("'")
    }

    private mutating func takeSecondSign() -> Bool { take("\"") || second == "'" && take("'") && take("'") }

    /// Reads nothing where no sign follows.
    private mutating func number(before sign: (inout Self, Number) -> Bool) -> Number? {
        let start = rest
        skipSpaces()
        if let number = number() {
            skipSpaces()
            if sign(&self, number) { return number }
        }
        rest = start
        return nil
    }

    private mutating func number() -> Number? {
        var digits = takeDigits()
        guard !digits.isEmpty else { return nil }
        var isInteger = true
        if let point = rest.first, point == "." || point == "," && hasDecimalCommas, second.map(isDigit) == true {
            rest.removeFirst()
            digits += "." + takeDigits()
            isInteger = false
        }
        return Double(decimal: digits).map { Number(value: $0, isInteger: isInteger) }
    }

    private mutating func takeDigits() -> String {
        let digits = rest.prefix(while: isDigit)
        rest = rest[digits.endIndex...]
        return String(String.UnicodeScalarView(digits))
    }

    private func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }
}
