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
        guard let area = parts.firstIndex(where: areas.contains), area > 0 else { return [name] }
        return [name, parts[area...].joined(separator: "/")]
    }

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
