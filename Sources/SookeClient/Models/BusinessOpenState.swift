import Bytes
import Foundation
import SookeModel

/// Whether a business is open, until when, and why. Times are RFC 3339.
public struct BusinessOpenState: Codable, Sendable, Hashable {
    /// `open`, `closing_soon`, `opens_soon`, `closed` or `unknown`; "soon" is within an hour.
    public let status: String
    /// When it opens, closes, or is confirmed otherwise on a public holiday; nil when that is not known.
    public let until: String?
    /// When it opens next; nil when that is not known.
    public let nextOpen: String?
    /// Which hours decide: `regular`, `special`, `holiday` or `unknown`.
    public let reason: String
    /// A remark on these hours, such as the name of a holiday.
    public let comment: String?
    /// On which public holiday nobody has said whether it is open as usual: now, or when it opens next; else nil.
    public let unconfirmed: Unconfirmed?

    /// Why hours are not confirmed.
    public struct Unconfirmed: Codable, Sendable, Hashable {
        /// The name of the public holiday, such as "Christmas Day".
        public let holiday: String
    }

    private enum CodingKeys: String, CodingKey {
        case status, until, reason, comment, unconfirmed
        case nextOpen = "next_open"
    }

    /// Whether it is open, soon or not; also if that is not confirmed.
    public var isOpen: Bool { status == "open" || status == "closing_soon" }
}

extension BusinessOpenState {
    init(_ state: OpenState) {
        (status, reason) = (state.status.rawValue, state.reason.rawValue)
        (until, nextOpen) = (state.end?.rfc3339, state.nextOpening?.rfc3339)
        unconfirmed = state.unconfirmed.map(Unconfirmed.init)
        comment = state.comment.isEmpty ? nil : state.comment
    }
}

extension BusinessDetails {
    /// Whether the business is open at a time, computed as the server does: also without a connection.
    ///
    /// - Parameters:
    ///   - timeZone: the time zone of the town, for businesses that have none of their own.
    ///   - holidays: the region of the public holidays, such as `CA-BC`; nil for none. A `TownReplica` knows its own.
    public func openState(
        at date: Date = Date(), in timeZone: Foundation.TimeZone = .current, holidays: String? = "CA-BC"
    ) -> BusinessOpenState {
        let clock = HoursClock(date, in: timeZone, holidays.flatMap { Holidays.of($0) } ?? .none)
        return BusinessOpenState(clock.state(of: value))
    }
}

/// The clocks of a town at one instant, for which the open states of its businesses are computed.
struct HoursClock {
    private let date: Date
    private let town: HoursMoment

    init(_ date: Date, in zone: Foundation.TimeZone, _ holidays: Holidays) {
        self.date = date
        town = HoursMoment(at: Self.timestamp(of: date), in: Self.clocks(of: zone, at: date), holidays)
    }

    /// 0 for Sunday.
    var dayOfWeek: Int { town.date.dayOfWeek }

    /// Whether a business is open, by its own clocks if it has any.
    func state(of business: SookeModel.Business) -> OpenState {
        OpeningSchedule(
            week: business.hours, text: business.openingHours, special: business.specialHours,
            holidays: business.publicHolidays
        ).state(at: moment(for: business))
    }

    /// The time on the clocks of a business, `HH:MM:SS`.
    func time(of moment: Timestamp, for business: SookeModel.Business) -> String? {
        ClockTime(seconds: self.moment(for: business).zone.localDate(at: moment).secondsOfDay)?.text
    }

    private func moment(for business: SookeModel.Business) -> HoursMoment {
        guard let own = business.timeZone.flatMap(Foundation.TimeZone.init(identifier:)) else { return town }
        return HoursMoment(at: town.timestamp, in: Self.clocks(of: own, at: date), town.holidays)
    }

    func elapsed(since moment: Timestamp) -> String {
        ElapsedTime.text(from: moment, to: town.timestamp, in: town.zone)
    }

    private static func clocks(of zone: Foundation.TimeZone, at date: Date) -> SookeModel.TimeZone {
        let moment = timestamp(of: date)
        return SookeModel.TimeZone(zone, from: moment, years: 2, after: moment)
    }

    private static func timestamp(of date: Date) -> Timestamp {
        Timestamp(clampingSeconds: Int(clamping: date.timeIntervalSince1970.rounded(.down)))
    }
}

extension SookeModel.TimeZone {
    convenience init(_ zone: Foundation.TimeZone, from start: Timestamp, years: Int, after now: Timestamp) {
        func date(_ moment: Timestamp) -> Date { Date(timeIntervalSince1970: TimeInterval(moment.seconds)) }
        let end = date(now).addingTimeInterval(TimeInterval(years) * 366 * 86_400)
        var changes: [(moment: Timestamp, offset: Int)] = []
        // A day earlier, because a start is looked up by the time on the clocks.
        var last = date(start).addingTimeInterval(-2 * 86_400)
        let first = zone.secondsFromGMT(for: last)
        while last < end, let change = zone.nextDaylightSavingTimeTransition(after: last), change > last {
            let moment = Timestamp(clampingSeconds: Int(clamping: change.timeIntervalSince1970))
            changes.append((moment, zone.secondsFromGMT(for: change)))
            last = change
        }
        self.init(name: zone.identifier, firstOffset: first, changes: changes)
    }
}
