/// The hours of a business on one day of the week.
public struct BusinessHour: Codable, Sendable, Hashable {
    /// The day, 0 for Sunday to 6 for Saturday.
    public var dayOfWeek: Int
    /// The opening time, `HH:MM:SS`.
    public var openTime: String
    /// The closing time, `HH:MM:SS` up to `24:00:00`; at or before the opening time means on the next day.
    public var closeTime: String
    /// Whether the business is closed all day.
    public var isClosed: Bool

    private enum CodingKeys: String, CodingKey {
        case dayOfWeek = "day_of_week"
        case openTime = "open_time"
        case closeTime = "close_time"
        case isClosed = "is_closed"
    }

    /// The hours of a day.
    public init(dayOfWeek: Int, openTime: String, closeTime: String, isClosed: Bool) {
        (self.dayOfWeek, self.openTime, self.closeTime) = (dayOfWeek, openTime, closeTime)
        self.isClosed = isClosed
    }
}
