import JSON
import SookeModel
import Store

/// A record that an import creates or changes.
package struct ImportChange: Sendable, Equatable, CustomStringConvertible {
    package let kind: RecordKind
    /// Its slug, or the address of a person.
    package let key: String
    package let name: String
    /// The fields that change; empty for a new record.
    package let fields: [String]
    package let isDeletion: Bool

    init(kind: RecordKind, key: String, name: String, fields: [String], isDeletion: Bool = false) {
        (self.kind, self.key, self.name, self.fields) = (kind, key, name, fields)
        self.isDeletion = isDeletion
    }

    /// `new: North Pole Books (north-pole-books)`, `changed: the-slack-tide-pub: phone, hours`.
    package var description: String {
        if isDeletion { return "deleted: \(name.excerpt()) (\(key.excerpt()))" }
        return fields.isEmpty
            ? "new: \(name.excerpt()) (\(key.excerpt()))"
            : "changed: \(key.excerpt()): \(fields.joined(separator: ", "))"
    }
}

/// `{"kind":"business","key":"pub","name":"Pub","fields":["phone"]}`
extension ImportChange {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", kind.name)
        writer.member("key", key)
        writer.member("name", name)
        writer.key("fields")
        writer.beginArray()
        for field in fields { writer.string(field) }
        writer.endArray()
        if isDeletion { writer.member("deleted", true) }
        writer.endObject()
    }

    init(from reader: inout JSONReader) throws(JSONError) {
        var (kind, key, name, fields): (RecordKind?, String, String, [String]) = (nil, "", "", [])
        var isDeletion = false
        try reader.beginObject()
        while let member = try reader.nextKey() {
            switch member {
            case "kind": kind = Town.kind(named: try reader.readString())
            case "key": key = try reader.readString()
            case "name": name = try reader.readString()
            case "fields":
                try reader.beginArray()
                while try reader.nextElement() { fields.append(try reader.readString()) }
            case "deleted": isDeletion = try reader.readBool()
            default: throw reader.error("a change of an import has no \"\(member)\"")
            }
        }
        guard let kind else { throw reader.error("a change of an import needs the kind of its record") }
        self.init(kind: kind, key: key, name: name, fields: fields, isDeletion: isDeletion)
    }
}
