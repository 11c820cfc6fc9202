import Bytes

extension TimeZone {
    /// The moments at which clocks show a time of a day, in ascending order.
    ///
    /// Usually there is one; there is none when the clocks skip that time (or the zone skips the whole day), and two
    /// when they are set back and show it again.
    ///
    /// - Parameter secondsOfDay: 0 to 86,400 seconds after midnight on the clocks; 86,400 is the next day's midnight.
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
    /// The moment at which clocks show a time of a day, as RFC 5545, section 3.3.5, has it: the first one when they show
    /// it twice; when they skip it, the moment by the offset before the gap.
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

    /// The first moment of a day.
    public func start(of date: CivilDate) -> Timestamp { moment(of: date, secondsOfDay: 0) }
}

extension TimeZone {
    /// A zone with some changes of its clocks, for programs that have zones from elsewhere.
    ///
    /// - Parameters:
    ///   - firstOffset: the offset before the first change, in seconds east of UTC.
    ///   - changes: the moments of the changes, ascending, and the offset from each on.
    public convenience init(name: String, firstOffset: Int, changes: [(moment: Timestamp, offset: Int)]) {
        self.init(
            name: name, transitions: changes.map(\.moment.seconds), offsets: changes.map(\.offset),
            firstOffset: firstOffset, rule: nil)
    }
}
