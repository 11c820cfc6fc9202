import SookeModel

/// The index of a table that stores its records as they are, and finds them by ID and by slug.
package struct SlugIndexes<Record: TableRecord & SluggedRecord>: TableIndexes {
    var bySlug = RecordIndex<BySlug>()

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Record>) {
        visitor.visit(&bySlug)
    }

    enum BySlug: IndexKey {
        static func key(of record: Record) -> Slug? { record.slug }
    }
}

extension Table {
    package subscript(slug: Slug) -> Record? where Record.Indexes == SlugIndexes<Record> { indexes.bySlug[slug] }
}

extension SluggedRecord where Self: TableRecord, Indexes == SlugIndexes<Self> {
    package static func find(_ slug: Slug, in town: Town) -> Self? {
        town.storage[0][keyPath: table][slug]
    }
}

extension TableRecord where Self: SluggedRecord {
    package var address: String { slug.text }
}
