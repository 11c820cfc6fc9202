import Bytes
import SookeModel

/// What pages say of times, in the English of Canada, seen from an instant on the clocks of the town.
struct Words: Sendable {
    let now: Timestamp
    let zone: SookeModel.TimeZone
    let today: CivilDate
    private let has24Hours: Bool

    init(at now: Timestamp, in zone: SookeModel.TimeZone, has24Hours: Bool = false) {
        (self.now, self.zone, self.has24Hours) = (now, zone, has24Hours)
        today = zone.localDate(at: now).date
    }

    /// A date and the minutes since its midnight, on the clocks of the town.
    func local(_ moment: Timestamp) -> (date: CivilDate, minute: Int) {
        let (date, seconds) = zone.localDate(at: moment)
        return (date, seconds / 60)
    }

    /// A time of day, from its minutes since midnight: `9:30 am`, `noon`, `09:30`.
    func time(_ minute: Int) -> String { HoursNotation.time(minute, has24Hours: has24Hours) }

    /// A span of time: `9:30 am – noon`, `5 – 10 pm`. An end of more than 1440 minutes is on the next day.
    func span(_ start: Int, _ end: Int) -> String {
        if end - start == 1440 { return "24 hours" }
        let isSameHalf = !has24Hours && start % 1440 / 720 == end % 1440 / 720 && end - start < 720
        // Neither noon nor midnight has a half.
        let first = isSameHalf && start % 720 != 0 ? String(time(start).dropLast(3)) : time(start)
        return "\(first) – \(time(end))"
    }

    func span(_ span: TimeSpan) -> String {
        span.isOpenEnded ? "from \(time(span.start))" : self.span(span.start, span.end)
    }

    func time(_ moment: Timestamp) -> String { time(local(moment).minute) }

    static let (weekdays, months) = (CivilDate.weekdayNames, CivilDate.monthNames)
    static let mondayFirst = weekdays[1...] + weekdays[..<1]

    func name(of date: CivilDate) -> String {
        switch date.daysSinceEpoch - today.daysSinceEpoch {
        case 0: "Today"
        case 1: "Tomorrow"
        default: Self.weekdays[date.dayOfWeek]
        }
    }

    /// Whether the name of a day is one that is false on another day, such as on paper.
    func isNear(_ date: CivilDate) -> Bool { 0...1 ~= date.daysSinceEpoch - today.daysSinceEpoch }

    /// A date without its weekday: `28 November`, with the year when that is another than now.
    func date(_ date: CivilDate) -> String {
        "\(date.day) \(Self.months[date.month - 1])" + (date.year == today.year ? "" : " \(date.year)")
    }

    func day(_ date: CivilDate) -> String { "\(Self.weekdays[date.dayOfWeek]) \(self.date(date))" }

    /// A date that needs little room: `Sat 28 Nov`.
    func shortDate(_ date: CivilDate) -> String {
        let year = date.year == today.year ? "" : " \(date.year)"
        return "\(Self.short(date)) \(date.day) \(Self.months[date.month - 1].prefix(3))\(year)"
    }

    /// Some days in a row that need little room: `11–15 Jan 2027`, `28 Jun – 3 Jul`.
    func shortDates(_ first: CivilDate, _ last: CivilDate) -> String {
        func day(_ date: CivilDate, year: Bool) -> String {
            "\(date.day)\u{A0}\(Self.months[date.month - 1].prefix(3))" + (year ? "\u{A0}\(date.year)" : "")
        }
        let isSameYear = first.year == last.year
        let end = day(last, year: last.year != today.year)
        if isSameYear, first.month == last.month { return "\(first.day)–\(end)" }
        return "\(day(first, year: !isSameYear && first.year != today.year)) – \(end)"
    }

    /// On the heading of a day, beside its name: `Saturday 28 November` for today and tomorrow, else the date.
    func subtitle(of date: CivilDate) -> String {
        (isNear(date) ? Self.weekdays[date.dayOfWeek] + " " : "") + self.date(date)
    }

    func ago(_ moment: Timestamp) -> String { ElapsedTime.text(from: moment, to: now, in: zone) }

    static func unconfirmed(for holidays: some Collection<String>) -> String {
        "not confirmed for \(holidays.sorted().joined(separator: " and "))"
    }

    static func short(_ date: CivilDate) -> String { String(weekdays[date.dayOfWeek].prefix(3)) }

    /// A distance in metres as people say it: `350 m`, `1.2 km`, `14 km`.
    static func distance(_ metres: Double) -> String {
        switch metres {
        case ..<950: return "\(Int(clamping: (metres / 50).rounded()) * 50) m"
        case ..<9_950:
            let tenths = Int(clamping: (metres / 100).rounded())
            return "\(tenths / 10).\(tenths % 10) km"
        default: return "\(Int(clamping: (metres / 1000).rounded())) km"
        }
    }

    /// Whole days, or those in the local time of the town. The night belongs to the day before it.
    func days(of occurrence: Occurrence) -> ClosedRange<CivilDate> {
        if let days = occurrence.days { return days }
        let start = local(occurrence.startsAt).date
        guard let end = occurrence.endsAt.map(local) else { return start...start }
        return start...max(start, end.minute <= 360 && end.date > start ? end.date.advanced(by: -1) : end.date)
    }

    func firstDay(of occurrence: Occurrence) -> CivilDate { days(of: occurrence).lowerBound }

    /// What stands in the column of times: the start, or until when something that began before is still on.
    func start(of occurrence: Occurrence, on date: CivilDate) -> String {
        if occurrence.days != nil { return "all day" }
        let (startDate, minute) = local(occurrence.startsAt)
        guard startDate < date else { return time(minute) }
        guard let end = occurrence.endsAt.map(local) else { return "continues" }
        return end.date == date ? "until \(time(end.minute))" : "continues"
    }

    /// `until noon`, `to Sunday 6 December`, `day 2 of 3`; nil when the column of times says it, or it is not known.
    func end(of occurrence: Occurrence, startingOn date: CivilDate) -> String? {
        let days = days(of: occurrence)
        let isFirst = date <= days.lowerBound
        if days.count == 1 {
            return isFirst && occurrence.days == nil
                ? occurrence.endsAt.map { "until \(time(local($0).minute).unbroken)" } : nil
        }
        if isFirst, occurrence.days == nil || days.isLong {
            return "to \(Self.weekdays[days.upperBound.dayOfWeek]) \(self.date(days.upperBound))"
        }
        return "day \(date.daysSinceEpoch - days.lowerBound.daysSinceEpoch + 1) of \(days.count)"
    }

    /// When an occurrence is, as a sentence: `Saturday 28 November, 10 am – 2 pm`.
    func sentence(of occurrence: Occurrence) -> String {
        if let days = occurrence.days { return sentence(of: days) }
        let (date, minute) = local(occurrence.startsAt)
        let day = "\(Self.weekdays[date.dayOfWeek]) \(self.date(date))"
        guard let endsAt = occurrence.endsAt else { return "\(day), \(time(minute).unbroken)" }
        let end = local(endsAt)
        let days = end.date.daysSinceEpoch - date.daysSinceEpoch
        if days == 0 || days == 1 && end.minute <= 360 {
            return "\(day), \(span(minute, end.minute + 1440 * days).unbroken)"
        }
        return "\(day), \(time(minute).unbroken) to \(Self.weekdays[end.date.dayOfWeek]) \(self.date(end.date)), "
            + time(end.minute).unbroken
    }

    func sentence(of days: ClosedRange<CivilDate>) -> String {
        func day(_ date: CivilDate, _ rest: String) -> String { "\(Self.weekdays[date.dayOfWeek]) \(rest)" }
        let (first, last) = (days.lowerBound, days.upperBound)
        if first == last { return day(first, date(first)) }
        let isSameMonth = first.year == last.year && first.month == last.month
        return "\(day(first, isSameMonth ? "\(first.day)" : date(first))) – \(day(last, date(last)))"
    }

    /// Forms write whole sentences; what a rule of a record says continues the name of the field.
    /// A name that ends with a colon stands before whole sentences, too.
    static func problem(_ message: String, of field: String?) -> String {
        let field = field ?? ""
        if field.hasSuffix(":") { return "\(field) \(message)" }
        guard let first = message.unicodeScalars.first, first.properties.isLowercase else { return message }
        if field.isEmpty { return message.prefix(1).uppercased() + message.dropFirst() }
        let name = field.prefix(1).lowercased() + field.dropFirst()
        if message == "must not be empty" || message == "is missing" {
            return "Enter \(name.hasPrefix("your ") ? "" : "the ")\(name)"
        }
        let rule = "must be a"
        return message.hasPrefix(rule) ? "Enter a\(message.dropFirst(rule.count))" : "\(field) \(message)"
    }

    /// A rule with its end: `every Saturday to 19 December`; `on several dates` for one that needs more than a line.
    /// The first date says what the rule leaves open.
    func recurrence(_ rule: RecurrenceRule, from start: CivilDate) -> String {
        guard let days = Self.days(of: rule, from: start) else { return "on several dates" }
        switch rule.end {
        case .never, .count: return days
        case .date(let date): return "\(days) to \(self.date(date))"
        case .time(let time): return "\(days) to \(date(zone.localTime(time).date))"
        }
    }

    private static func days(of rule: RecurrenceRule, from start: CivilDate) -> String? {
        guard rule.weekNumbers.isEmpty, rule.yearDays.isEmpty, rule.setPositions.isEmpty, 1...99 ~= rule.interval else {
            return nil
        }
        let hasOrdinals = rule.weekdays.contains { $0.ordinal != nil }
        switch rule.frequency {
        case .daily:
            guard rule.weekdays.isEmpty, rule.monthDays.isEmpty, rule.months.isEmpty else { return nil }
            return each(rule.interval, "day")
        case .weekly:
            guard !hasOrdinals, rule.monthDays.isEmpty, rule.months.isEmpty else { return nil }
            let days = rule.weekdays.isEmpty ? [start.dayOfWeek] : rule.weekdays.map(\.day)
            if rule.interval == 1 { return days.count == 7 ? "every day" : "every \(list(of: days))" }
            return "\(each(rule.interval, "week")) on \(list(of: days))"
        case .monthly:
            guard rule.months.isEmpty else { return nil }
            return monthly(rule, from: start).map { "\($0) of \(each(rule.interval, "month"))" }
        case .yearly:
            guard rule.weekdays.isEmpty, rule.months.count <= 1, rule.monthDays.count <= 1 else { return nil }
            let (month, day) = (rule.months.first ?? start.month, rule.monthDays.first ?? start.day)
            guard day > 0 else { return nil }
            return "\(each(rule.interval, "year")) on \(day) \(months[month - 1])"
        }
    }

    /// The days of a month: `the 15th`, `the first and third Tuesday`.
    private static func monthly(_ rule: RecurrenceRule, from start: CivilDate) -> String? {
        switch (rule.weekdays.isEmpty, rule.monthDays.isEmpty) {
        case (true, _):
            let days = rule.monthDays.isEmpty ? [start.day] : rule.monthDays
            guard days.allSatisfy({ $0 > 0 || $0 == -1 }) else { return nil }
            return "the " + joined(days.map { $0 == -1 ? "last day" : ordinal($0) })
        case (false, true):
            let ordinals = rule.weekdays.compactMap { $0.ordinal.flatMap(word) }
            let days = Set(rule.weekdays.map(\.day))
            guard ordinals.count == rule.weekdays.count, days.count == 1, let day = days.first else { return nil }
            return "the \(joined(ordinals)) \(weekdays[day])"
        case (false, false): return nil
        }
    }

    private static func each(_ interval: Int, _ unit: String) -> String {
        switch interval {
        case 1: "every \(unit)"
        case 2: "every second \(unit)"
        default: "every \(interval) \(unit)s"
        }
    }

    /// Days of the week, Monday first, three and more in a row as a span.
    private static func list(of days: [Int]) -> String {
        let days = Set(days.map { ($0 + 6) % 7 }).sorted()
        func name(_ day: Int) -> String { weekdays[(day + 1) % 7] }
        if days.count > 2, let first = days.first, let last = days.last, last - first == days.count - 1 {
            return "\(name(first)) to \(name(last))"
        }
        return joined(days.map(name))
    }

    private static func ordinal(_ number: Int) -> String {
        let ending =
            switch (number % 10, number % 100) {
            case (_, 11...13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return "\(number)\(ending)"
    }

    private static func word(_ ordinal: Int) -> String? {
        [1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"][ordinal]
    }

    static func joined(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension ClosedRange<CivilDate> {
    var count: Int { upperBound.daysSinceEpoch - lowerBound.daysSinceEpoch + 1 }

    /// More than a week: lists have it once a week.
    var isLong: Bool { count > 7 }
}

/// An open state as text, short for a row and as a sentence for a page, with the class that draws its dot.
struct OpenWords: Sendable, Equatable {
    let style: Style
    /// In a row, beside a name: `until 1 am`, `opens Tue 7 am`.
    let short: String
    /// What its dot says beside that, for who does not see it: `open `, `closed, `.
    var unseen: String? {
        switch style {
        case .open where short.hasPrefix("until"): "open "
        case .closed where short != "closed": "closed, "
        default: nil
        }
    }

    /// On a page: `Open until 1 am`.
    let sentence: String

    enum Style: String, Sendable {
        case open, soon, closed, unknown
        /// As `soon`, in words that need a line of their own.
        case unconfirmed = "soon unconfirmed"
    }

    init(_ state: OpenState, _ words: Words) {
        if let holiday = state.unconfirmed {
            (style, short, sentence) = Self.usual(state, " · " + Words.unconfirmed(for: [holiday]), words)
            return
        }
        switch state.status {
        case .open, .closingSoon: (style, short, sentence) = Self.open(state, words)
        case .closed, .opensSoon: (style, short, sentence) = Self.closed(state, words)
        case .unknown: (style, short, sentence) = (.unknown, "hours unknown", "Hours unknown")
        }
    }

    private typealias Parts = (style: Style, short: String, sentence: String)

    /// The usual opening hours on a holiday that they do not mention.
    private static func usual(_ state: OpenState, _ doubt: String, _ words: Words) -> Parts {
        if state.isOpen == true {
            let until = state.end.map { " until \(time($0, isEnd: true, words))" }
            return (.unconfirmed, "usually\(until ?? " open")\(doubt)", "Usually open\(until ?? "")\(doubt)")
        }
        let next = state.nextOpening.map { time in
            let isTomorrow = words.local(time).date == words.today.advanced(by: 1)
            return isTomorrow ? "tomorrow \(words.time(time))" : self.time(time, isEnd: false, words)
        }
        let (opens, reason) = ("opens \(next ?? "")\(doubt)", state.comment.isEmpty ? "" : ": \(state.comment)")
        return (.unconfirmed, "usually \(opens)", "Closed\(reason). Usually \(opens)")
    }

    private static func open(_ state: OpenState, _ words: Words) -> Parts {
        if let change = state.confirmationChange {
            let until = time(change, isEnd: true, words)
            return (.open, "until \(until)", "Open until \(until)")
        }
        guard let until = state.until else { return (.open, "open", "Open") }
        let time = time(until, isEnd: true, words)
        if state.status == .closingSoon { return (.soon, "closes \(time)", "Closes at \(time)") }
        return (.open, "until \(time)", "Open until \(time)")
    }

    private static func closed(_ state: OpenState, _ words: Words) -> Parts {
        let reason = state.comment.isEmpty ? "" : ": \(state.comment)"
        guard let next = state.nextOpening else { return (.closed, "closed", "Closed\(reason)") }
        let time = time(next, isEnd: false, words)
        if state.status == .opensSoon { return (.soon, "opens \(time)", "Opens at \(time)") }
        return (.closed, "opens \(time)", "Closed\(reason). Opens \(time)")
    }

    /// `7 am` today, `Tue 7 am` in the six days after it, else `Fri 12 Dec`. An end at night belongs to the day before.
    private static func time(_ moment: Timestamp, isEnd: Bool, _ words: Words) -> String {
        let (date, minute) = words.local(moment)
        let days = date.daysSinceEpoch - words.today.daysSinceEpoch
        switch days {
        case 0: return words.time(minute)
        case 1 where isEnd && minute <= 360: return words.time(minute)
        case 1...6: return "\(Words.short(date)) \(words.time(minute))"
        default: return words.shortDate(date)
        }
    }
}
