/// The hours of a week in a cell of a table: in the syntax of OpenStreetMap, as in an export, or as people write them.
extension HoursNotation {
    public static let cellShape = "hours like Mon-Fri 9-5, Sat 10-4"

    /// The hours of a cell in the syntax of OpenStreetMap, as they are when they have it already.
    ///
    /// That syntax has only a clock with 24 hours, where `Mon 9:00-5:00` is a night, and days without times are open
    /// all day: people mean something else, so that such a text is read as they write.
    public static func text(ofCell text: String) throws(OpeningHoursError) -> String {
        // Nobody means day and night by "PH open".
        if opensOnHolidays(inCell: text), let hours = try? hours(text) { return hours.text }
        let syntaxError: OpeningHoursError
        do throws(OpeningHoursError) {
            let hours = try OpeningHours(text)
            guard let rules = hours.rules else { return text }
            try checkComplete(rules, in: text)
            if isClear(text, rules), isOwnSyntax(text) || !hasDayTwice(rules) { return text }
            syntaxError = OpeningHoursError(
                position: 1, expected: "\"am\" or \"pm\", or a clock with 24 hours such as 09:00-17:00,")
        } catch {
            syntaxError = error
        }
        do throws(OpeningHoursError) {
            return try hours(text).text
        } catch {
            let isSyntax = isOwnSyntax(text) && syntaxError.position > error.position
            throw error.advice == nil && isSyntax ? syntaxError : error
        }
    }

    /// Whether a cell says that it is open on public holidays, at the hours of the other days.
    public static func opensOnHolidays(inCell text: String) -> Bool {
        (try? HoursNotationParser(text))?.opensOnHolidays ?? false
    }

    /// Days without times are open at times that are not known, such as `We-Su`; beside closed days alone, such as
    /// `Mo off; Tu off`, the others are.
    public static func daysAlone(inCell text: String) -> String? {
        guard text.utf8.count <= OpeningHours.longestText, !text.contains(where: \.isNumber) else { return nil }
        var lexer = HoursNotationLexer(text)
        let hasClosed = (try? lexer.tokens())?.contains { $0.kind == .closed } == true
        return (try? hours(hasClosed ? "open; \(text)" : "\(text) open"))?.text
    }

    /// Refuses days and "open" without times, and closed days alone. `PH open` is beside other hours.
    private static func checkComplete(_ rules: [HoursRule], in text: String) throws(OpeningHoursError) {
        let end = text.count + 1
        let opensHolidays =
            rules.contains { !$0.times.isEmpty }
            && text.lowercased().split { !$0.isLetter }.contains { $0 == "open" }
        let hasNumber = text.utf8.contains { 0x30...0x39 ~= $0 }
        let isBare = rules.contains { rule in
            guard rule.kind == .open, rule.times.isEmpty, rule.comment.isEmpty else { return false }
            // "Open" alone.
            guard rule.hasDays else { return !hasNumber }
            return !(opensHolidays && rule.isOnHolidays && rule.weekdays.isEmpty)
        }
        if isBare { throw OpeningHoursError(position: end, expected: "a time, such as 9am, noon or 17:30,") }
        guard rules.allSatisfy({ $0.kind == .closed && $0.isWeekly && $0.times.isEmpty }) else { return }
        let isWhole = (0..<7).allSatisfy { day in rules.contains { $0.containsDay(day, isHoliday: false) } }
        if !isWhole { throw OpeningHoursError(position: end, expected: "the times of the other days") }
    }

    /// Whether people mean the times of some rules as they are on a clock with 24 hours.
    private static func isClear(_ text: String, _ rules: [HoursRule]) -> Bool {
        let times = Set(rules.flatMap(\.times).map { [$0.start, $0.end] })
        let spans = writtenSpans(text).filter { times.contains([$0.start, $0.end]) }
        let hasClock = spans.contains(where: \.isClock)
        return spans.allSatisfy { span in
            guard !span.isClock else { return true }
            // A morning: until noon, or beside a time that shows which clock it is.
            return 360...1440 ~= span.start && span.end <= 1440 && (hasClock || span.end >= 720)
        }
    }

    /// Whether a text has days of two letters, times with minutes, and none of the signs of people.
    private static func isOwnSyntax(_ text: String) -> Bool {
        // Unicode scalars, because comparing a character costs much when it has many combining marks.
        let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        // Comments are between quotes.
        let rules = parts.indices.filter { $0.isMultiple(of: 2) }.flatMap { parts[$0] + [" "] }
        var previous: Unicode.Scalar = " "
        for scalar in rules {
            let isDigit = "0"..."9" ~= previous
            if scalar == ":" && !isDigit || scalar == "." && isDigit || scalar == "–" || scalar == "—" { return false }
            previous = scalar
        }
        let hasNames = rules.split { !$0.properties.isAlphabetic }.contains { word in
            guard let first = word.first, let last = word.last, 2...9 ~= word.count, word.allSatisfy(\.isASCII) else {
                return false
            }
            let name = word.map(\.properties.lowercaseMapping).joined()
            let isShort = word.count == 2 && first.properties.isUppercase && last.properties.isLowercase
            return !isShort && OpeningHoursParser.days.contains { $0.hasPrefix(name) }
        }
        return !hasNames && writtenSpans(text).allSatisfy(\.hasMinutes)
    }

    /// Whether two rules with times are about the same day of any week.
    private static func hasDayTwice(_ rules: [HoursRule]) -> Bool {
        let weekly = rules.filter { $0.isWeekly && $0.kind == .open && !$0.times.isEmpty }
        return weekly.indices.contains { index in
            weekly[..<index].contains { other in
                (0..<7).contains { day in
                    other.containsDay(day, isHoliday: false) && weekly[index].containsDay(day, isHoliday: false)
                }
            }
        }
    }

    private struct WrittenSpan {
        var start: Int
        var end: Int
        /// Whether it is written as on a clock with 24 hours.
        var isClock: Bool
        var hasMinutes: Bool
    }

    /// What looks like a time from an opening to a closing.
    private static func writtenSpans(_ text: String) -> [WrittenSpan] {
        var scanner = HoursScanner(text)
        var spans: [WrittenSpan] = []
        while !scanner.isAtEnd() {
            let place = scanner.index
            if let start = time(&scanner), scanner.skip("-"), !scanner.isAtEnd(), let end = time(&scanner) {
                let isNextDay = end.minutes <= start.minutes
                spans.append(
                    WrittenSpan(
                        start: start.minutes, end: end.minutes + (isNextDay ? 1440 : 0),
                        isClock: start.isClock || end.isClock, hasMinutes: start.hasMinutes && end.hasMinutes))
            } else if scanner.index == place || scanner.nextNumber() == nil {
                // Past the number or the sign, not into it.
                scanner.goBack(to: max(scanner.index, place + 1))
            }
        }
        return spans
    }

    private static func time(_ scanner: inout HoursScanner) -> (minutes: Int, isClock: Bool, hasMinutes: Bool)? {
        guard let (hour, digits) = scanner.nextNumber() else { return nil }
        let time = scanner.skipTime()
        guard let minutes = time ?? scanner.skipHour() else { return nil }
        return (minutes, hour == 0 || hour > 12 || digits == 2 && hour < 10, time != nil)
    }
}
