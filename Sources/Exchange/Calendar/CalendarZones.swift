import Bytes
import SookeModel

/// By their names here and in other programs, or as the calendar defines them.
struct CalendarZones: Sendable {
    var definitions: [String: CalendarZoneDefinition] = [:]
    var years = 2000...2000
    private var found: [String: TimeZone] = [:]

    static let most = 1_000
    /// In years.
    private static let longest = 10

    init() {}

    /// With the zones of the definitions that have some names.
    func resolved(_ names: Set<String>, in town: TimeZone, _ find: (String) -> TimeZone?) -> CalendarZones {
        var zones = self
        for name in names where definitions[name] != nil {
            zones.found[name] = zone(named: name, in: town, find)
        }
        return zones
    }

    /// Of several zones with the same clocks it is that of the town. One that is none of the tz database has no name.
    func zone(named name: String, in town: TimeZone, _ find: (String) -> TimeZone?) -> TimeZone? {
        let bare = CalendarZoneNames.bare(name)
        if CalendarZoneNames.isUTC(bare) { return TimeZone(name: "UTC", fixedOffset: 0) }
        if let zone = found[name] { return zone }
        let names = CalendarZoneNames.candidates(for: bare)
        if let zone = Self.first(of: names, in: town, find) { return zone }
        let labels = CalendarZoneNames.candidates(forLabel: bare)
        guard let definition = definitions[name]?.zone(in: years) else {
            return Self.first(of: labels, in: town, find) ?? CalendarZoneNames.fixed(bare)
        }
        let likely = labels.lazy.filter(TimeZone.isAcceptable).compactMap(find)
        if labels.contains(town.name), agree(town, definition) { return town }
        if let zone = likely.first(where: { agree($0, definition) }) { return zone }
        if agree(town, definition) { return town }
        let others = CalendarZoneNames.all.lazy.compactMap(find)
        return others.first { agree($0, definition) } ?? definition
    }

    private static func first(of names: [String], in town: TimeZone, _ find: (String) -> TimeZone?) -> TimeZone? {
        if names.contains(town.name) { return town }
        return names.lazy.filter(TimeZone.isAcceptable).compactMap(find).first
    }

    private func agree(_ zone: TimeZone, _ other: TimeZone) -> Bool {
        let first = max(years.lowerBound, years.upperBound - Self.longest)
        guard let start = CivilDate(year: first, month: 1, day: 1)?.daysSinceEpoch,
            let end = CivilDate(year: years.upperBound + 1, month: 1, day: 1)?.daysSinceEpoch
        else { return false }
        return (start..<end).allSatisfy { day in
            let noon = Timestamp(clampingSeconds: day * 86_400 + 43_200)
            return zone.offset(at: noon) == other.offset(at: noon)
        }
    }
}
