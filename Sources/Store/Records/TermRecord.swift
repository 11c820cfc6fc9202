import JSON
import SookeModel

/// A term as a version of the town holds it, with what answers need of it encoded once.
public final class TermRecord<Vocabulary: SookeModel.Vocabulary>: Sendable {
    /// The term itself.
    public let value: Term<Vocabulary>
    /// The term as the API lists it: `{"id":…,"name":…,"slug":…}`.
    public let json: [UInt8]
    /// The term as a part of what refers to it: `"category_name":…,"category_slug":…`, without braces.
    public let reference: [UInt8]
    let nameKey: NameKey

    init(_ value: Term<Vocabulary>) {
        self.value = value
        nameKey = NameKey(name: value.name, id: value.id)
        var writer = JSONWriter()
        value.write(to: &writer)
        json = writer.bytes
        reference = referenceMembers(of: Vocabulary.kind.rawValue, name: value.name, slug: value.slug)
    }

    /// The digest of the term as it is stored; see `StoredRecord.digest`.
    public var digest: UInt64 { value.digest }
}

/// The two members by which a record names another: `"category_name":"…","category_slug":"…"`.
func referenceMembers(of role: String, name: String?, slug: Slug?) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("\(role)_name")
    if let name { writer.string(name) } else { writer.null() }
    writer.key("\(role)_slug")
    if let slug { writer.string(slug.text) } else { writer.null() }
    writer.endObject()
    return Array(writer.bytes.dropFirst().dropLast())
}
