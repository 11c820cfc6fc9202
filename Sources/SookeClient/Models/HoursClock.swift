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

    /// The moment on the clocks of a business.
    ///
    /// - Parameter zone: the name of its own time zone; nil for that of the town.
    func moment(in zone: String?) -> HoursMoment {
        guard let own = zone.flatMap(Foundation.TimeZone.init(identifier:)) else { return town }
        return HoursMoment(at: town.timestamp, in: Self.clocks(of: own, at: date), town.holidays)
    }

    /// How long ago a moment in RFC 3339 was, as people say it.
    func elapsed(since moment: String) -> String? {
        Timestamp(rfc3339: moment).map { ElapsedTime.text(from: $0, to: town.timestamp, in: town.zone) }
    }

    private static func clocks(of zone: Foundation.TimeZone, at date: Date) -> SookeModel.TimeZone {
        let moment = timestamp(of: date)
        return SookeModel.TimeZone(zone, from: moment, years: 2, after: moment)
    }

    private static func timestamp(of date: Date) -> Timestamp {
        Timestamp(seconds: Int(date.timeIntervalSince1970.rounded(.down)))
    }
}

/// All hours of a business.
struct BusinessHours {
    private let week: [DayHours]
    private let text: String?
    private let special: [SpecialHours]

    init(_ rows: [BusinessHour], text: String?, special: [SpecialHour]?) {
        week = rows.compactMap { row in
            guard let opens = ClockTime(row.openTime), let closes = ClockTime(row.closeTime) else { return nil }
            return DayHours(dayOfWeek: row.dayOfWeek, opens: opens, closes: closes, isClosed: row.isClosed)
        }
        (self.text, self.special) = (text, (special ?? []).map(\.model))
    }

    /// The state at a moment.
    func state(at moment: HoursMoment) -> BusinessOpenState {
        BusinessOpenState(OpeningSchedule(week: week, text: text, special: special).state(at: moment))
    }

    /// The hours in the syntax of OpenStreetMap; nil when there are none.
    var openingHours: String? { text ?? (week.isEmpty ? nil : OpeningHours(week: week).text) }

    /// One row a day, from the first opening to the last closing.
    var rowsOfWeek: [BusinessHour] {
        var rows: [DayHours] = []
        for row in week {
            if rows.last?.dayOfWeek == row.dayOfWeek {
                rows[rows.count - 1].formUnion(row)
            } else {
                rows.append(row)
            }
        }
        return rows.map { row in
            BusinessHour(
                dayOfWeek: row.dayOfWeek, openTime: row.opens.text, closeTime: row.closes.text, isClosed: row.isClosed)
        }
    }
}
