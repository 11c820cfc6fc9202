import Bytes
import JSON
import SookeModel
import Store

package enum ImportFormat: String, Sendable, CaseIterable {
    /// One document with all collections: a dataset, a seed file, a snapshot or a backup.
    case json
    case ndjson
    /// A table of businesses or of events, as in spreadsheets (RFC 4180).
    case csv
    case geojson
    /// RFC 6350 and its predecessors.
    case vcard
    case icalendar
    case postgres

    struct Traits: Sendable {
        let extensions: [String]
        var mediaTypes: [String] = []
        let wanted: String
        let encoding: String
        var namesRecords = true
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

    package var fileExtension: String { traits.extensions[0] }

    /// Nil for types that do not say it, such as `application/json`.
    package init?(mediaType: String) {
        guard let found = Self.allCases.first(where: { $0.traits.mediaTypes.contains(mediaType) }) else { return nil }
        self = found
    }

    package init?(fileName: String) {
        let name = fileName.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = String(decoding: name[name.index(after: dot)...].map(ASCII.lowercased), as: UTF8.self)
        guard let found = Self.allCases.first(where: { $0.traits.extensions.contains(ending) }) else { return nil }
        self = found
    }

    /// A first `{` begins a dataset, or by its first key NDJSON or GeoJSON; other text is a table, unless it begins as
    /// a vCard or an iCalendar.
    init(guessedFrom bytes: [UInt8]) {
        let start = bytes.prefix(64).drop(while: Self.isSpace)
        let words = [
            ("BEGIN:VCARD", Self.vcard), ("BEGIN:VCALENDAR", .icalendar), ("--\n-- PostgreSQL database", .postgres),
            ("-- A town of Sooke, for psql", .postgres),
        ]
        for (word, format) in words where ASCII.equalIgnoringCase(start.prefix(word.utf8.count), word.utf8) {
            self = format
            return
        }
        guard let first = bytes.first(where: { !Self.isSpace($0) }), "{[".utf8.contains(first) else {
            self = .csv
            return
        }
        // The key is near the start, and a reader over all the bytes does not copy them.
        var reader = JSONReader(bytes)
        let name = (try? reader.beginObject()).flatMap { try? reader.nextKey() }
        let isGeoJSON = name == "type" || name == "features"
        self = isGeoJSON ? .geojson : name.flatMap(Town.kind(named:)) == nil ? .json : .ndjson
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == ASCII.lineFeed
            || byte == ASCII.carriageReturn
    }
}
