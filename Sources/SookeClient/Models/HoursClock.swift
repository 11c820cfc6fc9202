import Bytes
import Foundation
import SookeModel

/// A moment on the clocks of a town, at which the open states of its businesses are computed.
struct HoursClock {
    private let date: Date
    private let town: HoursMoment

    /// - Parameter holidays: the region of the public holidays, as in the settings of the server; nil for none.
    init(_ date: Date, in zone: Foundation.TimeZone, holidays: String? = "CA-BC") {
        self.date = date
        let region = holidays.flatMap { Holidays.of($0) } ?? .none
        town = HoursMoment(at: Self.timestamp(of: date), in: Self.clocks(of: zone, at: date), region)
    }

    /// The day of the week in the town, 0 for Sunday.
    var dayOfWeek: Int { town.date.dayOfWeek }

    /// Whether a business is open.
    func state(of business: SookeModel.Business) -> BusinessOpenState {
        let schedule = OpeningSchedule(
            week: business.hours, text: business.openingHours, special: business.specialHours)
        return BusinessOpenState(schedule.state(at: moment(in: business.timeZone)))
    }

    /// The moment on the clocks of a business.
    ///
    /// - Parameter zone: the name of its own time zone; nil for that of the town.
    private func moment(in zone: String?) -> HoursMoment {
        guard let own = zone.flatMap(Foundation.TimeZone.init(identifier:)) else { return town }
        return HoursMoment(at: town.timestamp, in: Self.clocks(of: own, at: date), town.holidays)
    }

    /// How long ago a moment was, as people say it.
    func elapsed(since moment: Timestamp) -> String {
        ElapsedTime.text(from: moment, to: town.timestamp, in: town.zone)
    }

    private static func clocks(of zone: Foundation.TimeZone, at date: Date) -> SookeModel.TimeZone {
        let moment = timestamp(of: date)
        return SookeModel.TimeZone(zone, from: moment, years: 2, after: moment)
    }

    private static func timestamp(of date: Date) -> Timestamp {
        Timestamp(seconds: Int(date.timeIntervalSince1970.rounded(.down)))
    }
}
