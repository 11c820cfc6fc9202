import JSON
import SookeModel

/// A term in a version of the town, with the parts of responses encoded once.
package final class TermRecord<Vocabulary: WritableVocabulary>: Sendable {
    package let value: Term<Vocabulary>
    /// The members of a record that refer to the term: `"category_name":…,"category_slug":…`, without braces.
    package let reference: [UInt8]
    let nameKey: NameKey

    init(_ value: Term<Vocabulary>) {
        self.value = value
        nameKey = NameKey(name: value.name, id: value.id)
        reference = referenceMembers(of: Vocabulary.kind.name, name: value.name, slug: value.slug)
    }

    package var digest: UInt64 { value.digest }
}

/// The two members that refer to another record: `"category_name":"…","category_slug":"…"`.
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
