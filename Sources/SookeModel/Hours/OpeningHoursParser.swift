import Bytes

/// Parses the syntax of OpenStreetMap's `opening_hours` (specification 0.7.2).
struct OpeningHoursParser {
    static let days = CivilDate.weekdayNames.map { $0.lowercased() }
    static let months = CivilDate.monthNames.map { $0.lowercased() }
    private static let words = days + months + ["ph", "off", "closed", "open", "unknown", "weeks"]
    /// Nobody can say without a place or a calendar of schools what these are.
    private static let rareWords = ["sunrise", "sunset", "dawn", "dusk", "easter", "sh"]
    /// The most rules, and the most parts of one.
    static let limit = 50

    var scanner: HoursScanner
    /// Whether the text has rare syntax, such as steps of years, which is stored unread.
    private var isRare = false

    init(_ text: String) throws(OpeningHoursError) {
        guard text.utf8.count <= OpeningHours.longestText else {
            throw OpeningHoursError(
                position: OpeningHours.longestText + 1, expected: "the end, at most \(OpeningHours.longestText) bytes")
        }
        scanner = HoursScanner(text)
    }

    /// The rules; nil when they contain rare syntax.
    mutating func parse() throws(OpeningHoursError) -> [HoursRule]? {
        if hasRareWords() { return nil }
        do {
            return try rules()
        } catch {
            guard isRare else { throw error }
            return nil
        }
    }

    private func hasRareWords() -> Bool {
        var (scanner, isRare) = (scanner, false)
        while !scanner.isAtEnd() {
            if scanner.skipComment() != nil {
                // A name for the dates of a rule.
                isRare = scanner.skip(":") || isRare
            } else if Self.rareWords.contains(where: { scanner.skip(word: $0) }) {
                isRare = true
            } else if scanner.skip("+") || scanner.skip("-") {
                let isOffset = scanner.skipNumber(in: 1...366, digits: 1...3) != nil
                if isOffset, scanner.skip(word: "day") || scanner.skip(word: "days") { isRare = true }
            } else if scanner.skip("|") {
                if scanner.skip("|"), !scanner.isAtEnd() { isRare = true }
            } else if scanner.skip(oneOf: Self.words, shortest: 2) == nil, !scanner.skipSignOrDigit() {
                return false
            }
        }
        return isRare
    }

    mutating func rare() -> OpeningHoursError {
        isRare = true
        return scanner.error("something else")
    }

    private mutating func rules() throws(OpeningHoursError) -> [HoursRule] {
        var rules: [HoursRule] = []
        var isAdditional = false
        // How many rules before this one have dates only, as in `PH,Dec 24 off`: what it says holds for them too.
        var datesOnly = 0
        repeat {
            guard rules.count < Self.limit else { throw scanner.error("the end, after \(Self.limit) rules") }
            var (rule, isBare) = try rule()
            rule.isAdditional = isAdditional
            for index in rules.indices.suffix(datesOnly) {
                (rules[index].times, rules[index].kind, rules[index].comment) = (rule.times, rule.kind, rule.comment)
            }
            rules.append(rule)
            let separator = scanner.index
            let isNextAdditional = try skipSeparator()
            datesOnly = isBare && isNextAdditional ? datesOnly + 1 : 0
            if datesOnly == 0 {
                isAdditional = isNextAdditional
            } else if !rule.hasDatesOnly || !isDateNext() {
                scanner.goBack(to: separator)
                throw scanner.error("a time, \"off\" or \";\"")
            }
        } while !scanner.isAtEnd()
        return rules
    }

    /// Skips what is between two rules; whether the next one is additional.
    private mutating func skipSeparator() throws(OpeningHoursError) -> Bool {
        if scanner.isAtEnd() { return false }
        if scanner.skip(";") {
            while scanner.skip(";") {}
            return false
        }
        if scanner.skip("|") {
            throw scanner.error(scanner.skip("|") ? "a rule" : "a second \"|\"")
        }
        guard scanner.skip(",") else { throw scanner.error("a time, \"off\", \";\" or the end") }
        if scanner.isAtEnd() { throw scanner.error("a rule") }
        return true
    }

    /// A rule, and whether it has only days.
    private mutating func rule() throws(OpeningHoursError) -> (HoursRule, isBare: Bool) {
        var rule = HoursRule()
        let start = scanner.index
        let isAlways = skipAlways()
        if !isAlways {
            try wideSelectors(&rule)
            try weekdays(&rule)
            try times(&rule)
        }
        let hasSelectors = scanner.index > start
        let kind = modifier()
        var hasComment = false
        if scanner.isNext("\"") {
            guard let comment = scanner.skipComment() else { throw scanner.error("a remark that ends with '\"'") }
            (rule.comment, hasComment) = (comment, true)
            // Words instead of "open" say that more than the times decides.
            if kind == nil { rule.kind = .unknown }
        }
        if let kind { rule.kind = kind }
        guard hasSelectors || kind != nil || !rule.comment.isEmpty else {
            throw scanner.error("a day, a month, a time, \"24/7\" or \"off\"")
        }
        return (rule, rule.hasDays && rule.times.isEmpty && kind == nil && !hasComment)
    }

    private mutating func isDateNext() -> Bool {
        if nextMonth() || scanner.nextWord() == "ph" { return true }
        let start = scanner.index
        defer { scanner.goBack(to: start) }
        return scanner.skipNumber(in: Self.years, digits: 4...4) != nil && nextMonth()
    }

    private mutating func skipAlways() -> Bool {
        let start = scanner.index
        if scanner.skipNumber(in: 24...24, digits: 2...2) != nil, scanner.skip("/"),
            scanner.skipNumber(in: 7...7, digits: 1...1) != nil
        {
            return true
        }
        scanner.goBack(to: start)
        return false
    }

    private mutating func modifier() -> HoursRule.Kind? {
        if scanner.skip(word: "off") || scanner.skip(word: "closed") { return .closed }
        if scanner.skip(word: "open") { return .open }
        if scanner.skip(word: "unknown") { return .unknown }
        return nil
    }

    private mutating func weekdays(_ rule: inout HoursRule) throws(OpeningHoursError) {
        let start = scanner.index
        var separator = start
        var isFirst = true
        while true {
            if scanner.skip(word: "ph") {
                rule.isOnHolidays = true
            } else if let first = scanner.skip(oneOf: Self.days, shortest: 2) {
                rule.weekdays.append(try weekday(first))
            } else if isFirst {
                return
            } else {
                scanner.goBack(to: separator)
                break
            }
            isFirst = false
            separator = scanner.index
            guard scanner.skip(",") else { break }
        }
        // "PH Mo" is a day that is both, which is rarer than a list without its comma, but not the same.
        let next = scanner.index
        if scanner.skip(word: "ph") || scanner.skip(oneOf: Self.days, shortest: 2) != nil {
            scanner.goBack(to: next)
            throw rule.isOnHolidays ? rare() : scanner.error("a comma, a time or \"off\"")
        }
        _ = scanner.skip(":")
    }

    mutating func weekday(_ first: Int) throws(OpeningHoursError) -> WeekdaySpan {
        if scanner.skip("[") {
            var ordinals: [Int] = []
            repeat {
                let sign = scanner.skip("-") ? -1 : 1
                guard let number = scanner.skipNumber(in: 1...5, digits: 1...1) else {
                    throw scanner.error("a number from 1 to 5")
                }
                if sign == 1, scanner.skip("-") {
                    guard let last = scanner.skipNumber(in: number...5, digits: 1...1) else {
                        throw scanner.error("a number from \(number) to 5")
                    }
                    ordinals += Array(number...last)
                } else {
                    ordinals.append(sign * number)
                }
            } while scanner.skip(",")
            guard scanner.skip("]") else { throw scanner.error("\"]\"") }
            return WeekdaySpan(first, first, ordinals: ordinals)
        }
        let dash = scanner.index
        if scanner.skip("-") {
            if let last = scanner.skip(oneOf: Self.days, shortest: 2) { return WeekdaySpan(first, last) }
            scanner.goBack(to: dash)
            throw scanner.error("a day after \"-\"")
        }
        return WeekdaySpan(first, first)
    }
}

extension OpeningHoursParser {
    mutating func times(_ rule: inout HoursRule) throws(OpeningHoursError) {
        while true {
            let start = scanner.index
            guard let opening = time() else { return }
            rule.times.append(try span(from: opening, at: start))
            guard rule.times.count < Self.limit else { throw scanner.error("fewer times") }
            let separator = scanner.index
            guard scanner.skip(",") else { return }
            let next = scanner.index
            let isTime = time() != nil
            scanner.goBack(to: isTime ? next : separator)
            if !isTime { return }
        }
    }

    private mutating func span(from start: Time, at index: Int) throws(OpeningHoursError) -> TimeSpan {
        guard start.minutes < 1440 else { throw scanner.error("a start before 24:00") }
        if !start.isHour, scanner.skip("+") {
            return TimeSpan(start.minutes, max(1440, start.minutes + 1), isOpenEnded: true)
        }
        guard scanner.skip("-") else { throw scanner.error("\"-\" and the time of closing") }
        guard let closing = time() else { throw scanner.error("a time such as 17:00") }
        if start.isHour || closing.isHour, !Self.isClear(start.minutes, closing.minutes) {
            scanner.goBack(to: index)
            throw scanner.error("times with minutes, such as 09:00-17:00,")
        }
        let end = closing.minutes <= start.minutes ? closing.minutes + 1440 : closing.minutes
        guard end - start.minutes <= 1440 else { throw scanner.error("at most 24 hours before this") }
        let isOpenEnded = scanner.skip("+")
        if scanner.skip("/") { throw scanner.nextNumber() == nil ? scanner.error("a number of minutes") : rare() }
        return TimeSpan(start.minutes, end, isOpenEnded: isOpenEnded)
    }

    /// Whether hours without minutes, such as `8-17`, can only be those of a clock with 24 hours: not `9-5` or `1-5`.
    private static func isClear(_ start: Int, _ end: Int) -> Bool {
        start < end && (start == 0 || start >= 360 || end > 720)
    }

    private struct Time {
        /// Since midnight.
        let minutes: Int
        var isHour = false
    }

    private mutating func time() -> Time? {
        if let minutes = scanner.skipTime() { return Time(minutes: minutes) }
        if let minutes = scanner.skipHour() { return Time(minutes: minutes, isHour: true) }
        return nil
    }
}
