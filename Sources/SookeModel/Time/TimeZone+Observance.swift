import Bytes

extension TimeZone {
    /// A change of the clocks, once or each year, for the description of a zone in calendars (RFC 5545, section 3.6.5).
    public struct Observance: Sendable, Hashable {
        /// The moment of the first change; nil for what applied before any.
        public var start: Timestamp?
        /// The offset before it, in seconds east of UTC.
        public var offsetBefore: Int
        public var offset: Int
        /// The date of the change in later years; nil when it happens once.
        public var yearly: YearlyDate?

        /// Whether clocks are set forward.
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
