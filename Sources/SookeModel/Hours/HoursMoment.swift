import Bytes

/// A moment with what all schedules need to know of it: the time on the clocks of a zone, and the holidays around it.
///
/// Make one for a query, and evaluate any number of schedules with it.
public struct HoursMoment: Sendable {
    /// The moment.
    public let timestamp: Timestamp
    /// The zone of the clocks.
    public let zone: TimeZone
    /// The holidays of the region.
    public let holidays: Holidays

    /// The latest time that the clocks have shown, in seconds since 1970 on them.
    ///
    /// While the clocks show an hour for the second time, that is its end: so a time counts when it is shown first.
    let local: Int
    /// The day and the minute of `local`.
    let minute: Int
    let today: HoursDay
    let yesterday: HoursDay
    /// The clocks' offset from UTC now, and until when: `Int.max` when no change is known.
    let period: ClockPeriod
    private let holidayBits: UInt64

    /// A moment on the clocks of a zone; before the year 0 and after 9999 their first or last moment.
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
        self.local = local
        self.period = ClockPeriod(period)
        let day = local.quotient(roundedDownBy: 86_400)
        minute = (local - day * 86_400) / 60
        holidayBits = holidays.bits(from: day - 1)
        yesterday = HoursDay(number: day - 1, isHoliday: holidayBits & 1 == 1)
        today = HoursDay(number: day, isHoliday: holidayBits & 2 == 2)
    }

    /// The date on the clocks.
    public var date: CivilDate { today.date }

    /// A day, from yesterday on.
    func day(_ number: Int) -> HoursDay {
        let index = number - yesterday.number
        let isHoliday = index < 64 ? holidayBits >> UInt64(index) & 1 == 1 : holidays.isHoliday(number)
        return HoursDay(number: number, isHoliday: isHoliday)
    }
}

/// A day, with what rules ask of it.
struct HoursDay {
    /// Days since 1970.
    let number: Int
    /// 0 for Sunday to 6 for Saturday.
    let dayOfWeek: Int
    let isHoliday: Bool

    init(number: Int, isHoliday: Bool) {
        (self.number, self.isHoliday) = (number, isHoliday)
        dayOfWeek = CivilDate.dayOfWeek(of: number)
    }

    var date: CivilDate { CivilDate(daysSinceEpoch: number) }
}

/// A time during which the clocks have one offset.
struct ClockPeriod {
    let offset: Int
    /// The moment in seconds since 1970 at which the clocks are changed next.
    let end: Int

    /// UTC without changes.
    static let always = ClockPeriod(OffsetPeriod(offset: 0, start: nil, end: nil))

    init(_ period: OffsetPeriod) {
        (offset, end) = (period.offset, period.end ?? Int.max)
    }

    /// The end in seconds on the clocks.
    var localEnd: Int { end == Int.max ? end : end + offset }
}
