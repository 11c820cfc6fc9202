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
                moments.append(Timestamp(seconds: moment))
            }
            next = period.end
        }
        return moments
    }
}
