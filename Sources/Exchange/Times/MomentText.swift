import Bytes
import SookeModel

/// A local time as people write it in a table: `2027-06-01 19:00`, `June 1, 2027 7pm`, `13/6/2027 7:00 PM`.
///
/// Date and time stand in this order; one of them may be missing. What can be two dates, such as `6/7/2027`, is
/// refused. RFC 3339 with an offset is read by `Timestamp`.
struct MomentText: Equatable {
    var date: CivilDate?
    /// Nil when there is only a date. 86,400 for a `24:00` without a date; with one it is 0 on the next day.
    var secondsOfDay: Int?
    /// In seconds from UTC.
    var offset: Int?
    /// A time with 12 hours that does not tell the half of the day, such as `7:30`.
    var isHalfOpen = false
    /// If the numbers of the date can have only one.
    var order: DayOrder?
    /// With fractions of a second, or an instant.
    var exact: LocalTime?

    enum DayOrder: Hashable, Sendable {
        case dayFirst, monthFirst
    }

    /// - Parameter order: of a date that can have both.
    init(_ text: String, order: DayOrder? = nil) throws(MomentTextError) {
        guard text.utf8.count <= 100 else { throw .form }
        guard !MomentTextParser.isSerialNumber(text) else { throw .serialNumber }
        if let time = Self.time(ofFraction: text) {
            self.init(secondsOfDay: time)
            return
        }
        var parser = MomentTextParser(text, order: order)
        self = try parser.moment()
    }

    /// A spreadsheet stores a part of a day, such as `0.791666667`.
    private static func time(ofFraction text: String) -> Int? {
        guard text.utf8.count > 4, text.hasPrefix("0."), let part = Double(decimal: text), part < 1 else { return nil }
        return Int(clamping: (part * 1440).rounded()) % 1440 * 60
    }

    /// Date and time are known on the clocks of its offset; UTC says nothing about the clocks of the town.
    init(exact: LocalTime, _ text: String) {
        if text.utf8.last.map(ASCII.isDigit) == true, let read = try? MomentText(text) {
            self = read
        }
        self.exact = exact
    }

    init(date: CivilDate? = nil, secondsOfDay: Int? = nil, offset: Int? = nil) {
        (self.date, self.secondsOfDay, self.offset) = (date, secondsOfDay, offset)
    }
}

/// A date such as `6/7/2027` can have both orders. Dates of its table that can have only one decide, if they agree.
struct DateOrders {
    private var orders: Set<MomentText.DayOrder> = []
    private var isAmbiguous = false

    mutating func add(_ moments: EventTimeCells.Moments) {
        orders.formUnion(moments.orders)
        if moments.isAmbiguous { isAmbiguous = true }
    }

    var order: MomentText.DayOrder? { isAmbiguous && orders.count == 1 ? orders.first : nil }
}

enum MomentTextError: Error, Equatable {
    case form
    case ambiguous(CivilDate, CivilDate)
    case noSuchDate
    case weekday(CivilDate)
    case year(Int)
    case noYear
    case noDate
    case noTime
    case range
    /// An abbreviation, which can stand for several zones.
    case zone(String)
    case serialNumber

    func message(_ text: String) -> String {
        let cell = "\"\(text.excerpt())\""
        switch self {
        case .form: return "must be a date and time like 2027-06-01 19:00 or 2027-06-01T19:00:00-07:00, not \(cell)"
        case .ambiguous(let first, let second):
            return "\(cell) can be \(first.text) or \(second.text); write one of these, the year first"
        case .noSuchDate: return "\(cell) is a date that does not exist; write it like 2027-06-01 19:00"
        case .weekday(let date):
            return "\(cell) is a \(CivilDate.weekdayNames[date.dayOfWeek]); correct the date or the day of the week"
        case .year(let year): return "\(cell) is in the year \(year); write it like 2027-06-01 19:00"
        case .noYear: return "\(cell) has no year; write it like 2027-06-01 19:00"
        case .noDate: return "\(cell) has no date; write it like 2027-06-01 19:00"
        case .noTime: return "\(cell) has no time; write it like 2027-06-01 19:00"
        case .range: return "\(cell) has two times; put the end alone into a column of its own, such as end_time"
        case .zone(let zone):
            return "leave \"\(zone)\" out: times are those of the town's clocks, or of the zone in the column time_zone"
        case .serialNumber:
            return "\(cell) is how a spreadsheet stores a date; give the column a format like 2027-06-01 19:00"
        }
    }
}

struct MomentTextParser {
    private enum Token: Equatable {
        case number(Int, digits: Int)
        case word(String)
        case sign(Character)
    }

    private var tokens: [Token] = []
    private var index = 0
    /// Then `-07:00` is an offset, and else the end of a range.
    private var isISO = false
    private let givenOrder: MomentText.DayOrder?
    private var order: MomentText.DayOrder?
    private var isHalfOpen = false

    init(_ text: String, order: MomentText.DayOrder?) {
        givenOrder = order
        var rest = Array(text.lowercased())[...]
        while let first = rest.first {
            let isNumber = Self.isDigit(first)
            let part = String(rest.prefix { isNumber ? Self.isDigit($0) : $0.isLetter })
            rest = rest.dropFirst(max(1, part.count))
            if part.isEmpty {
                if !Self.spaces.contains(first) { tokens.append(.sign(first)) }
            } else {
                let isUsable = isNumber && part.count <= 9
                tokens.append(isUsable ? .number(Int(part) ?? 0, digits: part.count) : .word(part))
            }
        }
        joinDayHalves()
    }

    private static let spaces: Set<Character> = [" ", "\t", "\n", "\r", "\r\n", "\u{A0}", "\u{202F}", "\u{2009}"]

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && "0" <= character && character <= "9"
    }

    /// Joins `p`, `.`, `m` and `.` to `pm`.
    private mutating func joinDayHalves() {
        var joined: [Token] = []
        var rest = tokens[...]
        while let token = rest.popFirst() {
            if token == .word("a") || token == .word("p"), rest.starts(with: [.sign("."), .word("m")]) {
                joined.append(.word(token == .word("a") ? "am" : "pm"))
                rest.removeFirst(2)
                if rest.first == .sign(".") { rest.removeFirst() }
            } else {
                joined.append(token)
            }
        }
        tokens = joined
    }

    /// A day as spreadsheets count them, from the year 1954 to 2118, perhaps with a time of day.
    static func isSerialNumber(_ text: String) -> Bool {
        guard let number = Double(decimal: text.trimmed) else { return false }
        return 20_000...80_000 ~= number
    }

    private var next: Token? { index < tokens.count ? tokens[index] : nil }

    private mutating func skip(_ signs: String) {
        while case .sign(let sign) = next, signs.contains(sign) { index += 1 }
    }

    private mutating func takeNumber() -> (value: Int, digits: Int)? {
        guard case .number(let value, let digits) = next else { return nil }
        index += 1
        return (value, digits)
    }

    private mutating func takeWord(where fits: (String) -> Bool) -> String? {
        guard case .word(let word) = next, fits(word) else { return nil }
        index += 1
        return word
    }

    mutating func moment() throws(MomentTextError) -> MomentText {
        var moment = MomentText()
        let weekday = takeWord { Self.index(of: $0, in: ColumnNames.dayNames) != nil }
        skip(",.")
        if !isTimeNext {
            moment.date = try date()
            skip(",")
            isISO = takeWord { $0 == "t" } != nil
            if !isISO { _ = takeWord { $0 == "at" } }
            skip("@,-–—")
        }
        if next != nil {
            moment.secondsOfDay = try time()
            _ = takeWord { $0 == "uhr" }
            moment.offset = try offset(hasDate: moment.date != nil)
        }
        (moment.isHalfOpen, moment.order) = (isHalfOpen, order)
        if let date = moment.date {
            guard Self.years ~= date.year else { throw .year(date.year) }
            if moment.secondsOfDay == 86_400 { (moment.date, moment.secondsOfDay) = (date.advanced(by: 1), 0) }
            if let weekday, Self.index(of: weekday, in: ColumnNames.dayNames) != date.dayOfWeek { throw .weekday(date) }
        }
        guard next == nil, moment.date != nil || moment.secondsOfDay != nil else { throw .form }
        return moment
    }

    private var isTimeNext: Bool {
        if case .word(let word) = next { return Self.clockWords[word] != nil }
        guard case .number = next, index + 1 < tokens.count else { return false }
        switch tokens[index + 1] {
        case .sign(":"): return true
        case .word(let word): return Self.dayHalves[word] != nil || word == "h"
        default: return false
        }
    }

    private mutating func date() throws(MomentTextError) -> CivilDate {
        if let month = takeWord(where: { Self.index(of: $0, in: Self.monthNames) != nil }) {
            skip(".")
            guard let day = takeNumber() else { throw .form }
            skipOrdinal()
            return try Self.date(year: try year(), month: month, day: day.value)
        }
        guard let first = takeNumber() else { throw .form }
        skipOrdinal()
        skip("-–./,")
        _ = takeWord { $0 == "of" }
        if let month = takeWord(where: { Self.index(of: $0, in: Self.monthNames) != nil }) {
            return try Self.date(year: try year(), month: month, day: first.value)
        }
        guard case .sign(let sign) = index > 0 ? tokens[index - 1] : nil, "-–./".contains(sign),
            let second = takeNumber()
        else { throw .form }
        guard case .sign(sign) = next else { throw second.value <= 31 && first.value <= 31 ? .noYear : .form }
        index += 1
        guard let third = takeNumber() else { throw .form }
        if first.digits == 4 { return try Self.date(first.value, second.value, third.value) }
        guard third.digits == 4 || third.digits == 2 else { throw .form }
        let year = third.digits == 2 ? 2000 + third.value : third.value
        let dayFirst = CivilDate(year: year, month: second.value, day: first.value)
        // Where dots are used, the day comes first.
        let monthFirst = sign == "." ? nil : CivilDate(year: year, month: first.value, day: second.value)
        var yearFirst: CivilDate?
        if third.digits == 2, first.digits == 2, first.value >= 20 {
            yearFirst = CivilDate(year: 2000 + first.value, month: second.value, day: third.value)
        }
        if sign != ".", yearFirst == nil, dayFirst != monthFirst {
            if let dayFirst, let monthFirst, let givenOrder {
                return givenOrder == .dayFirst ? dayFirst : monthFirst
            }
            if dayFirst == nil || monthFirst == nil { order = dayFirst == nil ? .monthFirst : .dayFirst }
        }
        return try Self.only([monthFirst, dayFirst, yearFirst].compactMap(\.self))
    }

    private static func only(_ readings: [CivilDate]) throws(MomentTextError) -> CivilDate {
        guard let first = readings.first else { throw .noSuchDate }
        if let other = readings.first(where: { $0 != first }) { throw .ambiguous(first, other) }
        return first
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int) throws(MomentTextError) -> CivilDate {
        guard let date = CivilDate(year: year, month: month, day: day) else { throw .noSuchDate }
        return date
    }

    private static func date(year: Int, month: String, day: Int) throws(MomentTextError) -> CivilDate {
        try date(year, (index(of: month, in: monthNames) ?? 0) + 1, day)
    }

    private mutating func year() throws(MomentTextError) -> Int {
        skip(",.-–/'’")
        guard let year = takeNumber() else { throw .noYear }
        // `June 1, 7pm` has a time here.
        if case .sign(":") = next { throw .noYear }
        if case .word(let word) = next, Self.dayHalves[word] != nil { throw .noYear }
        guard year.digits == 4 || year.digits == 2 else { throw .form }
        return year.digits == 2 ? 2000 + year.value : year.value
    }

    private mutating func skipOrdinal() {
        _ = takeWord { ["st", "nd", "rd", "th"].contains($0) }
    }

    private mutating func time() throws(MomentTextError) -> Int {
        if let word = takeWord(where: { Self.clockWords[$0] != nil }) { return Self.clockWords[word] ?? 0 }
        guard let hour = takeNumber(), hour.digits <= 2 else { throw .form }
        var seconds = 0
        var hasMinutes = false
        if takeWord(where: { $0 == "h" }) != nil {
            hasMinutes = true
            if case .number = next { seconds = try sixtieth() * 60 }
        } else if next == .sign(":") || next == .sign(".") {
            hasMinutes = true
            index += 1
            seconds = try sixtieth() * 60
            if next == .sign(":") {
                index += 1
                seconds += try sixtieth()
            }
        }
        if let half = takeWord(where: { Self.dayHalves[$0] != nil }) {
            guard 1...12 ~= hour.value else { throw .form }
            seconds += (hour.value % 12 + (Self.dayHalves[half] ?? 0)) * 3600
        } else {
            guard hasMinutes, hour.value < 24 || hour.value == 24 && seconds == 0 else { throw .form }
            seconds += hour.value * 3600
            isHalfOpen = 1..<12 ~= hour.value && hour.digits == 1 || hour.value == 10 || hour.value == 11
        }
        if case .sign(let sign) = next, "-–—".contains(sign), index + 1 < tokens.count, !isOffsetNext { throw .range }
        if next == .word("to") || next == .word("until") { throw .range }
        return seconds
    }

    private mutating func sixtieth() throws(MomentTextError) -> Int {
        guard let number = takeNumber(), number.digits == 2, number.value < 60 else { throw .form }
        return number.value
    }

    /// `07:00`, `0700` or `07`, and nothing else.
    private var isOffsetNext: Bool {
        guard isISO || next == .sign("+"), case .number(_, let digits) = tokens[index + 1] else { return false }
        let rest = tokens.count - index - 2
        return rest == 0 && (digits == 4 || digits == 2) || digits == 2 && rest == 2 && tokens[index + 2] == .sign(":")
    }

    private mutating func offset(hasDate: Bool) throws(MomentTextError) -> Int? {
        guard let next, hasDate else {
            if case .word(let word) = self.next { throw .zone(word.uppercased()) }
            return nil
        }
        if case .word(let word) = next {
            guard ["z", "utc", "gmt"].contains(word), index + 1 == tokens.count else { throw .zone(word.uppercased()) }
            index += 1
            return 0
        }
        guard case .sign(let sign) = next, "+-−".contains(sign), index + 1 < tokens.count, isOffsetNext else {
            return nil
        }
        index += 1
        guard let first = takeNumber() else { return nil }
        var (hours, minutes) = first.digits == 4 ? (first.value / 100, first.value % 100) : (first.value, 0)
        if case .sign(":") = self.next {
            index += 1
            minutes = try sixtieth()
        }
        // No zone is further from UTC.
        guard hours * 60 + minutes <= 14 * 60, minutes < 60 else { throw .form }
        hours *= sign == "+" ? 1 : -1
        return hours * 3600 + (sign == "+" ? 60 : -60) * minutes
    }

    private static let clockWords = ["noon": 12 * 3600, "midday": 12 * 3600, "midnight": 0]
    private static let dayHalves = ["am": 0, "a": 0, "pm": 12, "p": 12]
    private static let years = 1900...2199
    private static let monthNames = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// French and German months that do not begin as in English, from 0.
    private static let otherMonths = [
        "janvier": 0, "janv": 0, "januar": 0, "février": 1, "fevrier": 1, "févr": 1, "februar": 1, "mars": 2, "märz": 2,
        "avril": 3, "avr": 3, "mai": 4, "juin": 5, "juni": 5, "juillet": 6, "juil": 6, "juli": 6, "août": 7, "aout": 7,
        "septembre": 8, "octobre": 9, "oktober": 9, "okt": 9, "novembre": 10, "décembre": 11, "decembre": 11, "déc": 11,
        "dezember": 11, "dez": 11, "sept": 8,
    ]

    /// A word of at least three letters may begin the name.
    private static func index(of word: String, in names: [String]) -> Int? {
        if word.count < 3 { return nil }
        return names.firstIndex { $0.hasPrefix(word) } ?? (names == monthNames ? otherMonths[word] : nil)
    }
}
