import Bytes
import JSON
import SookeModel

/// What a town says of itself, for people.
struct TownText {
    static let path = "/api/v1/town"

    let text: String

    init(_ folder: String, _ console: Console) throws(CommandError) {
        let settings = try Self.settings(try AdminCall(.get, Self.path).send(folder, console))
        let waiting = try Self.waiting(
            try AdminCall(.get, "/api/v1/businesses?has_location=false&per_page=10").send(folder, console))
        let dates = settings.holidayDates
        let list = dates.last.map { "\(Count(dates.count, "date")) of a calendar; not known after \($0.date.text)" }
        let rows: [(String, String?)] = [
            ("name", settings.name), ("tagline", settings.tagline), ("theme", settings.theme.rawValue),
            ("contact email", settings.contactEmail), ("map link", settings.mapLink.rawValue),
            ("time zone", settings.timeZone), ("holidays", list ?? settings.holidays),
            ("center", settings.center?.shapedText),
        ]
        var text = ""
        for (name, value) in rows {
            text += name + String(repeating: " ", count: 15 - name.count) + (value ?? "-").withoutControls + "\n"
        }
        if waiting.count > 0 {
            text += "\n\(Count(waiting.count, "business")) without a location, shown at the center:\n"
            for name in waiting.names { text += "  \(name.withoutControls)\n" }
            if waiting.count > waiting.names.count { text += "  and \(waiting.count - waiting.names.count) more\n" }
        }
        self.text = text
    }

    static func settings(_ body: [UInt8]) throws(CommandError) -> Settings {
        do throws(JSONError) {
            var (reader, problems) = (JSONReader(body, limits: .trusted), FieldProblems())
            return try Patch<Settings>(from: &reader, &problems).values
        } catch {
            throw CommandError(invalidResponse: error)
        }
    }

    /// What another time zone would move.
    static func followers(
        _ body: [UInt8]
    ) throws(CommandError) -> (businesses: Int, series: Int, events: [String]) {
        var found = (businesses: 0, series: 0, events: [String]())
        try read(body) { (reader, key) throws(JSONError) in
            switch key {
            case "businesses": found.businesses = try reader.readInt()
            case "series": found.series = try reader.readInt()
            case "events":
                try reader.beginArray()
                while try reader.nextElement() { found.events.append(try reader.readString()) }
            default: try reader.skipValue()
            }
        }
        return found
    }

    private static func waiting(_ body: [UInt8]) throws(CommandError) -> (count: Int, names: [String]) {
        var found = (count: 0, names: [String]())
        try read(body) { (reader, key) throws(JSONError) in
            switch key {
            case "items":
                try reader.beginArray()
                while try reader.nextElement() {
                    try reader.beginObject()
                    while let key = try reader.nextKey() {
                        if key == "name" { found.names.append(try reader.readString()) } else { try reader.skipValue() }
                    }
                }
            case "pagination":
                try reader.beginObject()
                while let key = try reader.nextKey() {
                    if key == "total_items" { found.count = try reader.readInt() } else { try reader.skipValue() }
                }
            default: try reader.skipValue()
            }
        }
        return found
    }

    private static func read(
        _ body: [UInt8], _ member: (inout JSONReader, String) throws(JSONError) -> Void
    ) throws(CommandError) {
        do throws(JSONError) {
            var reader = JSONReader(body, limits: .trusted)
            try reader.beginObject()
            while let key = try reader.nextKey() { try member(&reader, key) }
        } catch {
            throw CommandError(invalidResponse: error)
        }
    }
}
