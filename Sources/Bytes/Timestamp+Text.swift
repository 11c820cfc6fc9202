/// The two text forms of a timestamp: RFC 3339 in data, IMF-fixdate in HTTP fields.
extension Timestamp {
    /// Reads an RFC 3339 date-time (section 5.6), such as `2026-11-21T09:30:00Z` or `2035-06-01T19:00:00-07:00`.
    ///
    /// A fraction is rounded to microseconds. A leap second (`:60`) is the second after it. Nil for any other text, and
    /// for a time outside the years 0 to 9999 in UTC.
    public init?(rfc3339 text: some Collection<UInt8>) {
        var scanner = Scanner(text: Array(text))
        guard let date = scanner.date(), scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let hour = scanner.digits(2), hour < 24, scanner.take(":"),
            let minute = scanner.digits(2), minute < 60, scanner.take(":"),
            let second = scanner.digits(2), second <= 60, second < 60 || minute == 59,
            let fraction = scanner.fraction(), let offset = scanner.zoneOffset(), scanner.isAtEnd
        else { return nil }
        let secondOfDay = hour * 3600 + minute * 60 + second - offset
        let moment = Timestamp(
            microseconds: date.daysSinceEpoch * Self.microsecondsPerDay + secondOfDay * 1_000_000 + fraction)
        guard 0...9999 ~= moment.civil.date.year else { return nil }
        self = moment
    }

    public init?(rfc3339 text: String) {
        self.init(rfc3339: text.utf8)
    }

    /// The time as RFC 3339 in UTC with `Z`, its fraction without trailing zeros.
    public var rfc3339: String {
        var text: [UInt8] = []
        text.append(rfc3339: self)
        return String(decoding: text, as: UTF8.self)
    }

    /// The time as IMF-fixdate (RFC 9110, section 5.6.7), such as `Sat, 21 Nov 2026 09:30:00 GMT`.
    public var httpDate: String {
        let (date, microseconds) = civil
        var text = Array(CivilDate.weekdayNames[date.dayOfWeek].prefix(3).utf8)
        text.append(", ")
        text.append(decimal: date.day, width: 2)
        text.append(" ")
        text.append(utf8: String(CivilDate.monthNames[date.month - 1].prefix(3)))
        text.append(" ")
        text.append(decimal: date.year, width: 4)
        text.append(" ")
        text.append(clock: microseconds / 1_000_000)
        text.append(" GMT")
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    public mutating func append(rfc3339 moment: Timestamp) {
        let (date, microseconds) = moment.civil
        append(decimal: date.year, width: 4)
        append("-")
        append(decimal: date.month, width: 2)
        append("-")
        append(decimal: date.day, width: 2)
        append("T")
        append(clock: microseconds / 1_000_000)
        let fraction = microseconds % 1_000_000
        if fraction > 0 {
            append(".")
            append(decimal: fraction, width: 6)
            while last == UInt8(ascii: "0") { removeLast() }
        }
        append("Z")
    }

    /// Appends seconds since midnight as `HH:MM:SS`; 86,400 is `24:00:00`.
    public mutating func append(clock seconds: Int) {
        append(decimal: seconds / 3600, width: 2)
        append(":")
        append(decimal: seconds / 60 % 60, width: 2)
        append(":")
        append(decimal: seconds % 60, width: 2)
    }
}

extension CivilDate {
    /// Reads a full-date of RFC 3339 (section 5.6), such as `2026-12-24`; nil for any other text.
    public init?(_ text: String) {
        var scanner = Scanner(text: Array(text.utf8))
        guard let date = scanner.date(), scanner.isAtEnd else { return nil }
        self = date
    }

    /// The date as in RFC 3339, for the years 0 to 9999.
    public var text: String {
        var text: [UInt8] = []
        text.append(decimal: year, width: 4)
        text.append("-")
        text.append(decimal: month, width: 2)
        text.append("-")
        text.append(decimal: day, width: 2)
        return String(decoding: text, as: UTF8.self)
    }
}

private struct Scanner {
    let text: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == text.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func digit() -> Int? {
        guard position < text.count, let value = ASCII.decimalValue(text[position]) else { return nil }
        position += 1
        return value
    }

    mutating func date() -> CivilDate? {
        guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2) else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Microseconds of `.digits`, 0 when there is no point; nil when no digit follows it.
    mutating func fraction() -> Int? {
        guard take(".") else { return 0 }
        guard var nanoseconds = digit().map({ $0 * 100_000_000 }) else { return nil }
        var weight = 10_000_000
        while let digit = digit() {
            nanoseconds += digit * weight
            weight /= 10
        }
        return (nanoseconds + 500) / 1_000
    }

    mutating func zoneOffset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : -1
        guard sign == 1 || take("-"), let hours = digits(2), hours < 24, take(":"), let minutes = digits(2),
            minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
