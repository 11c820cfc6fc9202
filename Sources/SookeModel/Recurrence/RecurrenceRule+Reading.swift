import Bytes

extension RecurrenceRule {
    /// Reads a rule; the names of its parts and their values in any letter case.
    ///
    /// - Throws: the part that is not understood, and what would be right.
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

    /// Reads one part.
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

    /// `20261231` or `20261231T235959Z`.
    private static func until(_ text: String) throws(RecurrenceError) -> End {
        let (bytes, shape) = (Array(text.utf8), "00000000T000000Z")
        let hasShape = zip(bytes, shape.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? ASCII.isDigit($0) : $0 == $1 }
        func number(_ first: Int, _ digits: Int) -> Int {
            bytes[first..<(first + digits)].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        guard hasShape, bytes.count == 8 || bytes.count == 16,
            let date = CivilDate(year: number(0, 4), month: number(4, 2), day: number(6, 2))
        else { throw invalidUntil(text) }
        if bytes.count == 8 { return .date(date) }
        let (hour, minute, second) = (number(9, 2), number(11, 2), number(13, 2))
        guard hour < 24, minute < 60, second <= 60 else { throw invalidUntil(text) }
        let clock = hour * 3600 + minute * 60 + second
        return .moment(Timestamp(date, seconds: clock))
    }

    private static func invalidUntil(_ text: String) -> RecurrenceError {
        RecurrenceError(
            "has UNTIL=\(text.prefix(40)); UNTIL is a date such as 20261231 or a time in UTC such as"
                + " 20261231T235959Z")
    }

    /// Checks what RFC 5545 does not let a rule combine.
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
