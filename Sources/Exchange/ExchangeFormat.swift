import Bytes
import JSON
import SookeModel
import Store

/// The formats of import and export.
public enum ExchangeFormat: String, Sendable, CaseIterable {
    /// One JSON document with all collections: the form of a dataset, a seed file, a snapshot and a backup.
    case json
    /// One record per line, as `{"business":{…}}`.
    case ndjson
    /// A table of businesses or of events, as in spreadsheets (RFC 4180).
    case csv

    /// The format for the extension of a file name; nil unless it is `.json`, `.ndjson`, `.jsonl` or `.csv`.
    public init?(fileName: String) {
        let name = fileName.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = name[name.index(after: dot)...]
        let endings: [(String, Self)] = [("json", .json), ("ndjson", .ndjson), ("jsonl", .ndjson), ("csv", .csv)]
        guard let found = endings.first(where: { ASCII.equalIgnoringCase(ending, $0.0.utf8) }) else { return nil }
        self = found.1
    }

    /// The format of text whose name has no known extension: a first `{` begins a dataset or, if its first key is a
    /// kind of record, NDJSON; anything else is a table.
    init(guessedFrom bytes: [UInt8]) {
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
        self = key.flatMap { $0 }.flatMap(Community.kind(named:)) == nil ? .json : .ndjson
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == ASCII.lineFeed
            || byte == ASCII.carriageReturn
    }
}
