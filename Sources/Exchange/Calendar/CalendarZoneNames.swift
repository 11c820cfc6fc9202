import Bytes
import SookeModel

/// The names of time zones in calendars of other programs, as names of the tz database.
enum CalendarZoneNames {
    static func isUTC(_ name: String) -> Bool {
        utc.contains(name.shortUppercased)
    }

    private static let utc: Set<String> = [
        "UTC", "ETC/UTC", "GMT", "ETC/GMT", "Z", "ZULU", "ETC/ZULU", "UCT", "ETC/UCT", "UNIVERSAL", "UNIVERSAL TIME",
        "COORDINATED UNIVERSAL TIME", "(UTC) COORDINATED UNIVERSAL TIME", "(GMT) COORDINATED UNIVERSAL TIME",
    ]

    /// A name without what programs put before it, and the spaces around it: `tzone://Microsoft/Utc`.
    static func bare(_ name: String) -> String { CellText.without("tzone://microsoft/", name.trimmed) }

    /// The areas of the tz database, which begin the last part of a name such as
    /// `/freeassociation.sourceforge.net/America/Vancouver`.
    private static let areas: Set<Substring> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Canada", "Etc", "Europe",
        "Indian", "Pacific", "US",
    ]

    /// The names that a name may stand for, the most likely first.
    static func candidates(for name: String) -> [String] {
        if let names = windows[name] { return names }
        // "america/los angeles" is "America/Los_Angeles".
        let parts = name.split(separator: "/").map { cased($0)[...] }
        guard let area = parts.firstIndex(where: areas.contains) else { return [name] }
        return [name, parts[area...].joined(separator: "/")]
    }

    /// The names that a label may stand for, such as `(UTC-05:00) Eastern Time (US & Canada)`, `Pacific Time` or `PDT`.
    static func candidates(forLabel label: String) -> [String] {
        guard label.utf8.count <= 200 else { return [] }
        let text = label.lowercased()
        // As Windows names its zones, also those in summer.
        let standard = text.split(separator: " ").map { $0 == "daylight" ? "standard" : $0 }.joined(separator: " ")
        if let name = abbreviations[text] { return windows[name] ?? [name] }
        let bytes = Array(text.utf8)
        func has(_ part: some StringProtocol) -> Bool {
            ByteSearch(for: Array(part.utf8)).firstMatch(in: bytes.span) != nil
        }
        for (words, name) in labels where words.split(separator: ",").contains(where: has) {
            return windows[name] ?? [name]
        }
        // The longest, since "Central Pacific Standard Time" is not "Pacific Standard Time".
        let words = Array(standard.utf8)
        let names = windows.keys.filter { name in
            ByteSearch(for: Array(name.lowercased().utf8)).firstMatch(in: words.span) != nil
        }
        return names.max { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.flatMap { windows[$0] } ?? []
    }

    /// A part of a name as the tz database has it, with capitals and without spaces; one that has capitals stays.
    private static func cased(_ part: Substring) -> String {
        let name = part.split(separator: " ").joined(separator: "_")
        guard part.utf8.count <= 40, part == part.lowercased() else { return name }
        var isStart = true
        return String(
            decoding: name.utf8.map { byte in
                defer { isStart = !ASCII.isLetter(byte) }
                return isStart && ASCII.isLetter(byte) ? byte & 0xDF : byte
            }, as: UTF8.self)
    }

    /// A zone with a constant offset, such as `UTC-5` or `GMT+01:00`; nil for another name.
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

    /// The zones with which the definition of a calendar is compared.
    static let all: [String] =
        windows.values.flatMap(\.self).sorted() + (1...12).map { "Etc/GMT+\($0)" } + (1...14).map { "Etc/GMT-\($0)" }

    private static let abbreviations = [
        "pst": "Pacific Standard Time", "pdt": "Pacific Standard Time", "pt": "Pacific Standard Time",
        "mst": "Mountain Standard Time", "mdt": "Mountain Standard Time", "cst": "Central Standard Time",
        "cdt": "Central Standard Time", "est": "Eastern Standard Time", "edt": "Eastern Standard Time",
        "et": "Eastern Standard Time", "ast": "Atlantic Standard Time", "adt": "Atlantic Standard Time",
        "nst": "Newfoundland Standard Time", "ndt": "Newfoundland Standard Time", "akst": "Alaskan Standard Time",
        "akdt": "Alaskan Standard Time", "hst": "Hawaiian Standard Time", "bst": "GMT Standard Time",
        "wet": "GMT Standard Time", "cet": "W. Europe Standard Time", "cest": "W. Europe Standard Time",
        "mez": "W. Europe Standard Time", "mesz": "W. Europe Standard Time", "eet": "FLE Standard Time",
        "eest": "FLE Standard Time", "jst": "Tokyo Standard Time", "aest": "AUS Eastern Standard Time",
        "aedt": "AUS Eastern Standard Time", "nzst": "New Zealand Standard Time", "nzdt": "New Zealand Standard Time",
    ]

    /// Parts of the labels of zones in programs, the more special first.
    private static let labels: [(words: String, name: String)] = [
        ("arizona", "US Mountain Standard Time"), ("indiana (east)", "US Eastern Standard Time"),
        ("saskatchewan", "Canada Central Standard Time"), ("yukon", "Yukon Standard Time"),
        ("baja california,tijuana", "Pacific Standard Time (Mexico)"),
        ("guadalajara,mexico city", "Central Standard Time (Mexico)"),
        ("chihuahua,mazatlan", "Mountain Standard Time (Mexico)"),
        ("pacific time", "Pacific Standard Time"), ("mountain time", "Mountain Standard Time"),
        ("central time", "Central Standard Time"), ("eastern time", "Eastern Standard Time"),
        ("atlantic time", "Atlantic Standard Time"), ("newfoundland", "Newfoundland Standard Time"),
        ("alaska", "Alaskan Standard Time"), ("hawaii", "Hawaiian Standard Time"),
        ("dublin,edinburgh,lisbon,london", "GMT Standard Time"),
        ("amsterdam,berlin,vienna,rome", "W. Europe Standard Time"),
        ("brussels,copenhagen,madrid,paris", "Romance Standard Time"),
        ("belgrade,bratislava,budapest,prague", "Central Europe Standard Time"),
        ("sarajevo,skopje,warsaw,zagreb", "Central European Standard Time"),
        ("helsinki,kyiv,kiev,riga,sofia", "FLE Standard Time"),
        ("athens,bucharest", "GTB Standard Time"), ("jerusalem", "Israel Standard Time"),
        ("istanbul", "Turkey Standard Time"),
        ("moscow", "Russian Standard Time"), ("chennai,kolkata,mumbai", "India Standard Time"),
        ("beijing,chongqing,hong kong", "China Standard Time"), ("singapore", "Singapore Standard Time"),
        ("osaka,sapporo,tokyo", "Tokyo Standard Time"), ("seoul", "Korea Standard Time"),
        ("perth", "W. Australia Standard Time"),
        ("brisbane", "E. Australia Standard Time"), ("canberra,melbourne,sydney", "AUS Eastern Standard Time"),
        ("auckland,wellington", "New Zealand Standard Time"),
    ]
}
