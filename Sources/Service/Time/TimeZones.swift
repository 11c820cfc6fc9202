import Bytes
import Platform
import SookeModel
import Synchronization

/// The time zones of a tz database, whose files the caller reads.
///
/// A command reads a zone when it needs it. A server calls `load` with all files before it serves requests: from then
/// on no name from a client opens a file.
package final class TimeZones: Sendable {
    private let file: @Sendable (_ name: String) -> [UInt8]?
    /// The version of the database as it is now, which an update may have changed; nil when there is none.
    package let versionNow: @Sendable () -> String?
    private let limit: Int
    /// Of the database, such as `2025b`; `unknown` when it does not say.
    package let version: String
    private let known = Mutex(Known())

    private struct Known {
        var zones: [String: TimeZone] = [:]
        var names: [String] = []
        /// Of the whole database by zone name; nil until they are loaded.
        var files: [String: [UInt8]]?
    }

    /// At most `limit` (1 or more) zones stay in memory, each of a few kilobytes.
    ///
    /// - Parameter file: nil when there is none. It is not called for a name that would lead out of the database.
    package init(
        limit: Int = 100, version: String? = nil, versionNow: (@Sendable () -> String?)? = nil,
        file: @escaping @Sendable (_ name: String) -> [UInt8]?
    ) {
        (self.limit, self.version, self.file) = (limit, version ?? Self.unknown, file)
        self.versionNow = versionNow ?? { version }
    }

    package convenience init(_ database: TimeZoneDatabase, limit: Int = 100) {
        self.init(
            limit: limit, version: database.version, versionNow: { database.version }, file: database.file(named:))
    }

    /// Those that people choose, in their order; none before `load`.
    package var choices: [String] {
        let areas = ["Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"]
        let names = known.withLock { $0.files.map { Array($0.keys) } ?? [] }
        return names.filter { name in areas.contains { name.hasPrefix($0 + "/") } }.sorted()
    }

    package var knownVersion: String? { version == Self.unknown ? nil : version }
    private static let unknown = "unknown"

    package func load(_ files: [String: [UInt8]]) {
        known.withLock { $0.files = files }
    }

    /// `UTC` exists even without a database. Requests for many unknown names do not fill the memory.
    package func zone(named name: String) throws(TimeZoneError) -> TimeZone {
        // First, because some different spellings in Unicode are equal keys of a dictionary of strings.
        guard TimeZone.isAcceptable(name) else { throw TimeZoneError(name: name) }
        if let zone = known.withLock({ $0.zones[name] }) { return zone }
        guard let zone = read(name) else { throw TimeZoneError(name: name) }
        known.withLock { known in
            guard known.zones.updateValue(zone, forKey: name) == nil else { return }
            known.names.append(name)
            if known.names.count > limit { known.zones[known.names.removeFirst()] = nil }
        }
        return zone
    }

    /// `did you mean America/Vancouver?`; nil when that is unknown, and before `load`.
    func advice(for name: String) -> String? {
        guard let names = known.withLock({ $0.files?.keys }) else { return nil }
        return TimeZoneSuggestion.advice(for: name, among: names)
    }

    /// Why the database should be updated; nil for no reason. `last` is the version by which the town was served last.
    package func warning(at now: Timestamp, after last: String?) -> String? {
        guard let year = Int(version.prefix(4)) else { return nil }
        let advice = "Update tzdata, then restart the server"
        if let last, isOlder(than: last) {
            return "the zone data \(version) are older than \(last), with which the town was last served: "
                + "some times may be an hour off. \(advice)"
        }
        if now.civil.date.year < year + 2 { return nil }
        return "the zone data \(version) are more than a year old: clocks may have new rules by now. \(advice)"
    }

    func isOlder(than last: String?) -> Bool {
        guard let last, Int(version.prefix(4)) != nil, Int(last.prefix(4)) != nil else { return false }
        return version < last
    }

    var countInMemory: Int { known.withLock { $0.zones.count } }

    private func read(_ name: String) -> TimeZone? {
        let files = known.withLock(\.files)
        let plain = name.hasPrefix("posix/") ? String(name.dropFirst(6)) : name
        let file = files == nil ? self.file(name) : files?[plain]
        if let file, let zone = try? TZifReader.read(file, name: name) { return zone }
        return name == "UTC" ? TimeZone(name: name, fixedOffset: 0) : nil
    }
}

package struct TownClocks: Sendable {
    package let zone: TimeZone
    package let holidays: Holidays
    /// The clocks before have another one.
    let generation: Int
    private var (timeZone, region): (String?, String?) = (nil, nil)
    private var dates: [HolidayDate] = []

    init(_ zone: TimeZone, _ holidays: Holidays) {
        (self.zone, self.holidays, generation) = (zone, holidays, 0)
    }

    init(of settings: Settings, _ zones: TimeZones, orElse others: TownClocks, after last: TownClocks) {
        generation = last.generation + 1
        zone = settings.timeZone.flatMap { try? zones.zone(named: $0) } ?? others.zone
        holidays = Holidays.of(settings) ?? others.holidays
        (timeZone, region, dates) = (settings.timeZone, settings.holidays, settings.holidayDates)
    }

    func areThose(of settings: Settings) -> Bool {
        timeZone == settings.timeZone && region == settings.holidays && dates == settings.holidayDates
    }
}

/// Finds the time zone that is meant by another name: an abbreviation, a city, a misspelling.
package enum TimeZoneSuggestion {
    package static func advice(for text: String, among names: some Sequence<String>) -> String? {
        name(for: text, among: names).map { "did you mean \($0)?" }
    }

    /// The zone for an abbreviation of North America. Some of them are also names in the tz database, of clocks without
    /// daylight saving time, which hardly any town has.
    package static func zone(abbreviated text: String) -> String? {
        abbreviations[text.uppercased()]
    }

    private static func name(for text: String, among names: some Sequence<String>) -> String? {
        guard text.utf8.count <= 100 else { return nil }
        let names = Array(names).sorted()
        if let zone = zone(abbreviated: text) { return names.contains(zone) ? zone : nil }
        let key = key(text)
        if let zone = words[key] { return names.contains(zone) ? zone : nil }
        let keyed = names.map { (name: $0, key: Self.key($0)) }
        if let same = keyed.first(where: { $0.key == key }) { return same.name }
        // Of two zones for a city the one in the shorter path is the usual one.
        let cities = keyed.map { (name: $0.name, key: $0.key.split(separator: "/").last.map(String.init) ?? "") }
        let ofCity = cities.filter { $0.key == key }.map(\.name)
        if let zone = ofCity.min(by: { $0.utf8.count < $1.utf8.count }) { return zone }
        return nearest(to: key, in: keyed) ?? nearest(to: key, in: cities)
    }

    /// The only zone within two mistakes of a text of at least six letters.
    private static func nearest(to key: String, in keyed: [(name: String, key: String)]) -> String? {
        let typed = Array(key.utf8)
        guard typed.count >= 6 else { return nil }
        let ranked = keyed.map { (name: $0.name, distance: Suggestion.distance(typed, Array($0.key.utf8))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= 2,
            ranked.count(where: { $0.distance == best.distance }) == 1
        else { return nil }
        return best.name
    }

    private static func key(_ name: String) -> String {
        String(name.lowercased().map { $0 == " " ? "_" : $0 })
    }

    /// Of Canada: the letter of their abbreviations, their names, and hours west of Greenwich.
    private static let zones = [
        ("P", "pacific", 8, "America/Vancouver"), ("M", "mountain", 7, "America/Edmonton"),
        ("C", "central", 6, "America/Winnipeg"), ("E", "eastern", 5, "America/Toronto"),
        ("A", "atlantic", 4, "America/Halifax"), ("N", "newfoundland", 3, "America/St_Johns"),
    ]

    private static let abbreviations: [String: String] = {
        var known: [String: String] = [:]
        for (letter, _, hours, zone) in zones {
            for rest in ["ST", "DT", "T", "ST\(hours)\(letter)DT"] { known[letter + rest] = zone }
        }
        return known
    }()

    /// Regions, and cities that give no zone its name, in lower case.
    private static let words: [String: String] = {
        var known = [
            "british_columbia": "America/Vancouver", "victoria": "America/Vancouver", "sooke": "America/Vancouver",
            "america/victoria": "America/Vancouver", "calgary": "America/Edmonton", "ottawa": "America/Toronto",
            "montreal": "America/Toronto", "us/pacific": "America/Los_Angeles", "seattle": "America/Los_Angeles",
            "us/mountain": "America/Denver", "us/central": "America/Chicago", "us/eastern": "America/New_York",
        ]
        for (_, name, _, zone) in zones {
            for name in [name, "\(name)_time", "canada/\(name)"] { known[name] = zone }
        }
        return known
    }()
}
