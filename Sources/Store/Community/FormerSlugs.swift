import BTree
import SookeModel

/// Which records had which slugs before.
struct FormerSlugs: Sendable {
    private var index = BTree<Key, Void>()

    /// The number of the record that had a slug; of several, the one that was made last.
    subscript(slug: Slug) -> Int? { holders(of: slug).first { _ in true } }

    /// The numbers of the records that had a slug, the one that was made last first.
    func holders(of slug: Slug) -> some Sequence<Int> {
        let keys = Key(slug: slug, id: .min)..<Key(slug: slug, id: .max)
        return index.elements(in: keys).reversed().lazy.map(\.key.id)
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
