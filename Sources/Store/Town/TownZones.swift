import SookeModel
import Synchronization

/// The time zones in which the local times of a town are read: those of the zone data, which the town does not contain.
package final class TownZones: Sendable {
    private struct Current {
        var fallback = TimeZone.utc
        var version: String?
        var find: @Sendable (String) -> TimeZone? = { _ in nil }
    }

    private let current = Mutex(Current())

    /// Of a town that is only read.
    static let none = TownZones()

    /// `fallback` is the zone of a town whose settings name none that is known.
    package func set(fallback: TimeZone, version: String? = nil, find: @escaping @Sendable (String) -> TimeZone?) {
        current.withLock { $0 = Current(fallback: fallback, version: version, find: find) }
    }

    func isVersion(_ other: String?) -> Bool { other != nil && other == current.withLock(\.version) }

    /// What is to be stored beside the instants, where the settings have another version.
    func version(after settings: Settings?) -> String? {
        let version = current.withLock(\.version)
        return settings == nil || settings?.zoneData == version ? nil : version
    }

    func find(_ name: String) -> TimeZone? { current.withLock(\.find)(name) }

    var fallback: TimeZone { current.withLock(\.fallback) }
}

extension Town {
    package func zone(of event: Event) -> TimeZone {
        event.zoneName(in: self).flatMap(zones.find) ?? settings.timeZone.flatMap(zones.find) ?? zones.fallback
    }

    /// The events whose instants are not those of their local times, with the right ones: those of other zone data, or
    /// of a zone that has changed.
    func settledEvents() -> [Event] { self.events.inOrderOfID.compactMap { $0.value.settled(in: zone(of: $0.value)) } }
}

extension WriteTransaction {
    /// After a change of a zone: the times on the clocks stay.
    package mutating func settleEvents() {
        if let version = town.zones.version(after: town.storedSettings) {
            var patch = Patch<Settings>()
            (patch.values.zoneData, patch.fields) = (version, ["zone_data"])
            _ = try? upsert(patch)
        }
        for event in town.settledEvents() { write(event, after: town.events[event.id].map { Existing($0.value) }) }
    }
}
