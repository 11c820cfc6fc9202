import Bytes

/// The yearly changes of a time zone, in the form of POSIX's `TZ` variable: `PST8PDT,M3.2.0,M11.1.0`.
///
/// The times may be outside the day, from −167 to 167 hours (RFC 9636, section 3.3.1).
struct POSIXZoneRule: Sendable, Equatable {
    /// Standard time, in seconds east of UTC.
    let standardOffset: Int
    let daylight: Daylight?

    struct Daylight: Sendable, Equatable {
        let offset: Int
        let start: Change
        let end: Change
    }

    struct Change: Sendable, Equatable {
        let day: Day
        /// Seconds after the start of that day in local time before the change.
        let time: Int
    }

    enum Day: Sendable, Equatable {
        /// `Mm.w.d`: the w-th (5 is the last) day d of the week in month m.
        case weekday(month: Int, week: Int, day: Int)
        /// `Jn`: day 1 to 365, a 29th of February never counted.
        case julian(Int)
        /// `n`: day 0 to 365, a 29th of February counted.
        case zeroBased(Int)
    }

    func period(containing seconds: Int) -> OffsetPeriod {
        var period = OffsetPeriod(offset: standardOffset, start: nil, end: nil)
        guard let daylight else { return period }
        let year = CivilDate(daysSinceEpoch: (seconds + standardOffset).quotient(roundedDownBy: 86_400)).year
        // A change far outside its day may reach into the year before or after. When one year's daylight saving time
        // ends as the next one's starts, the later year counts: that expresses daylight saving time all year round.
        for candidate in (year - 1)...(year + 1) {
            let changes = [
                (daylight.start.seconds(in: candidate) - standardOffset, daylight.offset),
                (daylight.end.seconds(in: candidate) - daylight.offset, standardOffset),
            ]
            for (moment, offset) in changes {
                if moment > seconds {
                    period.end = min(moment, period.end ?? moment)
                } else if moment >= period.start ?? moment {
                    period.start = moment
                    period.offset = offset
                }
            }
        }
        return period
    }
}

extension POSIXZoneRule.Change {
    /// The local time of the change in a year, as if it were UTC, in seconds since 1970.
    fileprivate func seconds(in year: Int) -> Int {
        dayNumber(in: year) * 86_400 + time
    }

    private func dayNumber(in year: Int) -> Int {
        let newYear = Self.dayNumber(year, 1, 1)
        switch day {
        case .zeroBased(let number):
            return newYear + number
        case .julian(let number):
            return newYear + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
        case .weekday(let month, let week, let day):
            let first = Self.dayNumber(year, month, 1)
            let firstWeekday = CivilDate(daysSinceEpoch: first).dayOfWeek
            var dayOfMonth = 1 + (day - firstWeekday + 7) % 7 + (week - 1) * 7
            if dayOfMonth > CivilDate.daysInMonth(month, of: year) { dayOfMonth -= 7 }
            return first + dayOfMonth - 1
        }
    }

    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        CivilDate(year: year, month: month, day: day)?.daysSinceEpoch ?? 0
    }
}

extension POSIXZoneRule {
    init?(_ text: some Collection<UInt8>) {
        var scanner = RuleScanner(rest: Array(text)[...])
        guard scanner.name(), let west = scanner.time(hours: 24) else { return nil }
        standardOffset = -west
        if scanner.rest.isEmpty {
            daylight = nil
            return
        }
        guard scanner.name() else { return nil }
        var offset = standardOffset + 3600
        if scanner.rest.first != UInt8(ascii: ",") {
            guard let west = scanner.time(hours: 24) else { return nil }
            offset = -west
        }
        guard scanner.take(","), let start = scanner.change(), scanner.take(","), let end = scanner.change(),
            scanner.rest.isEmpty
        else { return nil }
        daylight = Daylight(offset: offset, start: start, end: end)
    }
}

private struct RuleScanner {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// An abbreviation: letters, or anything between `<` and `>`.
    mutating func name() -> Bool {
        if take("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix(while: ASCII.isLetter)
        rest = rest[letters.endIndex...]
        return letters.count >= 3
    }

    mutating func number(upTo limit: Int) -> Int? {
        let digits = rest.prefix(while: ASCII.isDigit)
        guard 1...3 ~= digits.count else { return nil }
        rest = rest[digits.endIndex...]
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value <= limit ? value : nil
    }

    /// `[+-]h[hh][:mm[:ss]]` in seconds, the hours being at most `limit`.
    mutating func time(hours limit: Int) -> Int? {
        let sign = take("-") ? -1 : 1
        if sign == 1 { _ = take("+") }
        guard let hours = number(upTo: limit) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where take(":") {
            guard let value = number(upTo: 59) else { return nil }
            seconds += value * unit
        }
        return sign * seconds
    }

    mutating func change() -> POSIXZoneRule.Change? {
        guard let day = day() else { return nil }
        guard take("/") else { return POSIXZoneRule.Change(day: day, time: 7200) }
        return time(hours: 167).map { POSIXZoneRule.Change(day: day, time: $0) }
    }

    private mutating func day() -> POSIXZoneRule.Day? {
        if take("M") {
            guard let month = number(upTo: 12), month >= 1, take("."), let week = number(upTo: 5), week >= 1,
                take("."), let day = number(upTo: 6)
            else { return nil }
            return .weekday(month: month, week: week, day: day)
        }
        if take("J") {
            guard let number = number(upTo: 365), number >= 1 else { return nil }
            return .julian(number)
        }
        return number(upTo: 365).map { .zeroBased($0) }
    }
}
