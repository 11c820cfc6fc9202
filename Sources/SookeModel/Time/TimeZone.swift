import Bytes

/// A time zone of the tz database: the offset of local time from UTC at any moment.
public struct TimeZone: Sendable {
    /// The name, such as `America/Vancouver`.
    public let name: String
    /// The moments at which the offset changes, in seconds since 1970, ascending.
    let transitions: [Int]
    /// The offset after each transition, in seconds east of UTC.
    let offsets: [Int]
    /// The offset before the first transition.
    let firstOffset: Int
    /// The rule after the last transition; nil when its offset stays.
    let rule: POSIXZoneRule?

    /// A zone with a constant offset.
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

    /// The offset at a moment, in seconds east of UTC.
    public func offset(at moment: Timestamp) -> Int {
        period(containing: moment.seconds).offset
    }

    /// The local date at a moment, and the seconds since midnight on the clocks.
    public func localDate(at moment: Timestamp) -> (date: CivilDate, secondsOfDay: Int) {
        let local = moment.seconds + offset(at: moment)
        let days = local.quotient(roundedDownBy: 86_400)
        return (CivilDate(daysSinceEpoch: days), local - days * 86_400)
    }

    /// The period with one offset around a moment, in seconds since 1970.
    func period(containing seconds: Int) -> OffsetPeriod {
        guard let last = transitions.last, seconds < last else {
            guard var period = rule?.period(containing: seconds) else {
                return OffsetPeriod(offset: offsets.last ?? firstOffset, start: transitions.last, end: nil)
            }
            // The rule applies from the last transition on.
            period.start = [period.start, transitions.last].compactMap(\.self).max()
            return period
        }
        // The first transition after the moment; the one before it applies.
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
