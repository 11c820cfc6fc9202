import BTree
import SookeModel

/// The businesses, with the indexes that answer questions about them.
///
/// The indexes hold IDs and not records: a change that leaves the keys as they are changes none of them.
public struct BusinessTable: Sendable {
    private var byID = BTree<Int, BusinessRecord>()
    private var bySlug = BTree<Slug, Int>()
    private var formerSlugs = FormerSlugs()
    /// The businesses with an owner, by owner and ID.
    private var byOwner = BTree<OwnerKey, Void>()
    /// Only businesses with a category: the others are not shown.
    private(set) var listed = BTree<NameKey, Int>()
    private(set) var listedByCategory = BTree<CategoryKey, Int>()
    private(set) var listedNames = NameText()

    /// A table with nothing in it.
    init() {}

    /// How many there are, those without a category included.
    public var count: Int { byID.count }

    /// The business with an ID.
    public subscript(id: Int) -> BusinessRecord? { byID[id] }

    /// The business with a slug, one without a category included.
    public subscript(slug: Slug) -> BusinessRecord? { bySlug[slug].flatMap { byID[$0] } }

    /// The business that had a slug before; nil when one has it now.
    public subscript(formerly slug: Slug) -> BusinessRecord? {
        self[slug] == nil ? formerSlugs[slug].flatMap { self[$0] } : nil
    }

    /// The IDs of the businesses that a person owns.
    func owned(by person: Int) -> [Int] {
        let keys = OwnerKey(owner: person, id: .min)..<OwnerKey(owner: person, id: .max)
        return byOwner.elements(in: keys).map(\.key.id)
    }

    /// The businesses with some IDs, in their order.
    func records(with ids: [Int]) -> [BusinessRecord] { ids.compactMap { byID[$0] } }

    /// All businesses in the order of their IDs.
    public var inOrderOfID: some Sequence<BusinessRecord> { byID.lazy.map(\.value) }

    /// The listed businesses in the order of their names, then the others in that of their IDs.
    var inOrderOfLists: some Sequence<BusinessRecord> {
        [
            AnySequence(listed.lazy.compactMap { byID[$0.value] }),
            AnySequence(inOrderOfID.lazy.filter { $0.categoryID == nil }),
        ].joined()
    }

    /// A table of many records, in a fraction of the time that it takes to put them in one by one. Of several with one
    /// ID or slug the last counts.
    init(_ given: [BusinessRecord]) {
        for record in given { byID.updateValue(record, forKey: record.id) }
        let records = byID.count == given.count ? given : Array(inOrderOfID)
        for record in records {
            bySlug.updateValue(record.id, forKey: record.slug)
            formerSlugs.note(record.formerSlugs, of: record.id)
            if let key = OwnerKey(record) { byOwner.updateValue((), forKey: key) }
        }
        // Those of a snapshot are in this order, which costs one walk.
        let sorted = records.filter { $0.categoryID != nil }.sorted { $0.nameKey < $1.nameKey }
        listed = BTree(sorted: sorted.lazy.map { ($0.nameKey, $0.id) })
        let categories = Dictionary(grouping: sorted) { $0.categoryID ?? 0 }.sorted { $0.key < $1.key }
        listedByCategory = BTree(
            sorted: categories.lazy.flatMap { category, members in
                members.lazy.map { (CategoryKey(category: category, name: $0.nameKey), $0.id) }
            })
        listedNames = NameText(sorted: sorted)
    }

    mutating func put(_ record: BusinessRecord) {
        if let old = byID.updateValue(record, forKey: record.id) {
            if old.hasSameKeys(as: record) { return }
            removeKeys(of: old)
        }
        bySlug.updateValue(record.id, forKey: record.slug)
        formerSlugs.note(record.formerSlugs, of: record.id)
        if let key = OwnerKey(record) { byOwner.updateValue((), forKey: key) }
        guard let category = record.categoryID else { return }
        listed.updateValue(record.id, forKey: record.nameKey)
        listedByCategory.updateValue(record.id, forKey: CategoryKey(category: category, name: record.nameKey))
        listedNames.insert(record) { byID[$0]?.nameKey }
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        removeKeys(of: old)
    }

    private mutating func removeKeys(of old: BusinessRecord) {
        if let category = old.categoryID {
            listed.removeValue(forKey: old.nameKey)
            listedByCategory.removeValue(forKey: CategoryKey(category: category, name: old.nameKey))
            listedNames.remove(old) { $0 == old.id ? old.nameKey : byID[$0]?.nameKey }
        }
        // Another business may have the slug by now: a commit can swap two.
        if bySlug[old.slug] == old.id { bySlug.removeValue(forKey: old.slug) }
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

extension BusinessRecord {
    /// Whether another record of the business stands at the same place in every index.
    fileprivate func hasSameKeys(as other: BusinessRecord) -> Bool {
        slug == other.slug && categoryID == other.categoryID && nameKey == other.nameKey && hasSameName(as: other)
            && formerSlugs == other.formerSlugs && ownerID == other.ownerID
    }
}
