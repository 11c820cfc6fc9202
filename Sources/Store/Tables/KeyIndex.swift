import SookeModel

/// The definition of an index: which records it has, and by which key.
protocol IndexKey<Record>: Sendable {
    associatedtype Record: TableRecord
    associatedtype Key: Comparable & Sendable

    static var isForQueries: Bool { get }

    /// Nil when the index does not have the record.
    static func key(of record: Record) -> Key?
}

extension IndexKey {
    static var isForQueries: Bool { false }
}

/// An index from key to record. When two records have one key, the last inserted one is found.
struct KeyIndex<Definition: IndexKey>: Index {
    typealias Record = Definition.Record

    static var isForQueries: Bool { Definition.isForQueries }

    private(set) var records = SortedMap<Definition.Key, Record>()

    init() {}

    mutating func rebuild(_ records: [Record]) {
        self.records = SortedMap(records.compactMap { record in Definition.key(of: record).map { ($0, record) } })
    }

    subscript(key: Definition.Key) -> Record? { records[key] }

    mutating func insert(_ record: Record) {
        if let key = Definition.key(of: record) { records.updateValue(record, forKey: key) }
    }

    mutating func remove(_ record: Record) {
        if let key = Definition.key(of: record) { remove(key, of: record.id) }
    }

    mutating func replace(_ old: Record, with new: Record) {
        let after = Definition.key(of: new)
        if let before = Definition.key(of: old), before != after { remove(before, of: old.id) }
        if let after { records.updateValue(new, forKey: after) }
    }

    /// Does nothing when another record has the key by now: a commit can swap two.
    private mutating func remove(_ key: Definition.Key, of id: Int) {
        if records[key]?.id == id { records.removeValue(forKey: key) }
    }
}

/// The key of a record in its group, such as the businesses of one owner.
struct GroupKey: Comparable, Sendable {
    let group: Int
    let id: Int

    static func range(of group: Int) -> Range<GroupKey> {
        GroupKey(group: group, id: .min)..<GroupKey(group: group, id: .max)
    }

    static func < (left: GroupKey, right: GroupKey) -> Bool {
        (left.group, left.id) < (right.group, right.id)
    }
}

protocol FormerSlugs<Record>: Sendable {
    associatedtype Record: TableRecord

    static func slugs(of record: Record) -> [Slug]
}

/// Several records may have had one slug.
struct FormerSlugIndex<Definition: FormerSlugs>: Index {
    typealias Record = Definition.Record

    private var holders = SortedMap<Key, Void>()

    init() {}

    /// The newest record, if several had the slug.
    subscript(slug: Slug) -> Int? { holders(of: slug).first }

    /// The newest first.
    func holders(of slug: Slug) -> [Int] {
        let keys = Key(slug: slug, id: .min)..<Key(slug: slug, id: .max)
        return holders.elements(in: keys).reversed().map(\.key.id)
    }

    mutating func insert(_ record: Record) {
        for slug in Definition.slugs(of: record) { holders.updateValue((), forKey: Key(slug: slug, id: record.id)) }
    }

    mutating func remove(_ record: Record) {
        for slug in Definition.slugs(of: record) { holders.removeValue(forKey: Key(slug: slug, id: record.id)) }
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

/// The index of a table that stores its records as they are, and finds them by ID and by slug.
package struct SlugIndexes<Record: TableRecord & SluggedRecord>: TableIndexes {
    var bySlug = KeyIndex<BySlug>()

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
