import Bytes

/// An instant with what all schedules need to know of it: the time on the clocks of a zone, and the holidays around it.
///
/// Make one for a query, and evaluate any number of schedules with it.
public struct HoursMoment: Sendable {
    public let timestamp: Timestamp
    public let zone: TimeZone
    public let holidays: Holidays

    /// Days since 1970, and the minute of the day, by the latest time that the clocks have shown.
    ///
    /// While the clocks show an hour for the second time, that is its end: so a time counts when it is shown first.
    let day: Int
    let minute: Int
    /// The clocks' offset from UTC now, and until when: `Int.max` when no change is known.
    let period: ClockPeriod
    private let isHolidayToday: Bool
    private let isHolidayYesterday: Bool

    /// A time on the clocks of a zone; before the year 0 and after 9999 their first or last time.
    public init(at moment: Timestamp, in zone: TimeZone, _ holidays: Holidays) {
        // No time zone and no sum of days is beyond what integers hold.
        let timestamp = moment.advanced(bySeconds: 0)
        (self.timestamp, self.zone, self.holidays) = (timestamp, zone, holidays)
        let seconds = timestamp.seconds
        let period = zone.period(containing: seconds)
        var local = seconds + period.offset
        // Clocks are set back by a day at most.
        if let start = period.start, seconds - start < 86_400 {
            local = max(local, start + zone.period(containing: start - 1).offset - 1)
        }
        self.period = ClockPeriod(period)
        day = local.quotient(roundedDownBy: 86_400)
        minute = (local - day * 86_400) / 60
        (isHolidayToday, isHolidayYesterday) = (holidays.isHoliday(day), holidays.isHoliday(day - 1))
    }

    public var date: CivilDate { CivilDate(daysSinceEpoch: day) }

    /// When the clocks are changed next; nil when that is not known.
    public var clockChange: Timestamp? { period.end == Int.max ? nil : Timestamp(clampingSeconds: period.end) }

    /// In how many minutes the clocks are changed, at most a day: after that, minutes of a day say nothing of times.
    public var minutesOfPeriod: Int {
        period.end == Int.max ? 1440 : min(max((period.end - timestamp.seconds) / 60, 1), 1440)
    }

    /// The public holidays from today on.
    public func holidays(within days: Int) -> [(name: String, date: CivilDate)] {
        (0...max(0, days)).compactMap { day in
            let date = date.advanced(by: day)
            return holidays.name(on: date).map { ($0, date) }
        }
    }

    func isHoliday(_ number: Int) -> Bool {
        if number == day { return isHolidayToday }
        return number == day - 1 ? isHolidayYesterday : holidays.isHoliday(number)
    }
}

struct ClockPeriod {
    let offset: Int
    /// The time in seconds since 1970 at which the clocks are changed next.
    let end: Int

    init(_ period: OffsetPeriod) {
        (offset, end) = (period.offset, period.end ?? Int.max)
    }

    /// The end in seconds on the clocks.
    var localEnd: Int { end == Int.max ? end : end + offset }
}
