import Bytes
import JSON
import SookeModel
import Store

package struct ImportReport: Sendable {
    package struct Counts: Sendable, Equatable {
        package fileprivate(set) var created = 0
        package fileprivate(set) var updated = 0
        package fileprivate(set) var unchanged = 0
        package fileprivate(set) var deleted = 0

        fileprivate var changed: Int { created + updated + deleted }
    }

    private var counts: [RecordKind: Counts] = [:]
    package internal(set) var warnings = Findings()
    package internal(set) var problems = Findings()
    package internal(set) var skipped: [ImportFile] = []
    /// Of so many, where some may be left out.
    package internal(set) var leftOut = 0
    package internal(set) var records = 0
    /// `new: North Pole Books (north-pole-books)`, `changed: the-slack-tide-pub: phone, hours`.
    private var changes: [RecordKind: [String]] = [:]

    /// The first of each kind that are new, and that are changed.
    package private(set) var shown: [Shown] = []

    package struct Shown: Sendable {
        package let kind: RecordKind
        package let id: Int
        package let isNew: Bool
    }

    private static let listed = 20
    private static let mostShown = 10

    init() {}

    package subscript(kind: RecordKind) -> Counts { counts[kind] ?? Counts() }

    package var changed: Int { counts.values.reduce(0) { $0 + $1.changed } }

    package var changedNothing: Bool { changed == 0 }
}

extension ImportReport {
    mutating func count(_ effect: WriteTransaction.Effect, _ kind: RecordKind) {
        switch effect {
        case .created: counts[kind, default: Counts()].created += 1
        case .updated: counts[kind, default: Counts()].updated += 1
        case .unchanged: counts[kind, default: Counts()].unchanged += 1
        }
    }

    mutating func count(_ patch: any AnyPatch, _ effect: WriteTransaction.Effect, in transaction: WriteTransaction) {
        count(effect, patch.kind)
        let (kind, isNew) = (patch.kind, effect == .created)
        if effect != .unchanged, let id = transaction.lastChangedID,
            shown.count(where: { $0.kind == kind && $0.isNew == isNew }) < Self.mostShown
        {
            shown.append(Shown(kind: kind, id: id, isNew: isNew))
        }
        guard effect != .unchanged, changes[patch.kind]?.count ?? 0 < Self.listed else { return }
        let key = (patch.key?.text.text ?? "").excerpt()
        let fields = effect == .updated ? transaction.fieldsOfLastChange : []
        let new = "new: \(patch.name.excerpt()) (\(key))"
        list(fields.isEmpty ? new : "changed: \(key): \(fields.joined(separator: ", "))", patch.kind)
    }

    mutating func countDeletion(_ kind: RecordKind, key: String, name: String) {
        counts[kind, default: Counts()].deleted += 1
        list("deleted: \(name.excerpt()) (\(key.excerpt()))", kind)
    }

    private mutating func list(_ line: String, _ kind: RecordKind) {
        if changes[kind]?.count ?? 0 < Self.listed { changes[kind, default: []].append(line) }
    }

    package var changeLines: [String] {
        Town.sharedKinds.flatMap { kind in
            let listed = changes[kind] ?? []
            let rest = self[kind].changed - listed.count
            return listed + (rest > 0 && !listed.isEmpty ? ["… and \(rest) more"] : [])
        }
    }
}

extension ImportReport: CustomStringConvertible {
    /// Such as `categories: 8 new; businesses: 30 new, 1 changed, 2 as before`.
    package var description: String {
        leftOut == 0 ? effects : "\(effects); left out: \(Count.grouped(leftOut)) of \(Count(records, "record"))"
    }

    package var lines: [String] { warnings.lines + problems.lines }

    private var effects: String {
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

extension ImportReport {
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("summary", description)
        writer.member("lines", lines)
        writer.member("problems", problems.problemCount)
        writer.member("left_out", leftOut)
        writer.member("records", records)
        writer.member("changes", changeLines)
        writer.key("skipped")
        writer.beginArray()
        for file in skipped {
            writer.beginObject()
            writer.member("name", file.name)
            writer.member("format", file.format?.rawValue)
            writer.member("text", String(decoding: file.bytes, as: UTF8.self))
            writer.endObject()
        }
        writer.endArray()
        writer.key("counts")
        writer.beginObject()
        for kind in Town.sharedKinds {
            writer.key(kind.name)
            writer.beginObject()
            writer.member("created", self[kind].created)
            writer.member("updated", self[kind].updated)
            writer.member("unchanged", self[kind].unchanged)
            writer.member("deleted", self[kind].deleted)
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
    }
}

/// What a command reads of a report, and prints.
package struct ImportAnswer: Sendable {
    package private(set) var summary = ""
    package private(set) var lines: [String] = []
    package private(set) var problemCount = 0
    package private(set) var leftOut = 0
    package private(set) var records = 0
    package private(set) var changes: [String] = []
    package private(set) var skipped: [ImportFile] = []

    package init(from reader: inout JSONReader) throws(JSONError) {
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "summary": summary = try reader.readString()
            case "lines": lines = try reader.readTexts()
            case "problems": problemCount = try reader.readInt()
            case "left_out": leftOut = try reader.readInt()
            case "records": records = try reader.readInt()
            case "changes": changes = try reader.readTexts()
            case "skipped":
                try reader.beginArray()
                while try reader.nextElement() { skipped.append(try ImportFile(from: &reader)) }
            default: try reader.skipValue()
            }
        }
    }
}

extension ImportProblems {
    package func write(to writer: inout JSONWriter) { writer.texts(findings.lines) }
}

extension JSONWriter {
    fileprivate mutating func texts(_ texts: [String]) {
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    fileprivate mutating func member(_ name: StaticString, _ texts: [String]) {
        key(name)
        self.texts(texts)
    }
}

extension JSONReader {
    package mutating func readTexts() throws(JSONError) -> [String] {
        var texts: [String] = []
        try beginArray()
        while try nextElement() { texts.append(try readString()) }
        return texts
    }
}

extension ImportFile {
    fileprivate init(from reader: inout JSONReader) throws(JSONError) {
        self.init(name: "", bytes: [])
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "name": name = try reader.readString()
            case "format": format = ImportFormat(named: try reader.readString())
            case "text": bytes = Array(try reader.readString().utf8)
            default: try reader.skipValue()
            }
        }
    }
}
