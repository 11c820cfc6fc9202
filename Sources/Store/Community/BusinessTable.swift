import BTree
import RadixTree
import SookeModel

/// The businesses, with the indexes that answer questions about them.
public struct BusinessTable: Sendable {
    private var byID = RadixTree<BusinessRecord>()
    // The other indexes hold numbers: a change that leaves the keys as they are changes none of them, and their nodes
    // are copied without a count of references for each record.
    private var bySlug = HashIndex()
    private var formerSlugs = FormerSlugs()
    /// Only businesses with a category: the others are not shown.
    private(set) var listed = BTree<NameKey, Void>()
    private(set) var listedByCategory = BTree<CategoryKey, Void>()
    private(set) var listedNames = NameText()

    /// A table with nothing in it.
    init() {}

    /// How many there are, those without a category included.
    public var count: Int { byID.count }

    /// The business of a number.
    public subscript(id: Int) -> BusinessRecord? { byID[id] }

    /// The business of a slug, one without a category included.
    public subscript(slug: Slug) -> BusinessRecord? {
        bySlug.find(hash: slug.hashValue) { byID[$0].flatMap { $0.slug == slug ? $0 : nil } }
    }

    /// The business that had a slug before; nil when one has it now.
    public subscript(formerly slug: Slug) -> BusinessRecord? {
        self[slug] == nil ? formerSlugs[slug].flatMap { byID[$0] } : nil
    }

    /// The businesses of some numbers, in their order.
    func records(_ ids: [Int]) -> [BusinessRecord] {
        var records: [BusinessRecord] = []
        records.reserveCapacity(ids.count)
        byID.forEachValue(at: ids) { record in
            record.prefetch()
            records.append(record)
        }
        return records
    }

    /// All businesses in the order of their numbers.
    public var inOrderOfID: some Sequence<BusinessRecord> { byID }

    /// The listed businesses in the order of their names, then the others in that of their numbers.
    var inOrderOfLists: some Sequence<BusinessRecord> {
        [
            AnySequence(listed.lazy.compactMap { byID[$0.key.id] }),
            AnySequence(byID.lazy.filter { $0.categoryID == nil }),
        ].joined()
    }

    /// A table of many records at once, in a fraction of the time that it takes to put them in one by one.
    init(_ records: [BusinessRecord]) {
        if let table = BusinessTable(different: records) {
            self = table
        } else {
            self.init()
            for record in records { put(record) }
        }
    }

    /// Nil when two records have the same number or slug: then it counts which is put in last.
    private init?(different records: [BusinessRecord]) {
        let isLarge = records.count > 10_000
        let byNumber = Beside(isWorthIt: isLarge) {
            var formerSlugs = FormerSlugs()
            for record in records { formerSlugs.note(record.formerSlugs, of: record.id) }
            let byID = RadixTree(different: records)
            return (byID, byID.flatMap { HashIndex(different: records, in: $0) }, formerSlugs)
        }
        let sorted = records.filter { $0.categoryID != nil }.sortedByName
        guard case (let byID?, let bySlug?, let formerSlugs) = byNumber.result() else { return nil }
        (self.byID, self.bySlug, self.formerSlugs) = (byID, bySlug, formerSlugs)
        let names = Beside(isWorthIt: isLarge) { NameText(sorted: sorted) }
        var (keys, members) = ([NameKey](), [Int: [NameKey]]())
        keys.reserveCapacity(sorted.count)
        sorted.forEachFetchedAhead({ $0.nameKey.sortKey.prefetch(lines: 2) }) { record in
            keys.append(record.nameKey)
            // Dealt out in the order of names: sorting them again would cost more than all else here.
            if let category = record.categoryID { members[category, default: []].append(record.nameKey) }
        }
        listed = BTree(sorted: keys.lazy.map { ($0, ()) })
        listedByCategory = BTree(
            sorted: members.sorted { $0.key < $1.key }.lazy.flatMap { category, keys in
                keys.lazy.map { (CategoryKey(category: category, name: $0), ()) }
            })
        listedNames = names.result()
    }

    mutating func put(_ record: BusinessRecord) {
        if let old = byID.updateValue(record, at: record.id) {
            if old.hasSameKeys(as: record) { return }
            removeKeys(of: old)
        }
        bySlug.insert(record.id, hash: record.slug.hashValue)
        formerSlugs.note(record.formerSlugs, of: record.id)
        guard let category = record.categoryID else { return }
        listed.updateValue((), forKey: record.nameKey)
        listedByCategory.updateValue((), forKey: CategoryKey(category: category, name: record.nameKey))
        listedNames.insert(record) { byID[$0]?.nameKey }
    }

    mutating func remove(id: Int) {
        if let old = byID.removeValue(at: id) { removeKeys(of: old) }
    }

    private mutating func removeKeys(of old: BusinessRecord) {
        if let category = old.categoryID {
            listed.removeValue(forKey: old.nameKey)
            listedByCategory.removeValue(forKey: CategoryKey(category: category, name: old.nameKey))
            listedNames.remove(old) { $0 == old.id ? old.nameKey : byID[$0]?.nameKey }
        }
        bySlug.remove(old.id, hash: old.slug.hashValue)
        formerSlugs.forget(old.formerSlugs, of: old.id)
    }
}

extension RadixTree<BusinessRecord> {
    /// The records at their numbers; nil when two have the same.
    fileprivate init?(different records: [BusinessRecord]) {
        self.init()
        for record in records where updateValue(record, at: record.id) != nil { return nil }
    }
}

extension HashIndex {
    /// The numbers of records at their slugs; nil when two have the same.
    fileprivate init?(different records: [BusinessRecord], in byID: RadixTree<BusinessRecord>) {
        self.init(records.map { ($0.slug.hashValue, $0.id) }) { byID[$0]?.slug == byID[$1]?.slug }
    }
}

extension BusinessRecord {
    /// Whether another record of the business stands at the same place in every index.
    fileprivate func hasSameKeys(as other: BusinessRecord) -> Bool {
        slug == other.slug && categoryID == other.categoryID && nameKey == other.nameKey && hasSameName(as: other)
            && formerSlugs == other.formerSlugs
    }
}

extension [BusinessRecord] {
    /// The businesses in the order of their names.
    ///
    /// The first bytes of the keys are sorted where they lie; the keys themselves, each somewhere else in memory, are
    /// looked at only where those are the same.
    fileprivate var sortedByName: [BusinessRecord] {
        // As those of a snapshot are.
        if zip(self, dropFirst()).allSatisfy({ $0.nameKey < $1.nameKey }) { return self }
        return
            enumerated()
            .map { (prefix: $1.nameKey.prefix, place: $0) }
            .sorted { left, right in
                left.prefix == right.prefix
                    ? self[left.place].nameKey < self[right.place].nameKey : left.prefix < right.prefix
            }
            .map { self[$0.place] }
    }
}
