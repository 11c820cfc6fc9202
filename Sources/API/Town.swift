import Bytes
import SookeModel
import Store

/// What the routes look at: the town as it is now, the clock and the time zones.
public struct Town: Sendable {
    /// Where the newest version is published.
    public let store: Store
    /// What time it is.
    public let clock: @Sendable () -> Timestamp
    /// The system's time zones.
    public let zones: TimeZones
    /// The zone in which "today" is meant when a request names none.
    public let zone: TimeZone

    /// A town to answer for.
    public init(
        store: Store, clock: @escaping @Sendable () -> Timestamp, zones: TimeZones, zone: TimeZone
    ) {
        self.store = store
        self.clock = clock
        self.zones = zones
        self.zone = zone
    }
}
