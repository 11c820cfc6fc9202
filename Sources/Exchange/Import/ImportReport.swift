import Bytes
import JSON
import SookeModel
import Store

/// The result of an import: how many records of each kind were created, changed and unchanged.
package struct ImportReport: Sendable, Equatable {
    package struct Counts: Sendable, Equatable {
        package fileprivate(set) var created = 0
        package fileprivate(set) var updated = 0
        package fileprivate(set) var unchanged = 0
        package fileprivate(set) var deleted = 0
    }

    private var counts: [RecordKind: Counts] = [:]
    /// What is probably wrong in the files, and did not prevent the import.
    package internal(set) var warnings = ImportFindings()
    /// The problems of the records that were left out.
    package internal(set) var problems = ImportFindings()
    /// The records that were left out, by file.
    package internal(set) var skipped: [SkippedRecords] = []
    /// The first records that are new or changed, at most `ImportReport.listed` of a kind.
    package private(set) var changes: [ImportChange] = []

    /// The most changes of a kind that are listed.
    private static let listed = 20

    init() {}

    package subscript(kind: RecordKind) -> Counts { counts[kind] ?? Counts() }

    /// The number of records that are new, changed or deleted.
    package var changed: Int { counts.values.reduce(0) { $0 + $1.created + $1.updated + $1.deleted } }

    package var changedNothing: Bool { changed == 0 }

    mutating func count(_ effect: WriteTransaction.Effect, _ kind: RecordKind) {
        switch effect {
        case .created: counts[kind, default: Counts()].created += 1
        case .updated: counts[kind, default: Counts()].updated += 1
        case .unchanged: counts[kind, default: Counts()].unchanged += 1
        }
    }
}

extension ImportReport {
    /// Lists the last change of a transaction, unless enough of its kind are listed.
    mutating func add(_ patch: any AnyPatch, _ effect: WriteTransaction.Effect, in transaction: WriteTransaction) {
        let count = self[patch.kind]
        guard effect != .unchanged, count.created + count.updated <= Self.listed else { return }
        let fields = effect == .updated ? transaction.fieldsOfLastChange : []
        changes.append(
            ImportChange(kind: patch.kind, key: patch.key?.text.text ?? "", name: patch.name, fields: fields))
    }

    mutating func countDeletion(_ kind: RecordKind, key: String, name: String) {
        counts[kind, default: Counts()].deleted += 1
        guard self[kind].deleted <= Self.listed else { return }
        changes.append(ImportChange(kind: kind, key: key, name: name, fields: [], isDeletion: true))
    }

    /// The listed changes for a person, a line for each, and how many there are besides.
    package var changeLines: [String] {
        Town.sharedKinds.flatMap { kind in
            let listed = changes.filter { $0.kind == kind }
            let rest = self[kind].created + self[kind].updated + self[kind].deleted - listed.count
            return listed.map(\.description) + (rest > 0 && !listed.isEmpty ? ["… and \(rest) more"] : [])
        }
    }
}

extension ImportReport: CustomStringConvertible {
    /// A sentence, such as `categories: 8 new; businesses: 30 new, 1 changed, 2 as before`.
    package var description: String {
        let unchanged = counts.values.reduce(0) { $0 + $1.unchanged }
        if changedNothing {
            return switch unchanged {
            case 0: "nothing changed: there are no records to import"
            case 1: "nothing changed: the record is there already"
            default: "nothing changed: all \(Count(unchanged, "record")) are there already"
            }
        }
        return Town.sharedKinds.compactMap(phrase).joined(separator: "; ")
    }

    private func phrase(_ kind: RecordKind) -> String? {
        let phrases = [
            (self[kind].created, "new"), (self[kind].updated, "changed"), (self[kind].deleted, "deleted"),
            (self[kind].unchanged, "as before"),
        ]
        let parts = phrases.filter { $0.0 > 0 }.map { "\(Count.grouped($0.0)) \($0.1)" }
        let name = kind.collection.split(separator: "_").joined(separator: " ")
        return parts.isEmpty ? nil : "\(name): \(parts.joined(separator: ", "))"
    }
}

/// The form between a running server and the command line: `{"business":{"created":30,"updated":1,"unchanged":2},…}`,
/// with `changes` and `warnings` as arrays.
extension ImportReport {
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for kind in Town.sharedKinds {
            writer.key(kind.name)
            writer.beginObject()
            writer.member("created", self[kind].created)
            writer.member("updated", self[kind].updated)
            writer.member("unchanged", self[kind].unchanged)
            if self[kind].deleted > 0 { writer.member("deleted", self[kind].deleted) }
            writer.endObject()
        }
        writer.key("changes")
        writer.beginArray()
        for change in changes { change.write(to: &writer) }
        writer.endArray()
        writer.key("warnings")
        warnings.write(to: &writer)
        if !problems.isEmpty {
            writer.key("problems")
            problems.write(to: &writer)
            writer.key("skipped")
            writer.beginArray()
            for records in skipped {
                writer.beginObject()
                writer.member("file", records.file)
                writer.member("extension", records.fileExtension)
                writer.member("text", String(decoding: records.text, as: UTF8.self))
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
    }

    /// Reads what `write(to:)` wrote.
    ///
    /// - Throws: when the next value is something else.
    package init(from reader: inout JSONReader) throws(JSONError) {
        try reader.beginObject()
        while let key = try reader.nextKey() {
            if key == "warnings" {
                warnings = try ImportFindings(from: &reader)
                continue
            }
            if key == "problems" {
                problems = try ImportFindings(from: &reader)
                continue
            }
            if key == "skipped" {
                try reader.beginArray()
                while try reader.nextElement() { skipped.append(try SkippedRecords(from: &reader)) }
                continue
            }
            if key == "changes" {
                try reader.beginArray()
                while try reader.nextElement() { changes.append(try ImportChange(from: &reader)) }
                continue
            }
            guard let kind = Town.kind(named: key) else { throw reader.error("\"\(key)\" is no kind of record") }
            let counts = try Counts(from: &reader)
            if counts != Counts() { self.counts[kind] = counts }
        }
    }
}

extension SkippedRecords {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        var (file, fileExtension, text) = ("", "", "")
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "file": file = try reader.readString()
            case "extension": fileExtension = try reader.readString()
            case "text": text = try reader.readString()
            default: throw reader.error("what an import left out has no \"\(key)\"")
            }
        }
        self.init(file: file, fileExtension: fileExtension, text: Array(text.utf8))
    }
}

extension ImportReport.Counts {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "created": created = try reader.readInt()
            case "updated": updated = try reader.readInt()
            case "unchanged": unchanged = try reader.readInt()
            case "deleted": deleted = try reader.readInt()
            default: throw reader.error("the counts of an import have no \"\(key)\"")
            }
        }
    }
}
