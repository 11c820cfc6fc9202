import Bytes
import SookeModel

/// The moment at which events are read, and the time zones in which they are repeated.
public struct EventClock: Sendable {
    /// The moment.
    public let now: Timestamp
    /// The time zone of the town.
    public let zone: TimeZone
    /// What a request with this clock may spend on events.
    public let work: WorkBudget
    private let find: @Sendable (String) -> TimeZone?

    /// A moment in a town.
    ///
    /// - Parameter find: returns the time zone with a name; nil when there is none, which counts as that of the town.
    public init(
        now: Timestamp, zone: TimeZone, work: WorkBudget = WorkBudget(), find: @escaping @Sendable (String) -> TimeZone?
    ) {
        (self.now, self.zone, self.work, self.find) = (now, zone, work, find)
    }

    /// The same with other work, for a part of a response that is made later.
    public func renewed() -> EventClock { EventClock(now: now, zone: zone, find: find) }

    /// The time zone of an event: its own, or that of its business, or that of the town.
    public func zone(of event: Event, at business: BusinessRecord?) -> TimeZone {
        (event.timeZone ?? business?.timeZone).flatMap(find) ?? zone
    }
}
