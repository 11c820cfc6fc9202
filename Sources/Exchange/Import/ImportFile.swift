import Bytes

/// A file to import: its name, for messages, and its bytes.
public struct ImportFile: Sendable, Equatable {
    /// The name in messages.
    public var name: String
    /// The format; nil when its name or its first bytes determine it.
    public var format: ExchangeFormat?
    /// The content.
    public var bytes: [UInt8]

    /// A file; without a format its format is determined.
    public init(name: String, format: ExchangeFormat? = nil, bytes: [UInt8]) {
        (self.name, self.format, self.bytes) = (name, format, bytes)
    }

    /// Reads the records of the file, with their problems.
    func readRows() -> FileRows {
        let hasMark = bytes.starts(with: Self.byteOrderMark)
        let text = hasMark ? Array(bytes.dropFirst(Self.byteOrderMark.count)) : bytes
        if let line = Self.firstLineNotUTF8(in: text) {
            var rows = FileRows()
            rows.refuse(line: line, "", "is not UTF-8 text; save the file as UTF-8 (spreadsheets call it CSV UTF-8)")
            return rows
        }
        return switch format ?? ExchangeFormat(fileName: name) ?? ExchangeFormat(guessedFrom: text) {
        case .json: DatasetReader.rows(of: text)
        case .ndjson: NDJSONReader.rows(of: text)
        case .csv: CSVFileReader.rows(of: text)
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The number of the first line that is not UTF-8; no UTF-8 sequence contains a line feed.
    private static func firstLineNotUTF8(in bytes: [UInt8]) -> Int? {
        bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
            .firstIndex { String(validUTF8: $0) == nil }
            .map { $0 + 1 }
    }
}
