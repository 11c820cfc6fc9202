struct HoursNotationLexer {
    private let characters: [Character]
    private var index = 0

    init(_ text: String) {
        // None that has a meaning has so many bytes, and such a run of combining marks would be slow to compare.
        characters = text.lowercased().map { $0.utf8.count > 16 ? "\u{FFFD}" : $0 }
    }

    mutating func tokens() throws(OpeningHoursError) -> [HoursNotationToken] {
        var tokens: [HoursNotationToken] = []
        while index < characters.count {
            let start = index
            guard let kind = try next() else { continue }
            // What follows is a date, which has no meaning either.
            if kind == .season {
                throw OpeningHoursError(
                    position: start + 1, expected: Self.anything, advice: HoursNotation.seasonAdvice)
            }
            tokens.append(HoursNotationToken(kind: kind, position: start + 1))
        }
        return try resolved(tokens) + [HoursNotationToken(kind: .end, position: characters.count + 1)]
    }

    /// Tokens in which an initial is a day: T beside Th is Tuesday, and S beside Su is Saturday.
    private func resolved(_ tokens: [HoursNotationToken]) throws(OpeningHoursError) -> [HoursNotationToken] {
        let kinds = tokens.map(\.kind)
        var tokens = tokens
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .initial("t") where kinds.contains(.day(4)): tokens[index].kind = .day(2)
            case .initial("s") where kinds.contains(.day(0)): tokens[index].kind = .day(6)
            case .initial: throw OpeningHoursError(position: token.position, expected: Self.anything)
            default: break
            }
        }
        return tokens
    }

    private static let anything = "a day, a time or \"closed\""

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
            throw error(Self.anything)
        }
    }

    private mutating func number() throws(OpeningHoursError) -> HoursNotationToken.Kind {
        let start = index
        let hasZero = characters[start] == "0"
        if let minutes = digits(3...4) { return try time(together: minutes, from: start, hasZero: hasZero) }
        guard let hour = digits(1...2) else { throw error("an hour, such as 9 or 17:30,") }
        if hour == 24, skip(anyOf: ["/7", "hours", "hour", "hrs", "hr", "h"]) { return .allDay }
        if hour == 7, skip(anyOf: ["daysaweek", "days/week", "days"]) { return .days(Array(0...6)) }
        var minutes: Int?
        // As in French: 9h and 17h30.
        let isFrench = isNext("h") && !(index + 1 < characters.count && characters[index + 1].isLetter)
        if index + 2 < characters.count, isFrench || ":.".contains(characters[index]),
            Self.isDigit(characters[index + 1])
        {
            index += 1
            guard let value = digits(2...2), value < 60 else { throw error("minutes from 00 to 59") }
            minutes = value
            try skipSeconds()
        } else if isFrench {
            index += 1
        }
        guard hour * 60 + (minutes ?? 0) <= 1440 else {
            index = start
            throw error("a time up to 24:00")
        }
        return .time(
            minutes: hour * 60 + (minutes ?? 0), is24Hours: hasZero || hour > 12 || hour == 0 || isFrench,
            hasMinutes: minutes != nil)
    }

    /// The time of a number without a colon, such as `0900`, in quarters of an hour: others may be years or phones.
    private mutating func time(
        together number: Int, from start: Int, hasZero: Bool
    ) throws(OpeningHoursError) -> HoursNotationToken.Kind {
        let (hour, minutes) = number.quotientAndRemainder(dividingBy: 100)
        guard hour * 60 + minutes <= 1440, minutes < 60, minutes.isMultiple(of: 15) else {
            index = start
            throw error("a time, such as 9am, noon or 17:30,")
        }
        return .time(
            minutes: hour * 60 + minutes, is24Hours: hasZero || hour > 12 || hour == 0, hasMinutes: true)
    }

    private mutating func skipSeconds() throws(OpeningHoursError) {
        guard isNext(":"), index + 1 < characters.count, Self.isDigit(characters[index + 1]) else { return }
        index += 1
        guard digits(2...2) == 0 else { throw error("a time without seconds") }
    }

    private func isNext(_ character: Character) -> Bool {
        index < characters.count && characters[index] == character
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
        if let kind = phrase(after: word) { return kind }
        if let kind = HoursNotationWords.kind(of: word) {
            if case .day = kind { skipAbbreviationDot(after: word) }
            return kind
        }
        index = start
        throw error(Self.anything)
    }

    private mutating func phrase(after word: String) -> HoursNotationToken.Kind? {
        let start = index - word.count
        if let rest = HoursNotationWords.appointments[word], skip(anyOf: rest) {
            let text = String(characters[start..<index]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            // "by appt."
            if text.hasSuffix("appt"), isNext(".") { index += 1 }
            return .appointment(word == "or" ? String(text.dropFirst(3)) : text)
        }
        switch word {
        case "all":
            if skip(anyOf: ["day"]) { return .wholeDay }
            if skip(anyOf: ["otherdays"]) { return .others }
            return skip(anyOf: ["days", "week"]) ? .days(Array(0...6)) : nil
        case "seven": return skip(anyOf: ["daysaweek", "days"]) ? .days(Array(0...6)) : nil
        case "other": return skip(anyOf: ["days", "times", "hours"]) ? .others : nil
        case "tous": return skip(anyOf: ["lesjours"]) ? .days(Array(0...6)) : nil
        default: return nil
        }
    }

    /// Skips the dot of `Mon.`, unless it may end a sentence.
    private mutating func skipAbbreviationDot(after word: String) {
        guard word.count <= 5, isNext(".") else { return }
        let rest = characters[(index + 1)...].drop { $0 == " " }
        let next = String(rest.prefix { $0.isLetter })
        let continues: [HoursNotationToken.Kind?] = [.to, .and]
        if rest.isEmpty || !next.isEmpty && !continues.contains(HoursNotationWords.kind(of: next)) { return }
        index += 1
    }

    private func error(_ expected: String) -> OpeningHoursError {
        OpeningHoursError(position: index + 1, expected: expected)
    }
}

struct HoursNotationToken {
    enum Kind: Equatable {
        case day(Int)
        case days([Int])
        /// The days that no other part names.
        case others
        /// `t` or `s`, which is a day where another word says which.
        case initial(Character)
        case publicHolidays
        /// A time: minutes since midnight as on a clock with 24 hours, and whether it is one of such a clock.
        case time(minutes: Int, is24Hours: Bool, hasMinutes: Bool)
        case am
        case pm
        case noon
        case midnight
        case to
        case and
        /// Between two parts; `isStrong` for more than a comma.
        case separator(isStrong: Bool)
        case closed
        /// The days after it are not among those before it.
        case except
        /// After "closed".
        case wholeDay
        /// A month or a season, which is not supported.
        case season
        case allDay
        case late
        case appointment(String)
        /// `open`, which means something beside holidays only.
        case open
        /// Public holidays on which the hours of the other days hold.
        case openHolidays
        case filler
        case end
    }

    var kind: Kind
    let position: Int
}

/// The words in hours as people write them, in English, and those of French and German signs.
enum HoursNotationWords {
    /// What a word in lower case means; nil when it is none.
    static func kind(of word: String) -> HoursNotationToken.Kind? {
        if let kind = words[word] { return kind }
        if let day = day(word) { return .day(day) }
        return isSeason(word) ? .season : nil
    }

    /// Names of days by at least two letters, perhaps in the plural.
    private static func day(_ word: String) -> Int? {
        let name = word.count > 4 && word.hasSuffix("s") && !word.hasSuffix("us") ? String(word.dropLast()) : word
        guard name.count >= 2 else { return nil }
        return OpeningHoursParser.days.firstIndex { $0.hasPrefix(word) || $0.hasPrefix(name) }
            ?? french.firstIndex { name.count >= 3 && $0.hasPrefix(name) }
            ?? german.firstIndex { $0 == name || $0.prefix(2) == name }
    }

    /// What follows a word in the phrases for "by appointment", without spaces.
    static let appointments: [String: [String]] = {
        let words = [
            "appointmentonly", "appointmentsonly", "apptonly", "appt.only", "appointments", "appointment", "appt",
        ]
        let by =
            words.flatMap { [$0 + "orchance", $0] } + [
                "chanceorappointment", "request", "reservationonly", "reservation",
            ]
        return [
            "by": by, "or": by.map { "by" + $0 }, "appointment": ["only"], "appointments": ["only"], "appt": ["only"],
            "on": ["appointment", "request"], "upon": ["appointment", "request"], "sur": ["rendez-vous", "rendezvous"],
            "nach": ["terminvereinbarung", "vereinbarung", "absprache"],
            "termin": ["nachvereinbarung", "nachabsprache"],
        ]
    }()

    private static let french = ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"]
    private static let german = ["sonntag", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag"]

    private static func isSeason(_ word: String) -> Bool {
        ["sept", "summer", "winter", "spring", "fall", "autumn", "season", "seasonal"].contains(word)
            || OpeningHoursParser.months.contains { $0 == word || $0.prefix(3) == word }
    }

    private static let everyDay = HoursNotationToken.Kind.days(Array(0...6))

    private static let words: [String: HoursNotationToken.Kind] = [
        "am": .am, "a": .am, "pm": .pm, "p": .pm, "noon": .noon, "midday": .noon, "midnight": .midnight,
        "midi": .noon, "minuit": .midnight,
        "to": .to, "til": .to, "till": .to, "until": .to, "through": .to, "thru": .to, "à": .to, "au": .to, "bis": .to,
        "and": .and, "et": .and, "und": .and,
        "closed": .closed, "off": .closed, "fermé": .closed, "fermée": .closed, "ferme": .closed,
        "geschlossen": .closed, "ruhetag": .closed, "late": .late, "close": .late,
        "except": .except, "excluding": .except, "sauf": .except, "außer": .except,
        "otherwise": .others, "else": .others,
        "m": .day(1), "w": .day(3), "f": .day(5), "t": .initial("t"), "s": .initial("s"),
        "weds": .day(3), "tues": .day(2), "thur": .day(4), "thurs": .day(4),
        "mwf": .days([1, 3, 5]), "mw": .days([1, 3]), "wf": .days([3, 5]), "tth": .days([2, 4]),
        "tuth": .days([2, 4]), "mtwthf": .days(Array(1...5)), "mtwtf": .days(Array(1...5)),
        "daily": everyDay, "everyday": everyDay, "day": everyDay, "täglich": everyDay,
        "weekdays": .days(Array(1...5)), "weekday": .days(Array(1...5)), "weekends": .days([0, 6]),
        "weekend": .days([0, 6]),
        "holidays": .publicHolidays, "holiday": .publicHolidays, "ph": .publicHolidays, "fériés": .publicHolidays,
        "feiertage": .publicHolidays,
        "open": .open, "ouvert": .open, "geöffnet": .open, "from": .filler, "hours": .filler, "hrs": .filler,
        "on": .filler, "the": .filler,
        "stat": .filler, "statutory": .filler, "public": .filler, "every": .filler, "uhr": .filler, "h": .filler,
        "de": .filler, "du": .filler, "le": .filler, "jours": .filler, "von": .filler,
        // The hours are local ones.
        "pst": .filler, "pdt": .filler, "pt": .filler, "mst": .filler, "mdt": .filler, "mt": .filler, "cst": .filler,
        "cdt": .filler, "ct": .filler, "est": .filler, "edt": .filler, "cet": .filler, "cest": .filler,
    ]
}
