import SookeModel

/// An index from key to record. When two records have one key, the last inserted one is found.
struct KeyIndex<Key: Comparable & Sendable, Record: TableRecord>: Index {
    let isForQueries: Bool
    private let key: @Sendable (Record) -> Key?
    private(set) var records = SortedMap<Key, Record>()

    /// - Parameter key: nil for a record that the index does not have.
    init(isForQueries: Bool = false, _ key: @escaping @Sendable (Record) -> Key?) {
        (self.isForQueries, self.key) = (isForQueries, key)
    }

    mutating func rebuild(_ records: [Record]) {
        self.records = SortedMap(records.compactMap { record in key(record).map { ($0, record) } })
    }

    subscript(key: Key) -> Record? { records[key] }

    mutating func insert(_ record: Record) {
        if let key = key(record) { records.updateValue(record, forKey: key) }
    }

    mutating func remove(_ record: Record) {
        if let key = key(record) { remove(key, of: record.id) }
    }

    mutating func replace(_ old: Record, with new: Record) {
        let after = key(new)
        if let before = key(old), before != after { remove(before, of: old.id) }
        if let after { records.updateValue(new, forKey: after) }
    }

    /// Does nothing when another record has the key by now: a commit can swap two.
    private mutating func remove(_ key: Key, of id: Int) {
        if records[key]?.id == id { records.removeValue(forKey: key) }
    }
}

/// The key of a record in its group, such as the businesses of one owner.
struct GroupKey: Comparable, Sendable {
    let group: Int
    let id: Int

    init(group: Int, id: Int) {
        (self.group, self.id) = (group, id)
    }

    init?(group: Int?, id: Int) {
        guard let group else { return nil }
        self.init(group: group, id: id)
    }

    static func range(of group: Int) -> Range<GroupKey> {
        GroupKey(group: group, id: .min)..<GroupKey(group: group, id: .max)
    }

    static func < (left: GroupKey, right: GroupKey) -> Bool {
        (left.group, left.id) < (right.group, right.id)
    }
}

/// Several records may have had one slug.
struct FormerSlugIndex<Record: TableRecord>: Index {
    private let slugs: @Sendable (Record) -> [Slug]
    private var holders = SortedMap<Key, Void>()

    init(_ slugs: @escaping @Sendable (Record) -> [Slug]) { self.slugs = slugs }

    subscript(slug: Slug) -> Int? { holders(of: slug).first }

    /// The newest first.
    func holders(of slug: Slug) -> [Int] {
        let keys = Key(slug: slug, id: .min)..<Key(slug: slug, id: .max)
        return holders.elements(in: keys).reversed().map(\.key.id)
    }

    mutating func insert(_ record: Record) {
        for slug in slugs(record) { holders.updateValue((), forKey: Key(slug: slug, id: record.id)) }
    }

    mutating func remove(_ record: Record) {
        for slug in slugs(record) { holders.removeValue(forKey: Key(slug: slug, id: record.id)) }
    }

    mutating func replace(_ old: Record, with new: Record) {
        guard slugs(old) != slugs(new) else { return }
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

package struct SlugIndexes<Record: TableRecord>: TableIndexes {
    var bySlug = KeyIndex<Slug, Record> { $0.value.ownSlug }

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Record>) {
        visitor.visit(&bySlug)
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
