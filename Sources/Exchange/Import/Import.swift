import Bytes
import SookeModel
import Store

/// Files to import together: all of them, or nothing.
///
/// Creating one reads the files, on any thread; applying it is a step of a transaction:
///
/// ```swift
/// let files = [ImportFile(name: "businesses.csv", bytes: bytes)]
/// let records = Import(files: files)
/// let report = try await store.write(by: .local) { transaction in try records.apply(to: &transaction) }.result
/// ```
///
/// Records are matched by their slug, people by their e-mail address. They may refer to records of all files and of the
/// store. The order of the files does not change the result.
package struct Import: Sendable {
    package enum Phase: String, Sendable, CaseIterable {
        /// In bytes.
        case reading
        case checking
        case writing
    }

    package typealias Observer = (_ phase: Phase, _ done: Int, _ total: Int) -> Void

    private(set) var files: [File]
    private let options: ImportOptions

    package init(files: [ImportFile], options: ImportOptions = ImportOptions(), progress: Observer = { _, _, _ in }) {
        self.options = options
        let total = files.reduce(0) { $0 + $1.bytes.count }
        var before = 0
        self.files = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map { file in
            var content = file.readRows(options) { done in progress(.reading, before + done, total) }
            content.name = file.name
            before += file.bytes.count
            progress(.reading, before, total)
            return content
        }
    }

    /// When it throws, the transaction may hold some of the records; the transaction must throw, too, to discard them.
    package func apply(
        to transaction: inout WriteTransaction, progress: Observer = { _, _, _ in }
    ) throws(ImportProblems) -> ImportReport {
        let refused = options.isByEditor ? files.flatMap(\.problemsForEditors) : []
        guard refused.isEmpty else { throw ImportProblems(refused) }
        var (valid, skipped) = (self, [Finding]())
        // Each round leaves out what refers to records left out before; it ends, as references are few kinds deep.
        while true {
            var trial = transaction
            var importer = Importer(valid.files, options)
            let isWhole = files.allSatisfy(\.isWhole)
            // Otherwise records that refer to unread ones would get problems that are not their own.
            if isWhole { importer.apply(to: &trial) { done, total in progress(.checking, done, total) } }
            if !isWhole { importer.warnOfUnchecked() }
            let invalid = importer.invalid
            skipped += importer.problems
            for (file, row) in invalid where leavesOut(files[file]) { valid.files[file].rows[row].skip() }
            let isRefused = invalid.contains { !leavesOut(files[$0.file]) }
            guard isWhole, !isRefused, options.skipsInvalid || !valid.files.contains(where: \.isLeftOut) else {
                throw ImportProblems(
                    skipped, after: importer.report.warnings, isUnread: options.skipsInvalid && !isWhole)
            }
            if invalid.isEmpty {
                transaction = trial
                importer.leaveOut(skipped, options.skipsInvalid ? valid.files.compactMap(\.skipped) : [])
                return importer.report
            }
        }
    }

    /// Whether what is invalid is left out. A calendar is what others have made, and one odd event refuses only itself.
    private func leavesOut(_ file: File) -> Bool {
        options.skipsInvalid || file.format == .icalendar && !options.isStrict
    }
}

package struct ImportOptions: Sendable {
    /// Of times without an offset.
    package var zone: TimeZone
    package var findZone: @Sendable (String) -> TimeZone?
    package var createsTerms = false
    package var addsStarter = false
    /// Leaves invalid records out, instead of refusing all, and returns them.
    package var skipsInvalid = false
    /// Refuses a calendar as a whole as well.
    package var isStrict = false
    /// Else those of the files fill only what the town has not set.
    package var replacesSettings = false
    package var deletesMissing = false
    package var isByEditor = false
    package var center: Coordinates?
    /// By name or slug, for businesses without one.
    package var category: String?
    package var eventType: String?

    func term(of kind: RecordKind) -> String? { kind == .category ? category : kind == .eventType ? eventType : nil }

    /// - Parameter findZone: by default every name is a zone, with the offset of UTC.
    package init(
        zone: TimeZone = TimeZone(name: "Etc/UTC", fixedOffset: 0),
        findZone: @escaping @Sendable (String) -> TimeZone? = { TimeZone(name: $0, fixedOffset: 0) }
    ) {
        (self.zone, self.findZone) = (zone, findZone)
    }
}

extension Import {
    struct File: Sendable {
        var name = ""
        var rows: [ImportRow] = []
        var text: [UInt8] = []
        var format = ImportFormat.csv
        var highestIDs: [(sequence: IDSequences.Sequence, id: Int)] = []
        /// The lines of the file tell little about the records.
        var namesRecords = false
        static let progressInterval = 1024
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
        let list = names.map { $0.excerpt() }.listed(upTo: 20)
        warn(line: line, "", "has values that were ignored, here or in later records: \(list)")
    }

    var isWhole: Bool { !rows.contains { $0.isEnd } }

    var isLeftOut: Bool { rows.contains { $0.isSkipped } && !rows.contains { $0.patch != nil } }

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
        let field = format == .icalendar ? CalendarRows.words[problem.field] ?? problem.field : problem.field
        return Finding(
            file: name, row: row.line, record: namesRecords ? row.label.excerpt() : "",
            FieldProblem(field, problem.message), isWarning: isWarning)
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
        if self.email != nil, let field = person?.field, !fields.contains(field) { fields.append(field) }
        return fields.map { field in
            let column = field == person?.field ? person?.column : nil
            return FieldProblem(column ?? field, "is set by administrators only; leave it out")
        }
    }

    private var kind: RecordKind? {
        patch?.kind ?? Town.kinds.first { $0.collection.hasSameBytes(as: self.collection) }
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
