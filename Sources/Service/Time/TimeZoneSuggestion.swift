import Bytes
import SookeModel

/// Finds the time zone that is meant by another name: an abbreviation, a city, a misspelling.
package enum TimeZoneSuggestion {
    /// `did you mean America/Vancouver?`; nil when that is unknown.
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

    private static let pacific = "America/Vancouver"
    private static let mountain = "America/Edmonton"
    private static let central = "America/Winnipeg"
    private static let eastern = "America/Toronto"
    private static let atlantic = "America/Halifax"
    private static let newfoundland = "America/St_Johns"

    private static let abbreviations = [
        "PST": pacific, "PDT": pacific, "PT": pacific, "PST8PDT": pacific,
        "MST": mountain, "MDT": mountain, "MT": mountain, "MST7MDT": mountain,
        "CST": central, "CDT": central, "CT": central, "CST6CDT": central,
        "EST": eastern, "EDT": eastern, "ET": eastern, "EST5EDT": eastern,
        "AST": atlantic, "ADT": atlantic, "AT": atlantic,
        "NST": newfoundland, "NDT": newfoundland, "NT": newfoundland,
    ]

    /// Regions, and cities that give no zone its name, in lower case.
    private static let words = [
        "pacific": pacific, "pacific_time": pacific, "canada/pacific": pacific, "british_columbia": pacific,
        "victoria": pacific, "sooke": pacific, "america/victoria": pacific,
        "us/pacific": "America/Los_Angeles", "seattle": "America/Los_Angeles",
        "mountain": mountain, "mountain_time": mountain, "canada/mountain": mountain, "calgary": mountain,
        "us/mountain": "America/Denver",
        "central": central, "central_time": central, "canada/central": central, "us/central": "America/Chicago",
        "eastern": eastern, "eastern_time": eastern, "canada/eastern": eastern, "us/eastern": "America/New_York",
        "ottawa": eastern, "montreal": eastern,
        "atlantic": atlantic, "atlantic_time": atlantic, "canada/atlantic": atlantic,
        "newfoundland": newfoundland, "canada/newfoundland": newfoundland,
    ]
}
