import API
import Bytes
import JSON
import SookeModel
import Store

/// A change of a record, as `/api/v1/changes` gives it.
struct FeedChange {
    private(set) var kind = ""
    private(set) var action = ""
    private(set) var id = 0
    /// Nil for a kind without slugs.
    private(set) var slug: String?
    private var formerSlug: String?

    init(_ data: [UInt8]) throws(JSONError) {
        var reader = JSONReader(data, limits: .trusted)
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "kind": kind = try reader.readString()
            case "action": action = try reader.readString()
            case "id": id = try reader.readInt()
            case "slug" where try reader.peek() != .null: slug = try reader.readString()
            case "former_slug": formerSlug = try reader.readString()
            default: try reader.skipValue()
            }
        }
        try reader.finish()
    }

    /// The record in the parameter `of` of `/api/v1/history`, by its ID: it may have another slug by now.
    var subject: String { "\(Town.kind(named: kind)?.segment ?? kind)/\(id)" }

    /// What the history of the record has about a commit, from the log of a folder without a server.
    func history(at sequence: Int, in folder: String, _ version: Version) -> HistoryEntry? {
        guard let kind = Town.kind(named: kind) else { return nil }
        let history = try? History(
            of: kind, id: id, in: folder, through: version.sequence, limit: 1, before: sequence + 1)
        guard let entry = history?.entries.first, entry.sequence == sequence else { return nil }
        return HistoryEntry(entry, in: version.town)
    }

    /// The change in words, with its time, author and fields as far as they are known.
    func line(_ entry: HistoryEntry?) -> String {
        let label = Town.kind(named: kind)?.label ?? kind
        var text = ([action, label] + [slug].compactMap(\.self)).joined(separator: " ")
        if let formerSlug { text += " (was \(formerSlug))" }
        if let entry {
            text = "\(entry.at)  \(text)"
            // All fields of a new record, or of one that is gone, say little on a line.
            if action == "updated", !entry.fields.isEmpty {
                text += "  " + entry.fields.map(\.text).joined(separator: ", ")
            }
            text += "  (by \(entry.by))"
        }
        return text.withoutControls
    }
}

/// What `/api/v1/history` has about a record and a commit.
struct HistoryEntry {
    /// A field that changed.
    struct Field {
        fileprivate(set) var name = ""
        fileprivate var before: [UInt8] = []
        fileprivate var after: [UInt8] = []

        /// The name with the values, or alone if those are lists.
        fileprivate var text: String {
            if [before, after].contains(where: { $0.first == UInt8(ascii: "[") }) { return name }
            let values = [before, after].map { String(decoding: $0, as: UTF8.self).excerpt() }
            return "\(name) \(values[0]) → \(values[1])"
        }
    }

    private(set) var sequence = 0
    /// The time of the commit, in seconds.
    private(set) var at = ""
    /// The address of the author, or else a name.
    private(set) var by = ""
    private(set) var fields: [Field] = []

    /// An entry of the history, with the author as the town knows them.
    init(_ entry: History.Entry, in town: Town) {
        (sequence, at) = (entry.sequence, Self.seconds("\(entry.at.rfc3339)"))
        by =
            switch entry.by {
            case .local: "local"
            case .person(let id): town.people[id]?.email ?? "account \(id)"
            case .other(let text): text
            }
        let null = Array("null".utf8)
        fields = entry.fields.map { Field(name: $0.name, before: $0.before ?? null, after: $0.after ?? null) }
    }

    private static func seconds(_ time: String) -> String { "\(time.prefix(while: { $0 != "." && $0 != "Z" }))Z" }

    init(from reader: inout JSONReader) throws(JSONError) {
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "sequence": sequence = try reader.readInt()
            case "at": at = Self.seconds(try reader.readString())
            case "by": by = try Self.author(from: &reader)
            case "changes":
                try reader.beginArray()
                while try reader.nextElement() { fields.append(try Self.field(from: &reader)) }
            default: try reader.skipValue()
            }
        }
    }

    private static func author(from reader: inout JSONReader) throws(JSONError) -> String {
        if try reader.peek() == .string { return try reader.readString() }
        var (id, email): (Int, String?) = (0, nil)
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "id": id = try reader.readInt()
            case "email" where try reader.peek() == .string: email = try reader.readString()
            default: try reader.skipValue()
            }
        }
        return email ?? "account \(id)"
    }

    private static func field(from reader: inout JSONReader) throws(JSONError) -> Field {
        var field = Field()
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "field": field.name = try reader.readString()
            case "before": field.before = try reader.readRaw()
            case "after": field.after = try reader.readRaw()
            default: try reader.skipValue()
            }
        }
        return field
    }
}
