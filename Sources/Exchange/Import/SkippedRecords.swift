import Bytes
import SookeModel

/// The records of a file that an import left out, in the format of the file: to be mended, and imported again.
package struct SkippedRecords: Sendable, Equatable {
    /// The name of the file, as it was given.
    package let file: String
    package let fileExtension: String
    /// Its text without what was imported.
    package let text: [UInt8]

    /// Nil for a file of which nothing was left out.
    init?(_ file: Import.File) {
        guard file.rows.contains(where: \.isSkipped) else { return nil }
        (self.file, fileExtension) = (file.name, file.format.fileExtension)
        text = Self.text(of: file)
    }

    init(file: String, fileExtension: String, text: [UInt8]) {
        (self.file, self.fileExtension, self.text) = (file, fileExtension, text)
    }

    private static func text(of content: Import.File) -> [UInt8] {
        switch content.format {
        case .json: return dataset(content)
        case .geojson:
            let features = content.rows.filter(\.isSkipped).flatMap { parts(of: $0, in: content.text) }
            return Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8) + joined(features)
                + Array("\n]}\n".utf8)
        case .csv, .ndjson, .vcard, .icalendar, .postgres: return withoutImported(content)
        }
    }

    /// The text without the records that were imported: what is around them stays, such as the names of columns.
    private static func withoutImported(_ content: Import.File) -> [UInt8] {
        let imported = content.rows.filter { !$0.isSkipped }.flatMap(\.source).sorted { $0.lowerBound < $1.lowerBound }
        var (text, place): ([UInt8], Int) = ([], 0)
        for range in imported where range.lowerBound >= place {
            text += content.text[place..<range.lowerBound]
            place = range.upperBound
        }
        return text + content.text[place...]
    }

    private static func dataset(_ content: Import.File) -> [UInt8] {
        var (names, records): ([String], [String: [ArraySlice<UInt8>]]) = ([], [:])
        for row in content.rows where row.isSkipped {
            if records[row.collection] == nil { names.append(row.collection) }
            records[row.collection, default: []] += parts(of: row, in: content.text)
        }
        let collections = names.map { Array("\"\($0)\":[\n".utf8) + joined(records[$0] ?? []) + Array("\n]".utf8) }
        return Array("{".utf8) + Array(collections.joined(separator: ",\n".utf8)) + Array("}\n".utf8)
    }

    /// The parts of the text of a record, without white space around them.
    private static func parts(of row: ImportRow, in text: [UInt8]) -> [ArraySlice<UInt8>] {
        row.source.map { text[$0].drop { $0 <= UInt8(ascii: " ") } }
    }

    private static func joined(_ parts: [ArraySlice<UInt8>]) -> [UInt8] { Array(parts.joined(separator: ",\n".utf8)) }
}

extension ImportFormat {
    fileprivate var fileExtension: String {
        switch self {
        case .json: "json"
        case .ndjson: "ndjson"
        case .csv: "csv"
        case .geojson: "geojson"
        case .vcard: "vcf"
        case .icalendar: "ics"
        case .postgres: "sql"
        }
    }
}
