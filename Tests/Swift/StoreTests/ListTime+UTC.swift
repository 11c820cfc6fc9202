import Bytes
import SookeModel

@testable import Store

extension ListTime {
    /// The first time of 1970, a Thursday, in a town whose clocks show UTC.
    ///
    /// - Parameter dayOfWeek: the day that is shown as today.
    static func utc(on dayOfWeek: Int) -> ListTime {
        let zone = TimeZone(name: "UTC", fixedOffset: 0)
        let clock = OpenHoursClock(HoursMoment(at: Timestamp.epoch, in: zone, .none)) { _ in nil }
        return ListTime(clock, dayOfWeek: dayOfWeek, validUntil: Timestamp.endOfTime)
    }
}
