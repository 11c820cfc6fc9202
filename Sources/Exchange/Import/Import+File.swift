import Bytes
import SookeModel
import Store

extension Import {
    struct File: Sendable {
        var name = ""
        /// With problems, in the order of their lines.
        var rows: [ImportRow] = []
        var text: [UInt8] = []
        var format = ImportFormat.csv
        var highestIDs: [(sequence: IDSequences.Sequence, id: Int)] = []
        /// The lines of the file tell little about the records.
        var namesRecords = false
        static let progressInterval = 1024
        private static let listed = 20
    }
}

extension Import.File {
    /// Of a file that is not a table, with one warning about all values that were ignored.
    init(_ rows: [ImportRow]) {
        guard let table = CSVTable<Business>() else { return }
        var (names, known, line) = ([String](), Set<String>(), 0)
        self.rows = rows.map { row in
            guard row.origin == .other else { return row }
            var row = row
            let ignored = table.readCells(of: &row).filter { known.insert($0).inserted }
            if names.isEmpty { line = row.line }
            names += ignored
            return row
        }
        guard !names.isEmpty else { return }
        let list = names.prefix(Self.listed).map { $0.excerpt() }.joined(separator: ", ")
        let rest = names.count > Self.listed ? " and \(names.count - Self.listed) more" : ""
        warn(line: line, "", "has values that were ignored, here or in later records: \(list)\(rest)")
    }

    var isWhole: Bool { !rows.contains { $0.isEnd } }

    mutating func refuse(line: Int, _ field: String, _ message: String) {
        rows.append(ImportRow(line: line, problem: field, message, isEnd: true))
    }

    mutating func warn(line: Int, _ field: String, _ message: String) {
        rows.append(ImportRow(line: line, warning: field, message))
    }

    /// Businesses get slugs with their address, events with their date.
    mutating func nameApart(in zone: TimeZone) {
        let keys = rows.map(\.keyByName)
        var counts: [RecordKey: Int] = [:]
        for case let key? in keys { counts[key, default: 0] += 1 }
        for (index, key) in keys.enumerated() {
            if let key, counts[key] ?? 0 > 1 { rows[index].nameApart(in: zone) }
        }
    }

    func finding(_ problem: FieldProblem, in row: ImportRow, isWarning: Bool = false) -> Finding {
        Finding(
            file: name, row: row.line, record: namesRecords ? row.label.excerpt() : "", problem, isWarning: isWarning)
    }

    /// Kinds that only administrators change, and references to people. This is checked before anything is looked up,
    /// so that an import does not reveal who has an account.
    var problemsForEditors: [Finding] {
        rows.flatMap { row in row.problemsForEditors.map { finding($0, in: row) } }
    }
}

extension ImportRow {
    fileprivate var problemsForEditors: [FieldProblem] {
        if let kind, !kind.isEditable {
            return [FieldProblem(kind.collection, "are imported by administrators only; leave them out")]
        }
        var fields = patch?.fieldsOfPeople ?? []
        // The address was taken out of its field, to be looked up.
        if email != nil, let field = person?.field, !fields.contains(field) { fields.append(field) }
        return fields.map { field in
            let column = field == person?.field ? person?.column : nil
            return FieldProblem(column ?? field, "is set by administrators only; leave it out")
        }
    }

    private var kind: RecordKind? {
        patch?.kind ?? Town.kinds.first { $0.collection.hasSameBytes(as: collection) }
    }
}

extension Import.File {
    /// The records that were left out, to be mended and imported again; nil if there are none.
    var skipped: ImportFile? {
        rows.contains { $0.isSkipped } ? ImportFile(name: name, format: format, bytes: skippedText) : nil
    }

    private var skippedText: [UInt8] {
        switch format {
        case .json: return skippedDataset
        case .geojson:
            let features = rows.filter { $0.isSkipped }.flatMap(parts)
            return Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8) + Self.joined(features)
                + Array("\n]}\n".utf8)
        case .csv, .ndjson, .vcard, .icalendar, .postgres: return textWithoutImported
        }
    }

    /// What is around records stays, such as the names of columns.
    private var textWithoutImported: [UInt8] {
        let imported = rows.filter { !$0.isSkipped }.flatMap(\.source).sorted { $0.lowerBound < $1.lowerBound }
        var (rest, place): ([UInt8], Int) = ([], 0)
        for range in imported where range.lowerBound >= place {
            rest += text[place..<range.lowerBound]
            place = range.upperBound
        }
        return rest + text[place...]
    }

    private var skippedDataset: [UInt8] {
        var (names, records): ([String], [String: [ArraySlice<UInt8>]]) = ([], [:])
        for row in rows where row.isSkipped {
            if records[row.collection] == nil { names.append(row.collection) }
            records[row.collection, default: []] += parts(of: row)
        }
        let collections = names.map { Array("\"\($0)\":[\n".utf8) + Self.joined(records[$0] ?? []) + Array("\n]".utf8) }
        return Array("{".utf8) + Array(collections.joined(separator: ",\n".utf8)) + Array("}\n".utf8)
    }

    private func parts(of row: ImportRow) -> [ArraySlice<UInt8>] {
        row.source.map { text[$0].drop { $0 <= UInt8(ascii: " ") } }
    }

    private static func joined(_ parts: [ArraySlice<UInt8>]) -> [UInt8] { Array(parts.joined(separator: ",\n".utf8)) }
}
