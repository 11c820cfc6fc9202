import Bytes

/// A recurrence rule, as in RFC 5545, section 3.3.10: the days on which an event takes place.
///
/// Read from text such as `FREQ=MONTHLY;BYDAY=2TU`; parts of a day (`FREQ=HOURLY`, `BYHOUR`) and of other calendars
/// (`RSCALE`) are refused.
///
/// Where the standard leaves a choice: the start of an event counts as an occurrence only if the rule includes it, and
/// `BYWEEKNO` without `BYDAY` means the day of the week of the start.
public struct RecurrenceRule: Sendable, Hashable {
    /// The unit of `interval`, and the period of which `setPositions` choose occurrences.
    public enum Frequency: String, Sendable, CaseIterable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// A day of the week, or one of those in a month or year: `TU`, `2TU`, `-1FR`.
    public struct Weekday: Sendable, Hashable {
        /// The day, 0 for Sunday to 6 for Saturday.
        public var day: Int
        /// Which of the month or year, from 1, or from -1 backwards; nil for each.
        public var ordinal: Int?

        public init(_ day: Int, ordinal: Int? = nil) {
            (self.day, self.ordinal) = (day, ordinal)
        }
    }

    public enum End: Sendable, Hashable {
        case never
        case count(Int)
        /// At the end of a day on the clocks of the event.
        case date(CivilDate)
        /// With an occurrence that starts at this time on the clocks of the event, or before it. An instant has the
        /// offset of UTC.
        case time(LocalTime)
    }

    public var frequency: Frequency
    /// `INTERVAL`: every how many days, weeks, months or years.
    public var interval = 1
    public var end = End.never
    /// `BYMONTH`, 1 to 12.
    public var months: [Int] = []
    /// `BYWEEKNO`, 1 to 53, or from -1 backwards.
    public var weekNumbers: [Int] = []
    /// `BYYEARDAY`, 1 to 366, or from -1 backwards.
    public var yearDays: [Int] = []
    /// `BYMONTHDAY`, 1 to 31, or from -1 backwards.
    public var monthDays: [Int] = []
    public var weekdays: [Weekday] = []
    /// `BYSETPOS`: which of the occurrences of each period, from 1, or from -1 backwards.
    public var setPositions: [Int] = []
    /// `WKST`: the first day of the week, 0 for Sunday to 6 for Saturday.
    public var weekStart = 1

    public static let largestInterval = 1_000
    /// The largest `COUNT`: a day each day for 27 years.
    public static let largestCount = 10_000
    public static let longestText = 1_000

    /// Every day, week, month or year.
    public init(_ frequency: Frequency) {
        self.frequency = frequency
    }

    static let dayNames = CivilDate.weekdayNames.map { $0.prefix(2).uppercased() }
}

extension RecurrenceRule {
    /// The same rule in the form that all programs understand alike: `UNTIL` is a time, as the standard demands of
    /// events with a time (a date with `wholeDays`), and `BYWEEKNO` has the day of the week.
    public func explicit(from start: CivilDate, in zone: TimeZone, wholeDays: Bool = false) -> RecurrenceRule {
        var rule = self
        switch end {
        case .date(let date) where !wholeDays:
            rule.end = .time(LocalTime(instant: zone.moment(of: date, secondsOfDay: 86_399)))
        case .time(let time) where wholeDays: rule.end = .date(zone.localTime(time).date)
        case .time(let time): rule.end = .time(LocalTime(instant: time.instant ?? zone.instant(of: time)))
        default: break
        }
        if !weekNumbers.isEmpty, weekdays.isEmpty, monthDays.isEmpty, yearDays.isEmpty {
            rule.weekdays = [Weekday(start.dayOfWeek)]
        }
        return rule
    }
}

extension RecurrenceRule {
    /// The rule in the syntax of RFC 5545, such as `FREQ=WEEKLY;BYDAY=TU,TH`.
    public var text: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        switch end {
        case .never: break
        case .count(let count): parts.append("COUNT=\(count)")
        case .date(let date): parts.append("UNTIL=\(date.basicText)")
        case .time(let time): parts.append("UNTIL=\(time.basicText)")
        }
        func append(_ name: String, _ values: [some CustomStringConvertible]) {
            guard !values.isEmpty else { return }
            parts.append("\(name)=\(values.map(\.description).joined(separator: ","))")
        }
        append("BYMONTH", months)
        append("BYWEEKNO", weekNumbers)
        append("BYYEARDAY", yearDays)
        append("BYMONTHDAY", monthDays)
        append("BYDAY", weekdays.map(\.text))
        append("BYSETPOS", setPositions)
        if weekStart != 1 { parts.append("WKST=\(Self.dayNames[weekStart])") }
        return parts.joined(separator: ";")
    }
}

extension RecurrenceRule.Weekday {
    fileprivate var text: String { (ordinal?.description ?? "") + RecurrenceRule.dayNames[day] }
}

extension CivilDate {
    /// The date in the basic format of ISO 8601: `20261124`.
    public var basicText: String {
        var text: [UInt8] = []
        text.append(decimal: year, width: 4)
        text.append(decimal: month, width: 2)
        text.append(decimal: day, width: 2)
        return String(decoding: text, as: UTF8.self)
    }
}

extension LocalTime {
    /// Reads the basic format of ISO 8601, as `basicText` has it. A leap second and 24:00 are the second after them.
    public init?(basicText text: String) {
        let (bytes, shape) = (Array(text.utf8), "00000000T000000Z")
        let hasShape = zip(bytes, shape.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? ASCII.isDigit($0) : $0 == $1 }
        func number(_ first: Int, _ digits: Int) -> Int {
            bytes[first..<(first + digits)].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        guard hasShape, [8, 15, 16].contains(bytes.count),
            let date = CivilDate(year: number(0, 4), month: number(4, 2), day: number(6, 2))
        else { return nil }
        if bytes.count == 8 {
            self.init(date)
            return
        }
        let (minute, second) = (number(11, 2), number(13, 2))
        let clock = Timestamp(date, seconds: number(9, 2) * 3600 + minute * 60 + second)
        guard minute < 60, second <= 60, clock <= Timestamp(date.advanced(by: 1)), clock.hasText else { return nil }
        self.init(clock: clock, offset: bytes.count == 16 ? 0 : nil)
    }

    /// In the basic format of ISO 8601: `20261124`, `20261124T190000`, or `20261124T190000Z` for an instant.
    public var basicText: String {
        if let instant { return instant.basicText }
        return isDate ? date.basicText : String(clock.basicText.dropLast())
    }
}

extension Timestamp {
    /// The time in UTC in the basic format of ISO 8601, without a fraction: `20261124T190000Z`.
    public var basicText: String {
        let (date, microseconds) = civil
        return "\(date.basicText)T\(Timestamp.basicClock(microseconds / 1_000_000))Z"
    }

    /// The time of a day in the basic format of ISO 8601: `190000`.
    public static func basicClock(_ secondsOfDay: Int) -> String {
        var text: [UInt8] = []
        text.append(decimal: secondsOfDay / 3600, width: 2)
        text.append(decimal: secondsOfDay / 60 % 60, width: 2)
        text.append(decimal: secondsOfDay % 60, width: 2)
        return String(decoding: text, as: UTF8.self)
    }
}

/// Why a text is not a recurrence rule that this server understands.
public struct RecurrenceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message, as what follows the name of the field: `has BYHOUR=9, which is not supported: …`.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension RecurrenceRule {
    /// Reads a rule, ignoring case. Throws the part that is not understood, and what would be right.
    public init(_ text: String) throws(RecurrenceError) {
        guard text.utf8.count <= Self.longestText else {
            throw RecurrenceError("must have at most \(Self.longestText) characters")
        }
        var parts: [(name: String, value: String)] = []
        let upper = text.utf8.map { $0 &- UInt8(ascii: "a") < 26 ? $0 & 0xDF : $0 }
        for part in String(decoding: upper, as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, !sides[1].isEmpty else {
                throw RecurrenceError(
                    "has \"\(part.prefix(40))\"; a rule has the form FREQ=WEEKLY;BYDAY=TU, with a value for each part")
            }
            guard !parts.contains(where: { $0.name == sides[0] }) else {
                throw RecurrenceError("has \(sides[0].prefix(40)) twice; each part occurs once")
            }
            parts.append((sides[0], sides[1]))
        }
        guard let frequency = parts.first(where: { $0.name == "FREQ" }) else {
            throw RecurrenceError("is missing FREQ, which is \(Self.frequencies)")
        }
        guard let frequency = Frequency(rawValue: frequency.value) else {
            throw RecurrenceError(
                "has FREQ=\(frequency.value.prefix(40)), which is not supported; FREQ is \(Self.frequencies)")
        }
        self.init(frequency)
        for part in parts where part.name != "FREQ" { try read(part.name, part.value) }
        try checkCombination()
    }

    private static let frequencies = "DAILY, WEEKLY, MONTHLY or YEARLY"

    private mutating func read(_ name: String, _ value: String) throws(RecurrenceError) {
        switch name {
        case "INTERVAL": interval = try Self.number(name, value, 1...Self.largestInterval)
        case "COUNT": try setEnd(.count(try Self.number(name, value, 1...Self.largestCount)))
        case "UNTIL": try setEnd(try Self.until(value))
        case "BYMONTH": months = try Self.numbers(name, value, upTo: 12, isSigned: false)
        case "BYWEEKNO": weekNumbers = try Self.numbers(name, value, upTo: 53)
        case "BYYEARDAY": yearDays = try Self.numbers(name, value, upTo: 366)
        case "BYMONTHDAY": monthDays = try Self.numbers(name, value, upTo: 31)
        case "BYSETPOS": setPositions = try Self.numbers(name, value, upTo: 366)
        case "BYDAY":
            weekdays = []
            for item in value.split(separator: ",", omittingEmptySubsequences: false) {
                weekdays.append(try Self.weekday(item))
            }
        case "WKST":
            guard let day = Self.dayNames.firstIndex(of: value) else {
                throw RecurrenceError("has WKST=\(value.prefix(40)); WKST is one of \(Self.allDays)")
            }
            weekStart = day
        default:
            throw RecurrenceError(
                "has \(name.prefix(40)), which is not supported; its parts are FREQ, INTERVAL, COUNT, UNTIL, BYMONTH,"
                    + " BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY, BYSETPOS and WKST")
        }
    }

    private mutating func setEnd(_ end: End) throws(RecurrenceError) {
        guard self.end == .never else {
            throw RecurrenceError("has both COUNT and UNTIL; a series ends by one of them")
        }
        self.end = end
    }

    private static let allDays = dayNames.joined(separator: ", ")

    private static func number(
        _ name: String, _ value: String, _ range: ClosedRange<Int>
    ) throws(RecurrenceError) -> Int {
        guard value.utf8.allSatisfy(ASCII.isDigit), let number = Int(value), range.contains(number) else {
            throw RecurrenceError(
                "has \(name)=\(value.prefix(40)); \(name) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func numbers(
        _ name: String, _ value: String, upTo limit: Int, isSigned: Bool = true
    ) throws(RecurrenceError) -> [Int] {
        var numbers: [Int] = []
        for item in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = signed(item), 1...limit ~= abs(number), isSigned || number > 0,
                isSigned || item.utf8.allSatisfy(ASCII.isDigit)
            else {
                let backwards = isSigned ? ", or from -1 to -\(limit) from the end" : ""
                throw RecurrenceError(
                    "has \"\(item.prefix(40))\" in \(name); its numbers are from 1 to \(limit)\(backwards)")
            }
            numbers.append(number)
        }
        return numbers
    }

    /// An optional sign and one to three digits.
    private static func signed(_ text: Substring) -> Int? {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
        guard 1...3 ~= digits.utf8.count, digits.utf8.allSatisfy(ASCII.isDigit), let number = Int(digits) else {
            return nil
        }
        return text.hasPrefix("-") ? -number : number
    }

    private static func weekday(_ text: Substring) throws(RecurrenceError) -> Weekday {
        let ordinal = text.dropLast(2)
        guard let day = dayNames.firstIndex(of: String(text.suffix(2))),
            ordinal.isEmpty || signed(ordinal).map({ 1...53 ~= abs($0) }) == true
        else {
            throw RecurrenceError(
                "has \"\(text.prefix(40))\" in BYDAY; a day is one of \(allDays), with a number before it for one of"
                    + " those in the month or year: 2TU, -1FR")
        }
        return Weekday(day, ordinal: signed(ordinal))
    }

    private static func until(_ text: String) throws(RecurrenceError) -> End {
        guard let time = LocalTime(basicText: text) else {
            throw RecurrenceError(
                "has UNTIL=\(text.prefix(40)); UNTIL is a date such as 20261231 or a time such as 20261231T190000, in "
                    + "UTC with a Z at its end")
        }
        return time.isDate ? .date(time.date) : .time(time)
    }

    private func checkCombination() throws(RecurrenceError) {
        func require(_ isAllowed: Bool, _ message: String) throws(RecurrenceError) {
            if !isAllowed { throw RecurrenceError(message) }
        }
        let hasOrdinals = weekdays.contains { $0.ordinal != nil }
        try require(weekNumbers.isEmpty || frequency == .yearly, "has BYWEEKNO; it needs FREQ=YEARLY")
        try require(yearDays.isEmpty || frequency == .yearly, "has BYYEARDAY; it needs FREQ=YEARLY")
        try require(
            monthDays.isEmpty || frequency != .weekly, "has BYMONTHDAY; it needs FREQ=DAILY, MONTHLY or YEARLY")
        try require(
            !hasOrdinals || frequency == .monthly || frequency == .yearly,
            "has BYDAY with a number before the day; it needs FREQ=MONTHLY or YEARLY")
        try require(
            !hasOrdinals || weekNumbers.isEmpty, "has BYDAY with a number before the day; it cannot be with BYWEEKNO")
        let hasOther =
            !(months.isEmpty && weekNumbers.isEmpty && yearDays.isEmpty && monthDays.isEmpty && weekdays.isEmpty)
        try require(
            setPositions.isEmpty || hasOther, "has BYSETPOS; it needs another part whose name begins with BY")
    }
}
