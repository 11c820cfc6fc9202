import Bytes

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
        return Timestamp(seconds: local - period.offset)
    }

    /// The first moment of a day.
    public func start(of date: CivilDate) -> Timestamp { moment(of: date, secondsOfDay: 0) }
}
