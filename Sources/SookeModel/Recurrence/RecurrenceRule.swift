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

        /// A day of the week.
        public init(_ day: Int, ordinal: Int? = nil) {
            (self.day, self.ordinal) = (day, ordinal)
        }
    }

    /// When a series ends.
    public enum End: Sendable, Hashable {
        case never
        case count(Int)
        /// At the end of a day on the clocks of the event.
        case date(CivilDate)
        /// With an occurrence that starts at this moment, or before it.
        case moment(Timestamp)
    }

    /// `FREQ`.
    public var frequency: Frequency
    /// `INTERVAL`: every how many days, weeks, months or years.
    public var interval = 1
    /// `COUNT` or `UNTIL`.
    public var end = End.never
    /// `BYMONTH`, 1 to 12.
    public var months: [Int] = []
    /// `BYWEEKNO`, 1 to 53, or from -1 backwards.
    public var weekNumbers: [Int] = []
    /// `BYYEARDAY`, 1 to 366, or from -1 backwards.
    public var yearDays: [Int] = []
    /// `BYMONTHDAY`, 1 to 31, or from -1 backwards.
    public var monthDays: [Int] = []
    /// `BYDAY`.
    public var weekdays: [Weekday] = []
    /// `BYSETPOS`: which of the occurrences of each period, from 1, or from -1 backwards.
    public var setPositions: [Int] = []
    /// `WKST`: the first day of the week, 0 for Sunday to 6 for Saturday.
    public var weekStart = 1

    /// The largest `INTERVAL`.
    public static let largestInterval = 1_000
    /// The largest `COUNT`: a day each day for 27 years.
    public static let largestCount = 10_000
    /// The most bytes of a rule.
    public static let longestText = 1_000

    /// Every day, week, month or year.
    public init(_ frequency: Frequency) {
        self.frequency = frequency
    }

    static let dayNames = CivilDate.weekdayNames.map { $0.prefix(2).uppercased() }
}

extension RecurrenceRule {
    /// The same rule in the form that all programs understand in the same way: an `UNTIL` is a moment, as the standard
    /// demands of events with a time, and `BYWEEKNO` has the day of the week.
    public func explicit(from start: CivilDate, in zone: TimeZone) -> RecurrenceRule {
        var rule = self
        if case .date(let date) = end {
            rule.end = .moment(zone.moment(of: date, secondsOfDay: 86_399))
        }
        if !weekNumbers.isEmpty, weekdays.isEmpty, monthDays.isEmpty, yearDays.isEmpty {
            rule.weekdays = [Weekday(start.dayOfWeek)]
        }
        return rule
    }
}

// MARK: - Writing

extension RecurrenceRule {
    /// The rule in the syntax of RFC 5545, such as `FREQ=WEEKLY;BYDAY=TU,TH`.
    public var text: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        switch end {
        case .never: break
        case .count(let count): parts.append("COUNT=\(count)")
        case .date(let date): parts.append("UNTIL=\(date.basicText)")
        case .moment(let moment): parts.append("UNTIL=\(moment.basicText)")
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

extension Timestamp {
    /// The moment in UTC in the basic format of ISO 8601, without a fraction: `20261124T190000Z`.
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
    /// The message for people, as what follows the name of the field: `has BYHOUR=9, which is not supported: …`.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
