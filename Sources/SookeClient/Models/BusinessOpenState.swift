import Bytes
import Foundation
import SookeModel

/// Whether a business is open, until when, and why. Moments are RFC 3339.
public struct BusinessOpenState: Codable, Sendable, Hashable {
    /// `open`, `closing_soon`, `opens_soon`, `closed` or `unknown`; "soon" is within an hour.
    public let status: String
    /// When it opens or closes next; nil when that is not known.
    public let until: String?
    /// When it opens next; nil when that is not known.
    public let nextOpen: String?
    /// Which hours decide: `regular`, `special`, `holiday` or `unknown`.
    public let reason: String
    /// A remark on these hours, such as the name of a holiday.
    public let comment: String?

    private enum CodingKeys: String, CodingKey {
        case status, until, reason, comment
        case nextOpen = "next_open"
    }

    /// Whether it is open, soon or not.
    public var isOpen: Bool { status == "open" || status == "closing_soon" }
}

extension BusinessOpenState {
    /// A state that was computed here.
    init(_ state: OpenState) {
        (status, reason) = (state.status.rawValue, state.reason.rawValue)
        (until, nextOpen) = (state.until?.rfc3339, state.nextOpening?.rfc3339)
        comment = state.comment.isEmpty ? nil : state.comment
    }
}

extension BusinessDetails {
    /// Whether the business is open at a moment, computed as the server does: also without a connection.
    ///
    /// - Parameters:
    ///   - timeZone: the time zone of the town, for businesses that have none of their own.
    ///   - holidays: the region of the public holidays, as in the settings of the server; nil for none.
    public func openState(
        at date: Date = Date(), in timeZone: Foundation.TimeZone = .current, holidays: String? = "CA-BC"
    ) -> BusinessOpenState {
        HoursClock(date, in: timeZone, holidays: holidays).state(of: value)
    }

    /// The status for the app, by all hours.
    func scheduledStatus(at date: Date, in timeZone: Foundation.TimeZone) -> HoursStatus {
        let state = openState(at: date, in: timeZone)
        let zone = self.timeZone.flatMap(Foundation.TimeZone.init(identifier:)) ?? timeZone
        switch state.status {
        case "open": return .open(closesAt: state.until?.timeOfDay(in: zone) ?? "24:00:00")
        case "closing_soon": return .closingSoon(closesAt: state.until?.timeOfDay(in: zone) ?? "")
        case "opens_soon": return .opensSoon(opensAt: state.until?.timeOfDay(in: zone) ?? "")
        case "closed": return .closed
        default: return .unknown
        }
    }
}

extension String {
    /// The time on the clocks of a zone at a moment in RFC 3339, `HH:MM:SS`.
    fileprivate func timeOfDay(in zone: Foundation.TimeZone) -> String? {
        guard let moment = Timestamp(rfc3339: self) else { return nil }
        let local = LocalTime(Date(timeIntervalSince1970: TimeInterval(moment.seconds)), in: zone)
        return ClockTime(seconds: local.seconds)?.text
    }
}
