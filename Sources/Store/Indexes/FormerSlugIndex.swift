import BTree
import SookeModel

/// The definition of an index of former slugs.
protocol FormerSlugs<Record>: Sendable {
    associatedtype Record: TableRecord

    static func slugs(of record: Record) -> [Slug]
}

/// An index of former slugs; several records may have had one slug.
struct FormerSlugIndex<Definition: FormerSlugs>: Index {
    typealias Record = Definition.Record

    private var tree = BTree<Key, Void>()

    init() {}

    /// The ID of the record that had a slug; the newest, if there are several.
    subscript(slug: Slug) -> Int? { holders(of: slug).first { _ in true } }

    /// The IDs of the records that had a slug, the newest first.
    func holders(of slug: Slug) -> some Sequence<Int> {
        let keys = Key(slug: slug, id: .min)..<Key(slug: slug, id: .max)
        return tree.elements(in: keys).reversed().lazy.map(\.key.id)
    }

    mutating func insert(_ record: Record) {
        for slug in Definition.slugs(of: record) { tree.updateValue((), forKey: Key(slug: slug, id: record.id)) }
    }

    mutating func remove(_ record: Record) {
        for slug in Definition.slugs(of: record) { tree.removeValue(forKey: Key(slug: slug, id: record.id)) }
    }

    mutating func replace(_ old: Record, with new: Record) {
        guard Definition.slugs(of: old) != Definition.slugs(of: new) else { return }
        remove(old)
        insert(new)
    }

    private struct Key: Comparable, Sendable {
        let slug: Slug
        let id: Int

        static func < (left: Key, right: Key) -> Bool {
            (left.slug, left.id) < (right.slug, right.id)
        }
    }
}
