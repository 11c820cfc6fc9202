import Bytes

/// A time zone of the tz database. A class, because each instant of a query has a reference to it.
public final class TimeZone: Sendable {
    /// The name, such as `America/Vancouver`.
    public let name: String
    /// The times at which the offset changes, in seconds since 1970, ascending.
    let transitions: [Int]
    /// The offset after each transition, in seconds east of UTC.
    let offsets: [Int]
    /// The offset before the first transition.
    let firstOffset: Int
    /// The rule after the last transition; nil when its offset stays.
    let rule: POSIXZoneRule?

    public static let utc = TimeZone(name: "UTC", fixedOffset: 0)

    public init(name: String, fixedOffset: Int) {
        (self.name, transitions, offsets, firstOffset, rule) = (name, [], [], fixedOffset, nil)
    }

    init(name: String, transitions: [Int], offsets: [Int], firstOffset: Int, rule: POSIXZoneRule?) {
        (self.name, self.transitions, self.offsets) = (name, transitions, offsets)
        (self.firstOffset, self.rule) = (firstOffset, rule)
    }

    /// Whether a text can be the name of a zone: letters, digits and `_ + - . /` in parts that are neither empty nor
    /// dots, as in the database.
    public static func isAcceptable(_ name: String) -> Bool {
        name.utf8.count <= 100 && name != "Local"
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part != "." && part != ".."
                    && part.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "_+-.".utf8.contains($0) }
            }
    }

    /// The offset at a time, in seconds east of UTC.
    public func offset(at moment: Timestamp) -> Int {
        period(containing: moment.seconds).offset
    }

    /// The local date at a time, and the seconds since midnight on the clocks.
    public func localDate(at moment: Timestamp) -> (date: CivilDate, secondsOfDay: Int) {
        let local = moment.seconds + offset(at: moment)
        let days = local.quotient(roundedDownBy: 86_400)
        return (CivilDate(daysSinceEpoch: days), local - days * 86_400)
    }

    /// The period with one offset around a time, in seconds since 1970.
    func period(containing seconds: Int) -> OffsetPeriod {
        guard let last = transitions.last, seconds < last else {
            guard var period = rule?.period(containing: seconds) else {
                return OffsetPeriod(offset: offsets.last ?? firstOffset, start: transitions.last, end: nil)
            }
            // The rule applies from the last transition on.
            period.start = [period.start, transitions.last].compactMap(\.self).max()
            return period
        }
        // The first transition after the time; the one before it applies.
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return OffsetPeriod(
            offset: low == 0 ? firstOffset : offsets[low - 1], start: low == 0 ? nil : transitions[low - 1],
            end: transitions[low])
    }
}

/// The next one may have the same offset, because a zone also changes its abbreviation.
struct OffsetPeriod: Equatable {
    var offset: Int
    /// The first second, since 1970; nil when there is no change before.
    var start: Int?
    /// The second after the last one; nil when there is no change to come.
    var end: Int?
}

extension Int {
    func quotient(roundedDownBy divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// There is no time zone with a name.
public struct TimeZoneError: Error, Sendable, Equatable, CustomStringConvertible {
    public let name: String

    public init(name: String) {
        self.name = name
    }

    /// `invalid time zone: "…"`, with characters escaped as by Go's `%q`.
    public var description: String {
        var text = [UInt8]("invalid time zone: \"")
        for scalar in name.unicodeScalars { Self.append(scalar, to: &text) }
        text.append("\"")
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        switch (scalar, scalar.properties.generalCategory) {
        case ("\"", _), ("\\", _): text.append(utf8: "\\\(scalar)")
        case ("\n", _): text.append("\\n")
        case ("\r", _): text.append("\\r")
        case ("\t", _): text.append("\\t")
        case (" ", _): text.append(" ")
        case (_, .control), (_, .format), (_, .privateUse), (_, .unassigned), (_, .surrogate), (_, .spaceSeparator),
            (_, .lineSeparator), (_, .paragraphSeparator):
            if scalar.isASCII {
                text.append("\\x")
                text.append(hex: UInt8(truncatingIfNeeded: scalar.value))
            } else if scalar.value <= 0xFFFF {
                text.append("\\u")
                text.append(hex: UInt16(truncatingIfNeeded: scalar.value))
            } else {
                text.append("\\U")
                text.append(hex: scalar.value)
            }
        default: text.append(contentsOf: scalar.utf8)
        }
    }
}

extension TimeZone {
    /// The instants at which clocks show 0 to 86,400 seconds of a day: none when they skip it, two when they repeat it.
    public func timestamps(of date: CivilDate, secondsOfDay: Int) -> [Timestamp] {
        // The years in the range of `Timestamp`; offsets are below 26 hours.
        guard -290_000...290_000 ~= date.year else { return [] }
        let local = date.daysSinceEpoch * 86_400 + secondsOfDay
        var moments: [Timestamp] = []
        var next: Int? = local - 93_600
        while let seconds = next, seconds <= local + 93_600 {
            let period = period(containing: seconds)
            let moment = local - period.offset
            if moment >= period.start ?? moment, moment < period.end ?? .max {
                moments.append(Timestamp(clampingSeconds: moment))
            }
            next = period.end
        }
        return moments
    }
}

extension TimeZone {
    /// The instant at which clocks show a time of a day, as RFC 5545, section 3.3.5, has it: the first one when they
    /// show it twice; when they skip it, the time by the offset before the gap.
    public func moment(of date: CivilDate, secondsOfDay: Int) -> Timestamp {
        let local = date.daysSinceEpoch * 86_400 + secondsOfDay
        // Offsets are below 26 hours.
        var period = period(containing: local - 93_600)
        while let end = period.end, local - period.offset >= end {
            let next = self.period(containing: end)
            if next.start.map({ local - next.offset < $0 }) == true { break }
            period = next
        }
        return Timestamp(clampingSeconds: local - period.offset)
    }

    public func start(of date: CivilDate) -> Timestamp { moment(of: date, secondsOfDay: 0) }
}

extension TimeZone {
    /// A zone with some changes, ascending, of offsets in seconds east of UTC, from elsewhere.
    public convenience init(name: String, firstOffset: Int, changes: [(moment: Timestamp, offset: Int)]) {
        self.init(
            name: name, transitions: changes.map(\.moment.seconds), offsets: changes.map(\.offset),
            firstOffset: firstOffset, rule: nil)
    }
}

extension TimeZone {
    /// A change of the clocks, once or each year, for the description of a zone in calendars (RFC 5545, section 3.6.5).
    public struct Observance: Sendable, Hashable {
        /// The time of the first change; nil for what applied before any.
        public var start: Timestamp?
        /// The offset before it, in seconds east of UTC.
        public var offsetBefore: Int
        public var offset: Int
        /// The date of the change in later years; nil when it happens once.
        public var yearly: YearlyDate?

        public var isDaylight: Bool { offset > offsetBefore }

        /// A day of the week in a month.
        public struct YearlyDate: Sendable, Hashable {
            /// The month, 1 to 12.
            public var month: Int
            /// Which of them, 1 to 4, or -1 for the last.
            public var ordinal: Int
            /// The day, 0 for Sunday to 6 for Saturday.
            public var dayOfWeek: Int
        }
    }

    /// The most observances: those of a century.
    private static let mostObservances = 200

    /// The observances from one instant to another: those that happen once, then those that happen each year.
    public func observances(from start: Timestamp, to end: Timestamp) -> [Observance] {
        var period = period(containing: start.seconds)
        let before = period.start.map { self.period(containing: $0 - 1).offset } ?? period.offset
        var found = [
            Observance(
                start: period.start.map(Timestamp.init(clampingSeconds:)), offsetBefore: before, offset: period.offset)
        ]
        var yearly = 0
        while let change = period.end, found.count < Self.mostObservances {
            let next = self.period(containing: change)
            let date = yearlyDate(at: change, from: period.offset)
            // Two changes a year are enough, once they happen each year.
            if date != nil { yearly += 1 }
            if yearly > 2 || date == nil && change > end.seconds { break }
            // An abbreviation alone may change.
            if next.offset != period.offset {
                found.append(
                    Observance(
                        start: Timestamp(clampingSeconds: change), offsetBefore: period.offset, offset: next.offset,
                        yearly: date))
            }
            period = next
        }
        return found
    }

    /// The date of a change in each year; nil when one of the two does not follow a simple rule.
    private func yearlyDate(at change: Int, from offset: Int) -> Observance.YearlyDate? {
        guard let rule, let daylight = rule.daylight, change > transitions.last ?? .min,
            let start = Observance.YearlyDate(daylight.start), let end = Observance.YearlyDate(daylight.end)
        else { return nil }
        return offset == rule.standardOffset ? start : end
    }
}

extension TimeZone.Observance.YearlyDate {
    /// Nil for a change that is not on a day of the week, or at a time outside the day.
    fileprivate init?(_ change: POSIXZoneRule.Change) {
        guard 0..<86_400 ~= change.time, case .weekday(let month, let week, let day) = change.day else { return nil }
        self.init(month: month, ordinal: week == 5 ? -1 : week, dayOfWeek: day)
    }
}
