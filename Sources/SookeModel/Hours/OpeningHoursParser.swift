/// Parses the syntax of OpenStreetMap's `opening_hours` (specification 0.7.2).
struct OpeningHoursParser {
    private static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let events = ["sunrise", "sunset", "dawn", "dusk"]
    /// The most rules, and the most parts of one.
    private static let limit = 50

    private var scanner: HoursScanner
    /// Whether the text has valid syntax that is not understood.
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
        var rules: [HoursRule] = []
        var isAdditional = false
        repeat {
            guard rules.count < Self.limit else { throw scanner.error("the end, after \(Self.limit) rules") }
            var rule = try rule()
            rule.isAdditional = isAdditional
            rules.append(rule)
            isAdditional = try skipSeparator()
        } while !scanner.isAtEnd()
        return isRare ? nil : rules
    }

    /// Skips what is between two rules; whether the next one is additional.
    private mutating func skipSeparator() throws(OpeningHoursError) -> Bool {
        if scanner.isAtEnd() || scanner.skip(";") { return false }
        if scanner.skip("|") {
            guard scanner.skip("|") else { throw scanner.error("a second \"|\"") }
            isRare = true
            if scanner.isAtEnd() { throw scanner.error("a rule") }
            return false
        }
        guard scanner.skip(",") else { throw scanner.error("a time, \"off\", \";\" or the end") }
        if scanner.isAtEnd() { throw scanner.error("a rule") }
        return true
    }

    private mutating func rule() throws(OpeningHoursError) -> HoursRule {
        var rule = HoursRule()
        let start = scanner.index
        if !skipAlways() {
            try wideSelectors(&rule)
            try weekdays(&rule)
            try times(&rule)
        }
        let hasSelectors = scanner.index > start
        let kind = modifier()
        if scanner.isNext("\"") {
            guard let comment = scanner.skipComment() else { throw scanner.error("a remark that ends with '\"'") }
            rule.comment = comment
            if kind == nil, rule.times.isEmpty { rule.kind = .unknown }
        }
        if let kind { rule.kind = kind }
        guard hasSelectors || kind != nil || !rule.comment.isEmpty else {
            throw scanner.error("a day, a month, a time, \"24/7\" or \"off\"")
        }
        return rule
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

    // MARK: - Years, dates, weeks

    private mutating func wideSelectors(_ rule: inout HoursRule) throws(OpeningHoursError) {
        try years(&rule)
        try dates(&rule)
        if scanner.skip(word: "week") || scanner.skip(word: "weeks") { try weeks(&rule) }
        if rule.hasDays { _ = scanner.skip(":") }
    }

    private mutating func years(_ rule: inout HoursRule) throws(OpeningHoursError) {
        let start = scanner.index
        while let first = scanner.skipNumber(in: 1900...2999, digits: 4...4) {
            var last = first
            if scanner.skip("+") {
                last = HoursRule.lastYear
            } else if scanner.skip("-") {
                guard let end = scanner.skipNumber(in: first...2999, digits: 4...4) else {
                    throw scanner.error("a year from \(first)")
                }
                last = end
            }
            if scanner.skip("/") {
                isRare = true
                guard scanner.skipNumber(in: 1...99, digits: 1...2) != nil else {
                    throw scanner.error("a number of years")
                }
            }
            rule.years.append(first...last)
            guard scanner.skip(",") else { break }
            guard isNumberNext(1900...2999, digits: 4) else { throw scanner.error("a year") }
        }
        // The year of a date belongs to the date.
        if rule.years.count == 1, rule.years[0].count == 1, nextMonth() {
            rule.years = []
            scanner.goBack(to: start)
        }
    }

    private mutating func nextMonth() -> Bool {
        let start = scanner.index
        defer { scanner.goBack(to: start) }
        return scanner.skip(oneOf: Self.months, shortest: 3) != nil || scanner.skip(word: "easter")
    }

    private mutating func dates(_ rule: inout HoursRule) throws(OpeningHoursError) {
        while let start = try day(after: rule.dates.last?.end) {
            var end = start
            if scanner.skip("-") {
                if start.day != nil, let last = scanner.skipNumber(in: 1...31, digits: 1...2) {
                    end.day = last
                } else if isNumberNext(1...31) {
                    throw scanner.error("a month")
                } else if let last = try day(after: nil) {
                    end = last
                } else {
                    throw scanner.error("a month or a day")
                }
            } else if start.day != nil, scanner.skip("+") {
                isRare = true
            }
            rule.dates.append(DateSpan(start, end))
            guard rule.dates.count < Self.limit else { throw scanner.error("fewer dates") }
            let separator = scanner.index
            guard scanner.skip(",") else { return }
            let isDay = isNumberNext(1...31)
            if !nextMonth(), !isDay, !isNumberNext(1900...2999, digits: 4) {
                return scanner.goBack(to: separator)
            }
        }
    }

    private mutating func isNumberNext(_ range: ClosedRange<Int>, digits: Int = 2) -> Bool {
        let start = scanner.index
        defer { scanner.goBack(to: start) }
        return scanner.skipNumber(in: range, digits: (digits == 4 ? 4 : 1)...digits) != nil
    }

    /// A day such as `Dec 24`, `2026 Dec` or, in a list of days of one month, `26`.
    private mutating func day(after former: DateSpan.Day?) throws(OpeningHoursError) -> DateSpan.Day? {
        let start = scanner.index
        if let former, former.day != nil, let day = scanner.skipNumber(in: 1...31, digits: 1...2) {
            return DateSpan.Day(year: former.year, month: former.month, day: day)
        }
        let year = scanner.skipNumber(in: 1900...2999, digits: 4...4)
        if scanner.skip(word: "easter") {
            isRare = true
            try skipDays()
            return DateSpan.Day(year: year, month: 4, day: 1)
        }
        guard let month = scanner.skip(oneOf: Self.months, shortest: 3) else {
            scanner.goBack(to: start)
            return nil
        }
        let day = scanner.skipNumber(in: 1...31, digits: 1...2)
        if let day, day > (month == 1 ? 29 : [3, 5, 8, 10].contains(month) ? 30 : 31) {
            throw scanner.error("a day of that month before this")
        }
        return DateSpan.Day(year: year, month: month + 1, day: day)
    }

    /// Skips an offset such as `-2 days`.
    private mutating func skipDays() throws(OpeningHoursError) {
        let start = scanner.index
        guard scanner.skip("+") || scanner.skip("-") else { return }
        guard scanner.skipNumber(in: 1...366, digits: 1...3) != nil,
            scanner.skip(word: "days") || scanner.skip(word: "day")
        else { return scanner.goBack(to: start) }
        isRare = true
    }

    private mutating func weeks(_ rule: inout HoursRule) throws(OpeningHoursError) {
        repeat {
            guard let first = scanner.skipNumber(in: 1...53, digits: 1...2) else {
                throw scanner.error("a week from 1 to 53")
            }
            var span = WeekSpan(first...first)
            if scanner.skip("-") {
                guard let last = scanner.skipNumber(in: first...53, digits: 1...2) else {
                    throw scanner.error("a week from \(first) to 53")
                }
                span.weeks = first...last
                if scanner.skip("/") {
                    guard let step = scanner.skipNumber(in: 1...26, digits: 1...2) else {
                        throw scanner.error("a number of weeks")
                    }
                    span.step = step
                }
            }
            rule.weeks.append(span)
        } while scanner.skip(",")
    }

    // MARK: - Weekdays and times

    private mutating func weekdays(_ rule: inout HoursRule) throws(OpeningHoursError) {
        let start = scanner.index
        var separator = start
        var isFirst = true
        while true {
            if scanner.skip(word: "ph") {
                rule.isOnHolidays = true
                try skipDays()
            } else if scanner.skip(word: "sh") {
                (rule.isOnHolidays, isRare) = (true, true)
                try skipDays()
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
        if scanner.skip(word: "ph") || scanner.skip(word: "sh") || scanner.skip(oneOf: Self.days, shortest: 2) != nil {
            scanner.goBack(to: next)
            guard rule.isOnHolidays else { throw scanner.error("a comma, a time or \"off\"") }
            isRare = true
            try weekdays(&rule)
        }
        _ = scanner.skip(":")
    }

    private mutating func weekday(_ first: Int) throws(OpeningHoursError) -> WeekdaySpan {
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
            try skipDays()
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

    private mutating func times(_ rule: inout HoursRule) throws(OpeningHoursError) {
        while true {
            guard let start = try time() else { return }
            rule.times.append(try span(from: start))
            guard rule.times.count < Self.limit else { throw scanner.error("fewer times") }
            let separator = scanner.index
            guard scanner.skip(",") else { return }
            let next = scanner.index
            let isTime = try time() != nil
            scanner.goBack(to: isTime ? next : separator)
            if !isTime { return }
        }
    }

    private mutating func span(from start: Int) throws(OpeningHoursError) -> TimeSpan {
        guard start < 1440 || isRare else { throw scanner.error("a start before 24:00") }
        if scanner.skip("+") { return TimeSpan(start, Swift.max(1440, start + 1), isOpenEnded: true) }
        guard scanner.skip("-") else { throw scanner.error("\"-\" and the time of closing") }
        guard var end = try time() else { throw scanner.error("a time such as 17:00") }
        if end <= start { end += 1440 }
        guard end - start <= 1440 || isRare else { throw scanner.error("at most 24 hours before this") }
        let isOpenEnded = scanner.skip("+")
        if scanner.skip("/") {
            isRare = true
            guard scanner.skipTime() != nil || scanner.skipNumber(in: 1...999, digits: 1...3) != nil else {
                throw scanner.error("a number of minutes")
            }
        }
        return TimeSpan(start, end, isOpenEnded: isOpenEnded)
    }

    /// A time; nil when none is next. Sunrise and the like are noon, and make the whole rare.
    private mutating func time() throws(OpeningHoursError) -> Int? {
        if let minutes = scanner.skipTime() { return minutes }
        let isGroup = scanner.skip("(")
        guard Self.events.contains(scanner.nextWord()) else {
            if isGroup { throw scanner.error("sunrise, sunset, dawn or dusk") }
            return nil
        }
        _ = scanner.skip(oneOf: Self.events, shortest: 4)
        isRare = true
        if isGroup {
            guard scanner.skip("+") || scanner.skip("-"), scanner.skipTime() != nil, scanner.skip(")") else {
                throw scanner.error("an offset such as +01:00, and \")\"")
            }
        }
        return 720
    }
}
