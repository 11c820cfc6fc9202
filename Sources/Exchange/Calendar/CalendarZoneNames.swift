import Bytes
import SookeModel

/// The names of time zones in calendars of other programs, as names of the tz database.
enum CalendarZoneNames {
    /// Names that mean UTC.
    static let utc: Set<String> = ["UTC", "Etc/UTC", "GMT", "Etc/GMT", "Z", "Zulu", "Etc/Zulu"]

    /// The areas of the tz database, which begin the last part of a name such as
    /// `/freeassociation.sourceforge.net/America/Vancouver`.
    private static let areas: Set<Substring> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Canada", "Etc", "Europe",
        "Indian", "Pacific", "US",
    ]

    /// The names that a name may stand for, the most likely first.
    static func candidates(for name: String) -> [String] {
        if let names = windows[name] { return names }
        let parts = name.split(separator: "/")
        guard let area = parts.firstIndex(where: areas.contains) else { return [name] }
        return [name, parts[area...].joined(separator: "/")]
    }

    /// The names that a label may stand for, such as `(UTC-05:00) Eastern Time (US & Canada)`, `Pacific Time` or `PDT`.
    static func candidates(forLabel label: String) -> [String] {
        guard label.utf8.count <= 200 else { return [] }
        let text = label.lowercased()
        if let name = abbreviations[text] { return windows[name] ?? [name] }
        let bytes = Array(text.utf8)
        func has(_ part: some StringProtocol) -> Bool {
            ByteSearch(for: Array(part.utf8)).firstMatch(in: bytes.span) != nil
        }
        for (words, name) in labels where words.split(separator: ",").contains(where: has) {
            return windows[name] ?? [name]
        }
        return windows.keys.sorted().first { has($0.lowercased()) }.flatMap { windows[$0] } ?? []
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
    static let all: [String] = windows.values.flatMap(\.self).sorted()

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
        ("pacific time,pacific standard,pacific daylight", "Pacific Standard Time"),
        ("mountain time,mountain standard,mountain daylight", "Mountain Standard Time"),
        ("central time,central daylight", "Central Standard Time"),
        ("eastern time,eastern daylight", "Eastern Standard Time"),
        ("atlantic time,atlantic daylight", "Atlantic Standard Time"), ("newfoundland", "Newfoundland Standard Time"),
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

    /// The names of Windows and Outlook, from the table `windowsZones` of the Unicode CLDR. The first zone is that for
    /// any country, the others have the same clocks in Canada and the United States.
    private static let windows: [String: [String]] = [
        "UTC-11": ["Pacific/Pago_Pago"],
        "Hawaiian Standard Time": ["Pacific/Honolulu"],
        "Alaskan Standard Time": ["America/Anchorage", "America/Juneau", "America/Nome", "America/Sitka"],
        "Pacific Standard Time": ["America/Los_Angeles", "America/Vancouver"],
        "Pacific Standard Time (Mexico)": ["America/Tijuana"],
        "US Mountain Standard Time": [
            "America/Phoenix", "America/Creston", "America/Dawson_Creek", "America/Fort_Nelson",
        ],
        "Mountain Standard Time": [
            "America/Denver", "America/Edmonton", "America/Boise", "America/Inuvik", "America/Cambridge_Bay",
        ],
        "Mountain Standard Time (Mexico)": ["America/Mazatlan"],
        "Yukon Standard Time": ["America/Whitehorse", "America/Dawson"],
        "Canada Central Standard Time": ["America/Regina", "America/Swift_Current"],
        "Central America Standard Time": ["America/Guatemala", "America/Costa_Rica"],
        "Central Standard Time": [
            "America/Chicago", "America/Winnipeg", "America/Menominee", "America/Rankin_Inlet", "America/Resolute",
        ],
        "Central Standard Time (Mexico)": ["America/Mexico_City"],
        "Eastern Standard Time": [
            "America/New_York", "America/Toronto", "America/Detroit", "America/Iqaluit",
        ],
        "US Eastern Standard Time": ["America/Indiana/Indianapolis"],
        "SA Pacific Standard Time": ["America/Bogota", "America/Jamaica", "America/Panama"],
        "Atlantic Standard Time": [
            "America/Halifax", "America/Moncton", "America/Glace_Bay", "America/Goose_Bay", "Atlantic/Bermuda",
        ],
        "SA Western Standard Time": ["America/La_Paz", "America/Puerto_Rico", "America/Blanc-Sablon"],
        "Venezuela Standard Time": ["America/Caracas"],
        "Newfoundland Standard Time": ["America/St_Johns"],
        "E. South America Standard Time": ["America/Sao_Paulo"],
        "Argentina Standard Time": ["America/Argentina/Buenos_Aires"],
        "SA Eastern Standard Time": ["America/Cayenne"],
        "Azores Standard Time": ["Atlantic/Azores"],
        "GMT Standard Time": ["Europe/London", "Europe/Dublin", "Europe/Lisbon"],
        "Greenwich Standard Time": ["Atlantic/Reykjavik", "Africa/Abidjan"],
        "W. Europe Standard Time": [
            "Europe/Berlin", "Europe/Amsterdam", "Europe/Oslo", "Europe/Rome", "Europe/Stockholm", "Europe/Vienna",
            "Europe/Zurich",
        ],
        "Central Europe Standard Time": ["Europe/Budapest", "Europe/Prague", "Europe/Belgrade"],
        "Romance Standard Time": ["Europe/Paris", "Europe/Brussels", "Europe/Copenhagen", "Europe/Madrid"],
        "Central European Standard Time": ["Europe/Warsaw", "Europe/Zagreb"],
        "W. Central Africa Standard Time": ["Africa/Lagos"],
        "GTB Standard Time": ["Europe/Bucharest", "Europe/Athens"],
        "Middle East Standard Time": ["Asia/Beirut"],
        "Egypt Standard Time": ["Africa/Cairo"],
        "South Africa Standard Time": ["Africa/Johannesburg"],
        "FLE Standard Time": ["Europe/Kyiv", "Europe/Kiev", "Europe/Helsinki"],
        "Israel Standard Time": ["Asia/Jerusalem"],
        "Turkey Standard Time": ["Europe/Istanbul"],
        "Arab Standard Time": ["Asia/Riyadh"],
        "Russian Standard Time": ["Europe/Moscow"],
        "E. Africa Standard Time": ["Africa/Nairobi"],
        "Arabian Standard Time": ["Asia/Dubai"],
        "Pakistan Standard Time": ["Asia/Karachi"],
        "India Standard Time": ["Asia/Kolkata", "Asia/Calcutta"],
        "SE Asia Standard Time": ["Asia/Bangkok"],
        "China Standard Time": ["Asia/Shanghai"],
        "Singapore Standard Time": ["Asia/Singapore"],
        "Taipei Standard Time": ["Asia/Taipei"],
        "W. Australia Standard Time": ["Australia/Perth"],
        "Tokyo Standard Time": ["Asia/Tokyo"],
        "Korea Standard Time": ["Asia/Seoul"],
        "AUS Central Standard Time": ["Australia/Darwin"],
        "Cen. Australia Standard Time": ["Australia/Adelaide"],
        "E. Australia Standard Time": ["Australia/Brisbane"],
        "AUS Eastern Standard Time": ["Australia/Sydney"],
        "New Zealand Standard Time": ["Pacific/Auckland"],
    ]
}
