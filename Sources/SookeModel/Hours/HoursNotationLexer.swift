/// Reads the tokens of a text.
struct HoursNotationLexer {
    private let characters: [Character]
    private var index = 0

    init(_ text: String) {
        characters = Array(text.lowercased())
    }

    /// All tokens, and one for the end.
    mutating func tokens() throws(OpeningHoursError) -> [HoursNotationToken] {
        var tokens: [HoursNotationToken] = []
        while index < characters.count {
            let start = index
            if let kind = try next() { tokens.append(HoursNotationToken(kind: kind, position: start + 1)) }
        }
        return tokens + [HoursNotationToken(kind: .end, position: characters.count + 1)]
    }

    /// The next token; nil for spaces.
    private mutating func next() throws(OpeningHoursError) -> HoursNotationToken.Kind? {
        let character = characters[index]
        if Self.isDigit(character) { return try number() }
        if character.isLetter { return try word() }
        index += 1
        switch character {
        case " ", "\t", "\u{A0}", "\u{202F}", "\u{2009}": return nil
        case "-", "‐", "‑", "–", "—", "−", "~": return .to
        case "&", "+", "/": return .and
        case ",": return .separator(isStrong: false)
        case ";", "(", ")", "|", "\n", "\r", "\r\n", ".", "•", "·": return .separator(isStrong: true)
        case ":": return .filler
        default:
            index -= 1
            throw error("a day, a time or \"closed\"")
        }
    }

    private mutating func number() throws(OpeningHoursError) -> HoursNotationToken.Kind {
        let start = index
        guard let hour = digits(1...2) else { throw error("an hour, such as 9 or 17:30,") }
        let hasZero = characters[start] == "0"
        if hour == 24, skip(anyOf: ["/7", "hours", "hour", "hrs", "hr", "h"]) { return .allDay }
        if hour == 7, skip(anyOf: ["daysaweek", "days/week", "days"]) { return .days(Array(0...6)) }
        var minutes = 0
        if index + 2 < characters.count, ":.".contains(characters[index]), Self.isDigit(characters[index + 1]) {
            index += 1
            guard let value = digits(2...2), value < 60 else { throw error("minutes from 00 to 59") }
            minutes = value
        }
        guard hour * 60 + minutes <= 1440 else {
            index = start
            throw error("a time up to 24:00")
        }
        return .time(minutes: hour * 60 + minutes, is24Hours: hasZero || hour > 12 || hour == 0)
    }

    /// Skips one of some texts without spaces, if it is next as a whole.
    private mutating func skip(anyOf texts: [String]) -> Bool {
        let start = index
        for text in texts {
            var rest = text[...]
            while index < characters.count, !rest.isEmpty, characters[index] == " " || characters[index] == rest.first {
                if characters[index] != " " { rest.removeFirst() }
                index += 1
            }
            let isWhole = index == characters.count || !characters[index].isLetter && !Self.isDigit(characters[index])
            if rest.isEmpty, isWhole { return true }
            index = start
        }
        return false
    }

    private mutating func digits(_ count: ClosedRange<Int>) -> Int? {
        var (value, end) = (0, index)
        while end < characters.count, Self.isDigit(characters[end]), end - index < 5 {
            value = value * 10 + (characters[end].wholeNumberValue ?? 0)
            end += 1
        }
        guard count.contains(end - index) else { return nil }
        index = end
        return value
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && "0" <= character && character <= "9"
    }

    private mutating func word() throws(OpeningHoursError) -> HoursNotationToken.Kind {
        let start = index
        while index < characters.count, characters[index].isLetter { index += 1 }
        let word = String(characters[start..<index])
        // a.m. and p.m., whose last dot may be missing.
        if word == "a" || word == "p", index + 1 < characters.count, characters[index] == ".",
            characters[index + 1] == "m"
        {
            index += 2
            if index < characters.count, characters[index] == "." { index += 1 }
            return word == "a" ? .am : .pm
        }
        if let kind = Self.words[word] { return kind }
        if let day = Self.day(word) { return .day(day) }
        index = start
        throw error("a day, a time or \"closed\"")
    }

    private func error(_ expected: String) -> OpeningHoursError {
        OpeningHoursError(position: index + 1, expected: expected)
    }

    /// Names of days by at least two letters, perhaps in the plural.
    private static func day(_ word: String) -> Int? {
        let name = word.count > 4 && word.hasSuffix("s") && !word.hasSuffix("us") ? String(word.dropLast()) : word
        guard name.count >= 2 else { return nil }
        return OpeningHoursParser.days.firstIndex { $0.hasPrefix(word) || $0.hasPrefix(name) }
    }

    private static let words: [String: HoursNotationToken.Kind] = [
        "am": .am, "a": .am, "pm": .pm, "p": .pm, "noon": .noon, "midday": .noon, "midnight": .midnight,
        "to": .to, "til": .to, "till": .to, "until": .to, "through": .to, "thru": .to, "and": .and,
        "closed": .closed, "off": .closed, "late": .late, "close": .late,
        "m": .day(1), "w": .day(3), "f": .day(5), "weds": .day(3), "tues": .day(2), "thur": .day(4), "thurs": .day(4),
        "daily": .days(Array(0...6)), "everyday": .days(Array(0...6)), "weekdays": .days(Array(1...5)),
        "weekday": .days(Array(1...5)), "weekends": .days([0, 6]), "weekend": .days([0, 6]),
        "holidays": .publicHolidays,
        "holiday": .publicHolidays, "ph": .publicHolidays, "open": .filler, "from": .filler, "hours": .filler,
        "on": .filler, "the": .filler, "stat": .filler, "statutory": .filler, "public": .filler, "every": .filler,
        "day": .days(Array(0...6)),
    ]
}
