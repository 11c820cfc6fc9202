import Bytes
import JSON
import SookeModel
import Store

package enum ImportFormat: String, Sendable, CaseIterable {
    /// One JSON document with all collections: the form of a dataset, a seed file, a snapshot and a backup.
    case json
    /// One record per line, as `{"business":{…}}`.
    case ndjson
    /// A table of businesses or of events, as in spreadsheets (RFC 4180).
    case csv
    /// Businesses as points (RFC 7946).
    case geojson
    /// Businesses as vCards (RFC 6350 and its predecessors).
    case vcard
    /// Events as an iCalendar (RFC 5545).
    case icalendar
    /// A plain dump of the Go service's database, as `pg_dump` writes it.
    case postgres

    /// What tells a format from the others.
    struct Traits: Sendable {
        /// The ends of the names of its files.
        let extensions: [String]
        var mediaTypes: [String] = []
        /// What somebody needs who has a web page.
        let wanted: String
        /// What to do about text that is not UTF-8.
        let encoding: String
        /// Whether messages name the records: the lines of the file tell little about them.
        var namesRecords = true
        /// Reads a file.
        let read: @Sendable ([UInt8], ImportOptions, (Int) -> Void) -> Import.File
    }

    var traits: Traits {
        let convert = "or convert the file: iconv -f WINDOWS-1252 -t UTF-8"
        let save = "save the file as UTF-8"
        switch self {
        case .json:
            return Traits(
                extensions: ["json"], wanted: "JSON; download the data itself", encoding: "\(save), \(convert)"
            ) { text, _, progress in DatasetReader.rows(of: text, progress) }
        case .ndjson:
            return Traits(
                extensions: ["ndjson", "jsonl"], mediaTypes: ["application/x-ndjson", "application/ndjson"],
                wanted: "JSON; download the data itself", encoding: "\(save), \(convert)", namesRecords: false
            ) { text, _, progress in NDJSONReader.rows(of: text, progress) }
        case .csv:
            return Traits(
                extensions: ["csv", "tsv"], mediaTypes: ["text/csv", "text/tab-separated-values"],
                wanted: "a table; download the table itself, as CSV",
                encoding: "\(save) (spreadsheets call it CSV UTF-8)", namesRecords: false
            ) { text, _, progress in CSVFileReader.rows(of: text, progress) }
        case .geojson:
            return Traits(
                extensions: ["geojson", "geojsonl"], mediaTypes: ["application/geo+json"],
                wanted: "a map; download the places themselves, as GeoJSON", encoding: "\(save), \(convert)"
            ) { text, _, _ in Import.File(GeoJSONReader.records(of: text)) }
        case .vcard:
            return Traits(
                extensions: ["vcf", "vcard"], mediaTypes: ["text/vcard", "text/x-vcard"],
                wanted: "cards of an address book; export the cards themselves, as .vcf",
                encoding: "export the cards as UTF-8, \(convert)"
            ) { text, _, _ in Import.File(VCardReader.records(of: text)) }
        case .icalendar:
            return Traits(
                extensions: ["ics", "ical"], mediaTypes: ["text/calendar"],
                wanted: "a calendar; download the calendar itself, as .ics",
                encoding: "export the calendar as UTF-8, \(convert)"
            ) { text, options, _ in CalendarRows.rows(of: text, options) }
        case .postgres:
            return Traits(
                extensions: ["sql"], mediaTypes: ["application/sql"],
                wanted: "a dump of a database; make one: \(PostgresDump.command)",
                encoding: "make it so: \(PostgresDump.command)"
            ) { text, options, progress in
                var file = PostgresReader.rows(of: text, progress)
                if options.skipsInvalid {
                    file.refuse(
                        line: 1, "",
                        "is a whole database, of which nothing can be left out; import without --skip-invalid")
                }
                return file
            }
        }
    }

    /// The usual end of the names of its files.
    package var fileExtension: String { traits.extensions[0] }

    /// The format of a media type; nil for those that do not say it, such as `application/json`.
    package init?(mediaType: String) {
        guard let found = Self.allCases.first(where: { $0.traits.mediaTypes.contains(mediaType) }) else { return nil }
        self = found
    }

    /// The format for the extension of a file name, such as `.csv`; nil for an unknown one.
    package init?(fileName: String) {
        let name = fileName.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = String(decoding: name[name.index(after: dot)...].map(ASCII.lowercased), as: UTF8.self)
        guard let found = Self.allCases.first(where: { $0.traits.extensions.contains(ending) }) else { return nil }
        self = found
    }

    /// The format of text whose name has no known extension: a first `{` begins a dataset, or by its first key NDJSON
    /// or GeoJSON; anything else is a table, unless it begins as a vCard or an iCalendar.
    init(guessedFrom bytes: [UInt8]) {
        let start = bytes.prefix(64).drop(while: Self.isSpace)
        for (word, format) in [("BEGIN:VCARD", Self.vcard), ("BEGIN:VCALENDAR", .icalendar)]
        where ASCII.equalIgnoringCase(start.prefix(word.utf8.count), word.utf8) {
            self = format
            return
        }
        if start.starts(with: "--\n-- PostgreSQL database".utf8)
            || start.starts(with: "-- A town of Sooke, for psql".utf8)
        {
            self = .postgres
            return
        }
        guard let first = bytes.first(where: { !Self.isSpace($0) }), "{[".utf8.contains(first) else {
            self = .csv
            return
        }
        // The key is near the start, and a reader over all the bytes does not copy them.
        var reader = JSONReader(bytes)
        let key = try? { () throws(JSONError) in
            try reader.beginObject()
            return try reader.nextKey()
        }()
        let name = key.flatMap { $0 }
        if name == "type" || name == "features" {
            self = .geojson
        } else {
            self = name.flatMap(Town.kind(named:)) == nil ? .json : .ndjson
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == ASCII.lineFeed
            || byte == ASCII.carriageReturn
    }
}
