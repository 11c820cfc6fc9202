import BTree
import RadixTree
import SookeModel

/// The businesses, with the indexes that answer questions about them.
public struct BusinessTable: Sendable {
    /// By slot: where a business stands here, from its coming to its going. A table of many gives slots in the order of
    /// names, so that the records of a page stand side by side.
    private var records = RadixTree<BusinessRecord>()
    private var nextSlot = 0
    // The indexes hold slots: a change that leaves the keys as they are changes none of them, and their nodes are
    // copied without a count of references for each record.
    private var byID = RadixTree<Int>()
    private var bySlug = HashIndex()
    private var formerSlugs = FormerSlugs()
    /// The businesses with an owner, by owner and number.
    private var byOwner = BTree<OwnerKey, Void>()
    /// Only businesses with a category: the others are not shown.
    private(set) var listed = BTree<NameKey, Int>()
    private(set) var listedByCategory = BTree<CategoryKey, Int>()
    private(set) var listedNames = NameText()

    /// A table with nothing in it.
    init() {}

    /// How many there are, those without a category included.
    public var count: Int { records.count }

    /// The business of a number.
    public subscript(id: Int) -> BusinessRecord? { byID[id].flatMap { records[$0] } }

    /// The business of a slug, one without a category included.
    public subscript(slug: Slug) -> BusinessRecord? {
        bySlug.find(hash: slug.hashValue) { records[$0].flatMap { $0.slug == slug ? $0 : nil } }
    }

    /// The business that had a slug before; nil when one has it now.
    public subscript(formerly slug: Slug) -> BusinessRecord? {
        self[slug] == nil ? formerSlugs[slug].flatMap { self[$0] } : nil
    }

    /// The numbers of the businesses that a person owns.
    func owned(by person: Int) -> [Int] {
        let keys = OwnerKey(owner: person, id: .min)..<OwnerKey(owner: person, id: .max)
        return byOwner.elements(in: keys).map(\.key.id)
    }

    /// The business in a slot.
    func record(at slot: Int) -> BusinessRecord? { records[slot] }

    /// The businesses in some slots, in their order.
    func records(at slots: [Int]) -> [BusinessRecord] { slots.compactMap { records[$0] } }

    /// All businesses in the order of their numbers.
    public var inOrderOfID: some Sequence<BusinessRecord> { byID.lazy.compactMap { records[$0] } }

    /// The listed businesses in the order of their names, then the others in that of their numbers.
    var inOrderOfLists: some Sequence<BusinessRecord> {
        [
            AnySequence(listed.lazy.compactMap { records[$0.value] }),
            AnySequence(inOrderOfID.lazy.filter { $0.categoryID == nil }),
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
        let sorted = records.filter { $0.categoryID != nil }.sortedByName
        let inOrder = sorted + records.filter { $0.categoryID == nil }
        let found = Beside(isWorthIt: isLarge) {
            var (bySlot, formerSlugs) = (RadixTree<BusinessRecord>(), FormerSlugs())
            var byOwner = BTree<OwnerKey, Void>()
            for (slot, record) in inOrder.enumerated() {
                bySlot.updateValue(record, at: slot)
                formerSlugs.note(record.formerSlugs, of: record.id)
                if let key = OwnerKey(record) { byOwner.updateValue((), forKey: key) }
            }
            return (bySlot, RadixTree(different: inOrder), HashIndex(different: inOrder), formerSlugs, byOwner)
        }
        var (keys, members) = ([(NameKey, Int)](), [Int: [(NameKey, Int)]]())
        keys.reserveCapacity(sorted.count)
        for record in sorted {
            let key = (record.nameKey, keys.count)
            keys.append(key)
            // Dealt out in the order of names: sorting them again would cost more than all else here.
            if let category = record.categoryID { members[category, default: []].append(key) }
        }
        guard case (let bySlot, let byID?, let bySlug?, let formerSlugs, let byOwner) = found.result() else {
            return nil
        }
        let names = Beside(isWorthIt: isLarge) { NameText(sorted: sorted) }
        listed = BTree(sorted: keys)
        listedByCategory = BTree(
            sorted: members.sorted { $0.key < $1.key }.lazy.flatMap { category, keys in
                keys.lazy.map { (CategoryKey(category: category, name: $0), $1) }
            })
        listedNames = names.result()
        (self.records, self.byID, self.bySlug, self.formerSlugs) = (bySlot, byID, bySlug, formerSlugs)
        self.byOwner = byOwner
        nextSlot = inOrder.count
    }

    mutating func put(_ record: BusinessRecord) {
        let slot = byID[record.id] ?? nextSlot
        if let old = records.updateValue(record, at: slot) {
            if old.hasSameKeys(as: record) { return }
            removeKeys(of: old, at: slot)
        } else {
            byID.updateValue(slot, at: record.id)
            nextSlot += 1
        }
        bySlug.insert(slot, hash: record.slug.hashValue)
        formerSlugs.note(record.formerSlugs, of: record.id)
        if let key = OwnerKey(record) { byOwner.updateValue((), forKey: key) }
        guard let category = record.categoryID else { return }
        listed.updateValue(slot, forKey: record.nameKey)
        listedByCategory.updateValue(slot, forKey: CategoryKey(category: category, name: record.nameKey))
        listedNames.insert(record, at: slot) { records[$0]?.nameKey }
    }

    mutating func remove(id: Int) {
        guard let slot = byID.removeValue(at: id), let old = records.removeValue(at: slot) else { return }
        removeKeys(of: old, at: slot)
    }

    private mutating func removeKeys(of old: BusinessRecord, at slot: Int) {
        if let category = old.categoryID {
            listed.removeValue(forKey: old.nameKey)
            listedByCategory.removeValue(forKey: CategoryKey(category: category, name: old.nameKey))
            listedNames.remove(old, at: slot) { $0 == slot ? old.nameKey : records[$0]?.nameKey }
        }
        bySlug.remove(slot, hash: old.slug.hashValue)
        formerSlugs.forget(old.formerSlugs, of: old.id)
        if let key = OwnerKey(old) { byOwner.removeValue(forKey: key) }
    }
}

/// The place of a business among those of its owner.
private struct OwnerKey: Comparable, Sendable {
    let owner: Int
    let id: Int

    init(owner: Int, id: Int) {
        (self.owner, self.id) = (owner, id)
    }

    /// Nil when it has no owner.
    init?(_ record: BusinessRecord) {
        guard let owner = record.ownerID else { return nil }
        self.init(owner: owner, id: record.id)
    }

    static func < (left: OwnerKey, right: OwnerKey) -> Bool {
        (left.owner, left.id) < (right.owner, right.id)
    }
}

extension RadixTree<Int> {
    /// The places of records at their numbers; nil when two have the same.
    fileprivate init?(different records: [BusinessRecord]) {
        self.init()
        for (place, record) in records.enumerated() where updateValue(place, at: record.id) != nil { return nil }
    }
}

extension HashIndex {
    /// The places of records at their slugs; nil when two have the same.
    fileprivate init?(different records: [BusinessRecord]) {
        self.init(records.enumerated().map { ($1.slug.hashValue, $0) }) { records[$0].slug == records[$1].slug }
    }
}

extension BusinessRecord {
    /// Whether another record of the business stands at the same place in every index.
    fileprivate func hasSameKeys(as other: BusinessRecord) -> Bool {
        slug == other.slug && categoryID == other.categoryID && nameKey == other.nameKey && hasSameName(as: other)
            && formerSlugs == other.formerSlugs && ownerID == other.ownerID
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
