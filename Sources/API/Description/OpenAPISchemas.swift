import JSON
import Service
import SookeModel

/// The schemas of bodies (JSON Schema 2020-12): for each kind of object the form in responses, the form in requests
/// that create it, and the form of a patch.
enum OpenAPISchemas {
    /// - Parameter lists: the bodies of responses; those that are lists have a schema each.
    static func write(to writer: inout JSONWriter, lists: [Shape]) {
        writer.beginObject()
        for schema in Schema.all {
            if schema.fields.contains(where: \.isShown) || schema.fields.isEmpty {
                write(schema, as: .shown, to: &writer)
            }
            guard schema.fields.contains(where: \.isGiven) else { continue }
            write(schema, as: .given, to: &writer)
            write(schema, as: .patch, to: &writer)
        }
        writer.raw("failure", error)
        writer.raw("pagination", pagination)
        var written: Set<String> = []
        for shape in lists {
            guard let name = listName(shape), written.insert(name).inserted else { continue }
            writer.key(name)
            writeList(shape, to: &writer)
        }
        writer.endObject()
    }

    /// `business_page`, `category_list`.
    private static func listName(_ shape: Shape) -> String? {
        switch shape {
        case .items(let schema): "\(schema.name)_list"
        case .page(let schema): "\(schema.name)_page"
        case .changes: "changes"
        case .nothing, .file, .one, .patch: nil
        }
    }

    static func writeShown(_ shape: Shape, to writer: inout JSONWriter) {
        switch shape {
        case .nothing, .file: writer.raw("{}".utf8)
        case .one(let schema), .patch(let schema): writer.raw(reference(schema, .shown).utf8)
        case .items, .page, .changes: writer.raw(reference(listName(shape) ?? "", .shown).utf8)
        }
    }

    private static func writeList(_ shape: Shape, to writer: inout JSONWriter) {
        switch shape {
        case .nothing, .file, .one, .patch: break
        case .items(let schema):
            let text =
                #"{"type":"object","required":["items"],"properties":{"items":\#(list(schema, .shown)),"#
                + #""next":{"type":["integer","null"]}}}"#
            writer.raw(text.utf8)
        case .page(let schema):
            let text =
                #"{"type":"object","required":["items","pagination"],"properties":{"items":\#(list(schema, .shown)),"#
                + ##""pagination":{"$ref":"#/components/schemas/pagination"},"is_bounded":{"type":"boolean","##
                + #""description":"Whether finding all took too long, so that there may be more; always there with "#
                + #"q."}}}"#
            writer.raw(text.utf8)
        case .changes:
            let text =
                #"{"type":"object","required":["reset","changes","position","more"],"properties":{"#
                + #""reset":{"type":"boolean","description":"Whether the client must forget all it has: the changes "#
                + #"create a snapshot."},"changes":\#(list(.feedChange, .shown)),"#
                + #""position":{"type":"string","description":"For since of the next request."},"#
                + #""more":{"type":"boolean","description":"Whether there are later changes already."}},"#
                + #""additionalProperties":false}"#
            writer.raw(text.utf8)
        }
    }

    static func writeGiven(_ shape: Shape, to writer: inout JSONWriter) {
        switch shape {
        case .nothing, .file, .changes: writer.raw("{}".utf8)
        case .patch(let schema): writer.raw(reference(schema, .patch).utf8)
        case .one(let schema), .items(let schema), .page(let schema): writer.raw(reference(schema, .given).utf8)
        }
    }

    private enum Form: String {
        case shown = ""
        case given = "_input"
        case patch = "_patch"
    }

    private static func write(_ schema: Schema, as form: Form, to writer: inout JSONWriter) {
        writer.key(schema.name + form.rawValue)
        writer.beginObject()
        writer.member("type", "object")
        defer { writer.endObject() }
        let fields = schema.fields.filter { form == .shown ? $0.isShown : $0.isGiven }
        // It may have any members.
        guard !fields.isEmpty else { return }
        if form == .given, fields.contains(where: \.isRequired) {
            writer.array("required", fields.filter(\.isRequired)) { $1.string($0.name) }
        }
        writer.object("properties") { writer in
            for field in fields {
                writer.object(field.name) { writer in write(field, as: form, to: &writer) }
            }
        }
        writer.member("additionalProperties", false)
        if form == .given {
            writer.object("example") { writer in
                for field in fields where field.isRequired { writer.raw(field.name, field.example) }
            }
        }
    }

    private static func write(_ field: FieldDescription, as form: Form, to writer: inout JSONWriter) {
        let isNullable = form != .given || !field.isRequired
        switch field.kind {
        case .text: writer.type("string", isNullable)
        case .number: writer.type("number", isNullable)
        case .integer: writer.type("integer", isNullable)
        case .flag: writer.type("boolean", isNullable)
        case .moment:
            writer.type("string", isNullable)
            writer.member("format", "date-time")
        case .date:
            writer.type("string", isNullable)
            writer.member("format", "date")
        case .time:
            writer.type("string", isNullable)
            writer.member("pattern", #"^\d\d:\d\d(:\d\d)?$"#)
        case .price:
            writer.type("string", isNullable)
            writer.member("pattern", #"^(\d{1,8}(\.\d{1,2})?)?$"#)
        case .choice(let texts):
            writer.key("enum")
            writer.beginArray()
            for text in texts { writer.string(text) }
            if isNullable { writer.null() }
            writer.endArray()
        case .object(let schema): writer.anyOf([reference(schema, form), #"{"type":"null"}"#])
        case .objectOrText(let schema): writer.anyOf([reference(schema, form), #"{"type":["string","null"]}"#])
        case .localTime:
            writer.type("string", isNullable)
            writer.member("pattern", Self.localTime)
        case .texts:
            writer.type("array", isNullable)
            writer.raw("items", #"{"type":"string"}"#)
        case .list(let schema):
            writer.member("type", "array")
            writer.raw("items", reference(schema, form == .patch ? .given : form))
        case .any: break
        }
        writer.member("description", "\(field.explanation).")
    }

    private static let localTime = #"^\d{4}-\d\d-\d\d(T\d\d:\d\d.*)?$"#

    private static func reference(_ schema: Schema, _ form: Form) -> String { reference(schema.name, form) }

    private static func reference(_ schema: String, _ form: Form) -> String {
        ##"{"$ref":"#/components/schemas/\##(schema)\##(form.rawValue)"}"##
    }

    private static func list(_ schema: Schema, _ form: Form) -> String {
        #"{"type":"array","items":\#(reference(schema, form))}"#
    }

    private static let error =
        #"{"type":"object","required":["error"],"properties":{"error":{"type":"object","#
        + #""required":["code","message"],"properties":{"code":{"type":"string"},"message":{"type":"string"},"#
        + #""fields":{"type":"object","description":"What is wrong, by field.","#
        + #""additionalProperties":{"type":"string"}},"#
        + #""problems":{"type":"array","description":"What is wrong in an import.","items":{"type":"string"}},"#
        + #""current":{"type":"object","description":"The record as it is, with 412."},"#
        + #""request_id":{"type":"string"}},"#
        + #""additionalProperties":false}},"additionalProperties":false}"#

    private static let pagination =
        #"{"type":"object","required":["page","per_page","total_items","total_pages"],"properties":{"#
        + #""page":{"type":["integer","null"],"description":"The number of the page; null if it was requested by a "#
        + #"cursor."},"per_page":{"type":"integer"},"total_items":{"type":"integer"},"total_pages":{"type":"integer"},"#
        + #""next_cursor":{"type":["string","null"],"description":"The cursor of the next page; null on the last "#
        + #"one. Only a page that was requested by a cursor has it."}}}"#
}

extension JSONWriter {
    fileprivate mutating func type(_ name: String, _ isNullable: Bool) {
        raw("type", isNullable ? #"["\#(name)","null"]"# : #""\#(name)""#)
    }

    fileprivate mutating func anyOf(_ schemas: [String]) {
        raw("anyOf", "[\(schemas.joined(separator: ","))]")
    }
}

extension FieldDescription {
    /// In a request, as JSON.
    var example: String {
        if let known = Self.examples[name] { return known }
        return switch kind {
        case .text: "\"…\""
        case .number: "48.37"
        case .integer: "1"
        case .flag: "true"
        case .moment: "\"2027-06-01T19:00:00-07:00\""
        case .date: "\"2026-12-24\""
        case .localTime: "\"2027-06-01T19:00\""
        case .time: "\"09:30\""
        case .price: "\"4.50\""
        case .choice(let texts): "\"\(texts.first ?? "")\""
        case .object, .objectOrText, .any: "{}"
        case .list, .texts: "[]"
        }
    }

    private static let examples = [
        "name": "\"Harbour Books\"", "address": "\"6701 West Coast Rd\"", "latitude": "48.37", "longitude": "-123.72",
        "email": "\"ada@town.example\"", "password": "\"a long walk to Whiffin Spit\"",
        "new_password": "\"a longer walk to Whiffin Spit\"", "event_type": "\"farmers-market\"",
        "reason": "\"It is in the calendar already\"", "slug": "\"harbour-books\"", "phone": "\"250-555-0101\"",
        "website": "\"https://books.example\"", "display_name": "\"Ada\"", "time_zone": "\"America/Vancouver\"",
        "description": "\"New and used books\"",
    ]
}
