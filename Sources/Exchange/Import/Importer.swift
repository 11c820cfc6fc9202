import Bytes
import SookeModel
import Store

/// Applies the records of an import one by one, and collects their problems.
struct Importer {
    /// A record with its file.
    private struct Entry {
        let file: Int
        let row: ImportRow
    }

    private let fileNames: [String]
    /// All records, by file and line.
    private let entries: [Entry]
    /// The problems of the entries.
    private var found: [Int: FieldProblems] = [:]
    /// The first entry of each record.
    private var places: [RecordKey: Int] = [:]
    private var names = NameLookup()
    /// The counts so far.
    private(set) var report = ImportReport()

    init(_ files: [Import.File]) {
        fileNames = files.map(\.name)
        entries = files.enumerated().flatMap { index, file in file.content.rows.map { Entry(file: index, row: $0) } }
        for index in entries.indices {
            var problems = entries[index].row.problems
            checkIsFirst(index, &problems)
            entries[index].row.patch?.checkIDs(&problems)
            if !problems.isEmpty { found[index] = problems }
        }
    }

    /// All problems, by file and line.
    var problems: [ImportProblem] {
        found.sorted { $0.key < $1.key }.flatMap { index, problems in
            let entry = entries[index]
            return problems.all.map { problem in
                ImportProblem(
                    file: fileNames[entry.file], line: entry.row.line, field: problem.field, message: problem.message)
            }
        }
    }

    /// Applies all records in the order of their references.
    mutating func apply(to transaction: inout WriteTransaction, _ progress: (_ done: Int, _ total: Int) -> Void) {
        let order = order
        for (done, index) in order.enumerated() {
            apply(index, to: &transaction)
            if (done + 1) % 1024 == 0 || done + 1 == order.count { progress(done + 1, order.count) }
        }
    }

    /// By kind; within a kind, records with IDs first, so that new IDs do not take theirs.
    private var order: [Int] {
        var numbered: [RecordKind: [Int]] = [:]
        var others: [RecordKind: [Int]] = [:]
        for (index, entry) in entries.enumerated() {
            guard let patch = entry.row.patch else { continue }
            if patch.id == 0 {
                others[patch.kind, default: []].append(index)
            } else {
                numbered[patch.kind, default: []].append(index)
            }
        }
        return RecordKind.shared.flatMap { (numbered[$0] ?? []) + (others[$0] ?? []) }
    }

    private mutating func apply(_ index: Int, to transaction: inout WriteTransaction) {
        let row = entries[index].row
        guard var patch = row.patch else { return }
        var problems = found[index] ?? FieldProblems()
        if let tableNames = row.names { names.lookUp(tableNames, in: transaction.community, &patch, &problems) }
        do {
            report.count(try patch.upsert(in: &transaction), patch.kind)
        } catch {
            for problem in error.all where !names.isConsequence(problem, of: patch) {
                problems.add(row.fieldName(problem.field), problem.message)
            }
            names.insertMissing(patch)
        }
        if !problems.isEmpty { found[index] = problems }
    }
}

/// Records that occur twice in the files.
extension Importer {
    private mutating func checkIsFirst(_ index: Int, _ problems: inout FieldProblems) {
        guard let key = entries[index].row.patch?.key else { return }
        guard let first = places[key] else {
            places[key] = index
            return
        }
        let (before, here) = (entries[first], entries[index])
        let place =
            before.file == here.file ? "line \(before.row.line)" : "\(fileNames[before.file]):\(before.row.line)"
        let isPerson = key.kind == .person
        let need = "every \(key.kind.label) needs \(isPerson ? "an address" : "a slug") of its own"
        problems.add(isPerson ? "email" : "slug", "\"\(key.text.text.excerpt())\" stands in \(place) too; \(need)")
    }
}

extension ImportRow {
    /// The name of a field in the file.
    fileprivate func fieldName(_ field: String) -> String {
        if let names, field == "owner_id" { names.personColumn } else { field }
    }
}
