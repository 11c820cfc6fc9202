import Bytes
import CFiles
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

    func resolved(_ names: Set<String>, in town: TimeZone, _ find: (String) -> TimeZone?) -> CalendarZones {
        var zones = self
        for name in names where definitions[name] != nil {
            zones.found[name] = zone(named: name, in: town, find)
        }
        return zones
    }

    /// Of several zones with the same clocks it is that of the town. An unknown one has no name.
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

/// The names of time zones in calendars of other programs, as names of the tz database.
enum CalendarZoneNames {
    /// Of the tz database. They begin the last part of `/freeassociation.sourceforge.net/America/Vancouver`.
    private static let areas: Set<Substring> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Canada", "Etc", "Europe",
        "Indian", "Pacific", "US",
    ]

    static func isUTC(_ name: String) -> Bool {
        ["GMT", "ETC/GMT"].contains(name.shortUppercased) || zones[key(name)] == ["UTC"]
    }

    /// Without what programs put before it: `tzone://Microsoft/Utc`.
    static func bare(_ name: String) -> String { CellText.without("tzone://microsoft/", name.trimmed) }

    static func candidates(for name: String) -> [String] {
        if name.hasSuffix(" Standard Time"), let names = zones[key(name)] { return names }
        let parts = name.split(separator: "/")
        guard let area = parts.firstIndex(where: areas.contains) else { return [name] }
        return [name, parts[area...].joined(separator: "/")]
    }

    /// Such as `(UTC-05:00) Eastern Time (US & Canada)`, `Pacific Time`, `PDT` or `Amsterdam, Berlin`.
    static func candidates(forLabel label: String) -> [String] {
        zones[key(label)] ?? label.split(separator: ",").lazy.compactMap { zones[key($0)] }.first ?? []
    }

    /// The words that tell a name from others: `pacific` of `(UTC-08:00) Pacific Time (US & Canada)`.
    private static func key(_ name: some StringProtocol) -> String {
        guard name.utf8.count <= 200 else { return "" }
        var text = name.lowercased()[...]
        if ["(utc", "(gmt"].contains(text.prefix(4)), let end = text.firstIndex(of: ")") {
            text = text[end...].dropFirst()
        }
        let words = (text.split(separator: "/").last ?? "").split { $0 == " " || $0 == "_" }
        return words.filter { !common.contains($0) }.joined(separator: " ")
    }

    private static let common: Set<Substring> = [
        "standard", "daylight", "summer", "time", "(us", "&", "canada)", "(canada)",
    ]

    private static let zones: [String: [String]] = {
        var zones: [String: [String]] = [:]
        for entry in table.split(separator: "\n") {
            let keys = entry.prefix { $0 != "=" }
            let names = entry[keys.endIndex...].dropFirst().split(separator: " ")
            let cities = names.filter { !$0.hasPrefix("Etc/") }.map(key)
            for key in keys.split(separator: ",").map(String.init) + cities where zones[key] == nil {
                zones[key] = names.map(String.init)
            }
        }
        return zones
    }()

    static let all: [String] =
        Set(zones.values.joined()).sorted() + (1...12).map { "Etc/GMT+\($0)" } + (1...14).map { "Etc/GMT-\($0)" }

    /// `UTC-5` or `GMT+01:00`.
    static func fixed(_ name: String) -> TimeZone? {
        var text = name.filter { $0 != " " && $0 != "(" && $0 != ")" }
        guard name.utf8.count <= 20, ["UTC", "GMT"].contains(text.prefix(3).uppercased()) else { return nil }
        text.removeFirst(3)
        guard let sign = text.first, "+-−".contains(sign) else { return nil }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        let digits = parts.joined()
        guard 1...4 ~= digits.count, digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(digits) else {
            return nil
        }
        let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
        guard hours <= 14, minutes < 60 else { return nil }
        // A series in it would need a name; the tz database has those of whole hours, with the sign turned.
        let zone = minutes == 0 ? "Etc/GMT\(hours == 0 ? "" : sign == "+" ? "-\(hours)" : "+\(hours)")" : ""
        return TimeZone(name: zone, fixedOffset: (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60))
    }

    /// The names of Windows and Outlook without "Standard Time", from the table `windowsZones` of the Unicode CLDR,
    /// with other names and abbreviations of the same. The first zone is that for any country; the others have the same
    /// clocks in Canada and the United States.
    private static let table = String(cString: sooke_zones_txt())
}
