import Bytes
import SookeModel

/// The moment at which events are read, and the time zones in which they are repeated.
public struct EventClock: Sendable {
    /// The moment.
    public let now: Timestamp
    /// The time zone of the town.
    public let zone: TimeZone
    private let find: @Sendable (String) -> TimeZone?

    /// A moment in a town.
    ///
    /// - Parameter find: returns the time zone with a name; nil when there is none, which counts as that of the town.
    public init(now: Timestamp, zone: TimeZone, find: @escaping @Sendable (String) -> TimeZone?) {
        (self.now, self.zone, self.find) = (now, zone, find)
    }

    /// The time zone of an event: its own, or that of its business, or that of the town.
    public func zone(of event: Event, at business: BusinessRecord?) -> TimeZone {
        (event.timeZone ?? business?.timeZone).flatMap(find) ?? zone
    }
}
