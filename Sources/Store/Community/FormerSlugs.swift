import BTree
import SookeModel

/// Which records had which slugs before.
struct FormerSlugs: Sendable {
    private var index = BTree<Key, Void>()

    /// The number of the record that had a slug; of several, the one that was made last.
    subscript(slug: Slug) -> Int? {
        let keys = Key(slug: slug, id: .min)..<Key(slug: slug, id: .max)
        return index.elements(in: keys).reversed().first { _ in true }?.key.id
    }

    mutating func note(_ slugs: [Slug], of id: Int) {
        for slug in slugs { index.updateValue((), forKey: Key(slug: slug, id: id)) }
    }

    mutating func forget(_ slugs: [Slug], of id: Int) {
        for slug in slugs { index.removeValue(forKey: Key(slug: slug, id: id)) }
    }

    private struct Key: Comparable, Sendable {
        let slug: Slug
        let id: Int

        static func < (left: Key, right: Key) -> Bool {
            (left.slug, left.id) < (right.slug, right.id)
        }
    }
}
