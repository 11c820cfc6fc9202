import Bytes
import SookeModel

/// The time zones of a calendar: by their names here and in other programs, or as the calendar defines them.
struct CalendarZones: Sendable {
    var definitions: [String: CalendarZoneDefinition] = [:]
    /// The years in which the calendar has events.
    var years = 2000...2000
    /// The zones of definitions, once they are known.
    private var found: [String: TimeZone] = [:]

    /// The most definitions that are read.
    static let most = 1_000
    /// The longest time in which a definition is compared with a zone, in years.
    private static let longest = 10

    init() {}

    /// The same, with the zones of the definitions that have some names.
    func resolved(_ names: Set<String>, in town: TimeZone, _ find: (String) -> TimeZone?) -> CalendarZones {
        var zones = self
        for name in names where definitions[name] != nil {
            zones.found[name] = zone(named: name, in: town, find)
        }
        return zones
    }

    /// The zone with a name of this or another program; nil for an unknown name. Of several with the same clocks it is
    /// that of the town. One that is none of the tz database has no name.
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

    /// Whether two zones have the same clocks in the years of the calendar.
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
