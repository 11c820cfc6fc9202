import Bytes
import JSON
import SookeModel

/// The forms in which records come into a store and leave it.
public enum ExchangeFormat: String, Sendable, CaseIterable {
    /// One JSON document with all collections: the form of a dataset, a seed file, a snapshot and a backup.
    case json
    /// A record a line, as `{"business":{…}}`.
    case ndjson
    /// A table of businesses or of events, as spreadsheets write it (RFC 4180).
    case csv

    /// The format that a file's name ends in; nil when the ending is none of `.json`, `.ndjson`, `.jsonl` and `.csv`.
    public init?(fileName: String) {
        let name = fileName.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = name[name.index(after: dot)...]
        let endings: [(String, Self)] = [("json", .json), ("ndjson", .ndjson), ("jsonl", .ndjson), ("csv", .csv)]
        guard let found = endings.first(where: { ASCII.equalIgnoringCase(ending, $0.0.utf8) }) else { return nil }
        self = found.1
    }

    /// The format that text without a telling name must have: a first `{` opens a dataset or, when its first key is
    /// that of one record, NDJSON; anything else is a table.
    init(guessedFrom bytes: [UInt8]) {
        guard let first = bytes.first(where: { !Self.isSpace($0) }), "{[".utf8.contains(first) else {
            self = .csv
            return
        }
        // The key stands near the start, and a reader over all the bytes is a copy of none of them.
        var reader = JSONReader(bytes)
        let key = try? { () throws(JSONError) in
            try reader.beginObject()
            return try reader.nextKey()
        }()
        self = key.flatMap { $0 }.flatMap(RecordKind.init(named:)) == nil ? .json : .ndjson
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == ASCII.lineFeed
            || byte == ASCII.carriageReturn
    }
}
