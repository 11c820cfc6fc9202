import Bytes
import JSON
import SookeModel
import Store

/// Reads one JSON document, in any layout, with some or all of the collections.
///
/// ```
/// {"categories": [{"name": "Cafés"}], "businesses": [{"name": "Café Zoë", "category": "cafés", …}]}
/// ```
///
/// An export or a snapshot has further members: `format` must be known and `end` must match the lines before it.
struct DatasetReader {
    private let bytes: [UInt8]
    private var reader: JSONReader
    private var result = Import.File()

    static let formats = ["sooke/1", "sooke/2", "sooke/3", "sooke/4"]

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        reader = JSONReader(bytes)
    }

    static func rows(of bytes: [UInt8], _ progress: (Int) -> Void = { _ in }) -> Import.File {
        var dataset = DatasetReader(bytes)
        do {
            try dataset.readDocument(progress)
        } catch {
            dataset.result.refuse(line: error.line, "column \(error.column)", error.message)
        }
        return dataset.result
    }

    private mutating func readDocument(_ progress: (Int) -> Void) throws(JSONError) {
        try reader.beginObject()
        while let key = try reader.nextKey() {
            if let kind = Town.kinds.first(where: { $0.collection.hasSameBytes(as: key) }) {
                try readRecords(kind, progress)
                continue
            }
            switch key {
            case "format":
                let line = reader.line
                let found = try reader.readString()
                guard Self.formats.contains(where: { $0.hasSameBytes(as: found) }) else {
                    let known = Self.formats.map { "\"\($0)\"" }.joined(separator: ", ")
                    let message = "is \"\(found.excerpt())\", which this program does not know; it reads \(known)"
                    return result.refuse(line: line, key, message)
                }
            case "store", "sequence", "at", "wall", "chain", "numbers", "id_sequences":
                try reader.skipValue()
            case "end":
                try checkEnd()
            default:
                let known = Town.sharedKinds.map(\.collection).joined(separator: ", ")
                result.refuse(line: reader.line, key, "unknown key; expected one of \(known)")
                try reader.skipValue()
            }
        }
        try reader.finish()
    }

    private mutating func readRecords(_ kind: RecordKind, _ progress: (Int) -> Void) throws(JSONError) {
        guard let type = Town.recordType(of: kind) else { return try skipPrivate(kind) }
        try reader.beginArray()
        while try reader.nextElement() {
            let (line, start) = (reader.line, reader.position)
            var row = try ImportRow(line: line, type, from: &reader)
            (row.source, row.collection) = ([start..<reader.position], kind.collection)
            result.rows.append(row)
            if result.rows.count.isMultiple(of: Import.File.progressInterval) { progress(reader.position) }
        }
    }

    private mutating func skipPrivate(_ kind: RecordKind) throws(JSONError) {
        let line = reader.line
        try reader.beginArray()
        var count = 0
        while try reader.nextElement() {
            count += 1
            try reader.skipValue()
        }
        if count > 0 {
            let content = kind == .proposal ? "proposals" : "secrets of accounts. People set new passwords"
            let message =
                "were left out (\(count)): an import takes no \(content); "
                + "`sooke restore` makes a town of the whole backup"
            result.warn(line: line, kind.collection, message)
            result.rows[result.rows.count - 1].collection = kind.collection
        }
    }

    private mutating func checkEnd() throws(JSONError) {
        let line = reader.line
        try reader.skipValue()
        guard Town.isWholeDocument(bytes) else {
            let message =
                "does not fit what stands before it: the file is damaged, or was changed; if you changed it, "
                + "take \"end\" out"
            return result.refuse(line: line, "end", message)
        }
    }
}

/// Reads one record a line, wrapped in its kind, such as `{"business":{"name":"Café Zoë"}}`. Blank lines count. A
/// problem of one line does not affect the others.
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
                let type = Town.recordTypes.first(where: { $0.kind.isShared && $0.kind.name.hasSameBytes(as: name) })
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
