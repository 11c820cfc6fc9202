import JSON
import SookeModel

package typealias TermTable<Vocabulary: WritableVocabulary> = Table<TermRecord<Vocabulary>>

extension Table {
    /// The IDs of the terms with a name, byte for byte; several only if they are older than the rule that names are
    /// unique.
    func ids<Vocabulary>(named name: String) -> [Int] where Record == TermRecord<Vocabulary> {
        let key = Collation.sortKey(name)
        return inOrderOfID.filter { $0.nameKey.sortKey == key }.map(\.id)
    }

    package func inOrderOfName<Vocabulary>() -> [Record] where Record == TermRecord<Vocabulary> {
        inOrderOfID.sorted { $0.nameKey < $1.nameKey }
    }
}

extension TermRecord: TableRecord {
    package static var table: TablePath<TermRecord> { Vocabulary.table }

    package typealias Indexes = SlugIndexes<TermRecord>

    package var id: Int { value.id }
    package var isPublic: Bool { true }
    package var memory: Int { 512 + 2 * reference.count }

    package static func make(_ value: Term<Vocabulary>, in town: Town, after existing: TermRecord?) -> TermRecord {
        TermRecord(value)
    }
}

/// A term in a version of the town, with the parts of responses encoded once.
package final class TermRecord<Vocabulary: WritableVocabulary>: Sendable {
    package let value: Term<Vocabulary>
    /// `"category_name":…,"category_slug":…`, without braces.
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
