import Bytes
import SookeModel
import Store

extension EventClock {
    /// A time in a town at UTC, which knows no other zone.
    static func utc(_ now: Timestamp) -> EventClock {
        EventClock(now: now, zone: TimeZone(name: "UTC", fixedOffset: 0)) { _ in nil }
    }
}
