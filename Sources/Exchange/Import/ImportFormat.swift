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

    private static let extensions: [String: Self] = [
        "json": .json, "ndjson": .ndjson, "jsonl": .ndjson, "csv": .csv, "tsv": .csv, "geojson": .geojson,
        "geojsonl": .geojson, "vcf": .vcard, "vcard": .vcard, "ics": .icalendar, "ical": .icalendar,
        "sql": .postgres,
    ]

    /// The format for the extension of a file name, such as `.csv`; nil for an unknown one.
    package init?(fileName: String) {
        let name = fileName.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = name[name.index(after: dot)...].map(ASCII.lowercased)
        guard let found = Self.extensions[String(decoding: ending, as: UTF8.self)] else { return nil }
        self = found
    }

    /// The format of text whose name has no known extension: a first `{` begins a dataset, or by its first key NDJSON or
    /// GeoJSON; anything else is a table, unless it begins as a vCard or an iCalendar.
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
