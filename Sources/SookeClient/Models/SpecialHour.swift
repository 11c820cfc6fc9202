import Bytes
import SookeModel

/// Hours from one date to another, which count instead of the regular ones.
public struct SpecialHour: Codable, Sendable, Hashable {
    /// The first day, `2026-12-24`.
    public var from: String
    /// The last day; nil for until further notice.
    public var to: String?
    /// The opening time, `HH:MM:SS`.
    public var openTime: String
    /// The closing time, `HH:MM:SS`; at or before the opening time means on the next day.
    public var closeTime: String
    /// Whether the business is closed on these days.
    public var isClosed: Bool
    /// Why.
    public var reason: String?

    private enum CodingKeys: String, CodingKey {
        case from, to, reason
        case openTime = "open_time"
        case closeTime = "close_time"
        case isClosed = "is_closed"
    }
}

extension SpecialHour {
    /// The row for the evaluation of hours.
    var model: SpecialHours {
        var row = SpecialHours()
        (row.from, row.to) = (CivilDate(from), to.flatMap { CivilDate($0) })
        (row.opens, row.closes) = (ClockTime(openTime) ?? .midnight, ClockTime(closeTime) ?? .midnight)
        (row.isClosed, row.reason) = (isClosed, reason)
        return row
    }
}
