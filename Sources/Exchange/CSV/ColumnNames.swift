import Bytes

/// The names that people give the columns of a table.
///
/// Names are compared without case, spaces and punctuation: `E-mail Address` is `email`.
enum ColumnNames {
    /// The name of a column in the first row, in the form of the names of columns: `Start time` is `start_time`.
    static func normalized(_ text: String) -> String {
        var name: [UInt8] = []
        var isBetween = false
        for byte in text.utf8 {
            guard ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80 else {
                isBetween = !name.isEmpty
                continue
            }
            if isBetween { name.append("_") }
            isBetween = false
            name.append(ASCII.lowercased(byte))
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The columns that a name may stand for, the likeliest first. A table has at most a few of them.
    static func columns(named name: String) -> [String] { [name] + (others[name] ?? []) }

    /// Other names, by the name of the column.
    private static let others: [String: [String]] = {
        var others: [String: [String]] = [:]
        for (column, names) in namesByColumn {
            for name in names { others[name, default: []].append(column) }
        }
        return others
    }()

    /// A table takes the first column that it has.
    private static let namesByColumn: [(column: String, names: [String])] = [
        ("business", ["venue", "where", "location", "place", "business_slug", "business_name"]),
        ("name", ["business", "business_name", "company", "shop", "place", "title", "event", "event_name", "what"]),
        ("category", ["categories", "type", "kind", "category_name", "category_slug", "business_type"]),
        ("event_type", ["type", "kind", "category", "type_of_event", "event_type_slug"]),
        ("description", ["about", "details", "blurb", "summary", "info"]),
        ("address", ["street", "street_address", "full_address", "location", "addr", "where"]),
        ("latitude", ["lat", "y"]),
        ("longitude", ["lon", "lng", "long", "x"]),
        (
            "coordinates",
            [
                "coordinate", "coords", "gps", "lat_lon", "lat_lng", "lat_long", "latlng", "latlon", "latlong", "geo",
                "position", "map", "map_link", "maps_link", "google_maps", "google_maps_link", "google_map", "pin",
                "latitude_longitude",
            ]
        ),
        ("phone", ["telephone", "tel", "phone_number", "phone_no", "mobile"]),
        ("email", ["e_mail", "mail", "email_address", "e_mail_address"]),
        ("website", ["web", "url", "web_site", "homepage", "site", "link", "web_address"]),
        ("owner", ["owner_email"]),
        ("opening_hours", ["hours", "business_hours", "open", "opening_times", "hours_of_operation"]),
        ("time_zone", ["timezone", "tz"]),
        ("starts_at", ["start", "starts", "begins", "begin", "from", "start_date_time", "date_time", "when"]),
        ("ends_at", ["end", "ends", "until", "to", "end_date_time"]),
        ("start_date", ["date", "day", "event_date"]),
        ("start_time", ["time", "starts_time"]),
        ("end_time", ["finish", "finish_time"]),
        ("rrule", ["repeats", "recurrence"]),
        ("sunday", ["sun"]), ("monday", ["mon"]), ("tuesday", ["tue", "tues"]), ("wednesday", ["wed", "weds"]),
        ("thursday", ["thu", "thur", "thurs"]), ("friday", ["fri"]), ("saturday", ["sat"]),
    ]
}
