import BTree
import SookeModel

/// The terms of one vocabulary, with their indexes.
public struct TermTable<Vocabulary: SookeModel.Vocabulary>: Sendable {
    private var byID = BTree<Int, TermRecord<Vocabulary>>()
    private var bySlug = BTree<Slug, TermRecord<Vocabulary>>()
    private var byName = BTree<NameKey, TermRecord<Vocabulary>>()

    /// How many there are.
    public var count: Int { byID.count }

    /// The term of a number.
    public subscript(id: Int) -> TermRecord<Vocabulary>? { byID[id] }

    /// The term of a slug.
    public subscript(slug: Slug) -> TermRecord<Vocabulary>? { bySlug[slug] }

    /// The numbers of the terms that have a name, byte for byte; several only where they had it before names had to
    /// differ.
    func ids(named name: String) -> [Int] {
        let key = Collation.sortKey(name)
        let same = byName.elements(in: NameKey(sortKey: key, id: .min)..<NameKey(sortKey: key, id: .max))
        return same.map(\.key.id)
    }

    /// All terms in the order of their numbers.
    public var inOrderOfID: some Sequence<TermRecord<Vocabulary>> { byID.lazy.map(\.value) }

    /// All terms in the order of their names.
    public var inOrderOfName: some Sequence<TermRecord<Vocabulary>> { byName.lazy.map(\.value) }

    mutating func put(_ term: Term<Vocabulary>) {
        remove(id: term.id)
        let record = TermRecord(term)
        byID.updateValue(record, forKey: term.id)
        bySlug.updateValue(record, forKey: term.slug)
        byName.updateValue(record, forKey: record.nameKey)
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        bySlug.removeValue(forKey: old.value.slug)
        byName.removeValue(forKey: old.nameKey)
    }
}
