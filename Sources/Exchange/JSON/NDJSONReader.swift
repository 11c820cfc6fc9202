import Bytes
import JSON
import SookeModel
import Store

/// Reads NDJSON: one record per line, wrapped in its kind, such as `{"business":{"name":"Café Zoë"}}`.
///
/// Blank lines count and are skipped. A problem of one line does not affect the others.
enum NDJSONReader {
    static func rows(of bytes: [UInt8], _ progress: (Int) -> Void = { _ in }) -> Import.File {
        var result = Import.File()
        for (index, line) in bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
            result.rows.append(row(of: Array(line), number: index + 1))
            result.rows[result.rows.count - 1].source = [line.startIndex..<min(line.endIndex + 1, bytes.count)]
            if result.rows.count.isMultiple(of: Import.File.progressInterval) { progress(line.endIndex) }
        }
        return result
    }

    private static func row(of line: [UInt8], number: Int) -> ImportRow {
        var reader = JSONReader(line)
        do {
            try reader.beginObject()
            guard let name = try reader.nextKey(),
                let type = Town.recordTypes.first(where: { $0.kind.name.hasSameBytes(as: name) })
            else {
                return ImportRow(line: number, problem: "", "must be an object with one key, which is \(kindNames)")
            }
            let row = try ImportRow(line: number, type, from: &reader)
            if let second = try reader.nextKey() {
                return ImportRow(line: number, problem: second, "is one key too many: a line holds one record")
            }
            try reader.finish()
            return row
        } catch {
            return ImportRow(line: number, problem: "column \(error.column)", error.message)
        }
    }

    private static let kindNames: String = {
        let names = Town.sharedKinds.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }()
}
