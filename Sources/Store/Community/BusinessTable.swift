import BTree
import SookeModel

/// The businesses, with the indexes that answer questions about them.
public struct BusinessTable: Sendable {
    private var byID = BTree<Int, BusinessRecord>()
    private var bySlug = BTree<Slug, BusinessRecord>()
    private var formerSlugs = FormerSlugs()
    /// Only businesses with a category: the others are not shown.
    private(set) var listed = BTree<NameKey, BusinessRecord>()
    private(set) var listedByCategory = BTree<CategoryKey, BusinessRecord>()

    /// How many there are, those without a category included.
    public var count: Int { byID.count }

    /// The business of a number.
    public subscript(id: Int) -> BusinessRecord? { byID[id] }

    /// The business of a slug, one without a category included.
    public subscript(slug: Slug) -> BusinessRecord? { bySlug[slug] }

    /// The business that had a slug before; nil when one has it now.
    public subscript(formerly slug: Slug) -> BusinessRecord? {
        bySlug[slug] == nil ? formerSlugs[slug].flatMap { byID[$0] } : nil
    }

    /// All businesses in the order of their numbers.
    public var inOrderOfID: some Sequence<BusinessRecord> { byID.lazy.map(\.value) }

    mutating func put(_ record: BusinessRecord) {
        remove(id: record.value.id)
        byID.updateValue(record, forKey: record.value.id)
        bySlug.updateValue(record, forKey: record.value.slug)
        formerSlugs.note(record.value.formerSlugs, of: record.value.id)
        guard let category = record.categoryID else { return }
        listed.updateValue(record, forKey: record.nameKey)
        listedByCategory.updateValue(record, forKey: CategoryKey(category: category, name: record.nameKey))
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        bySlug.removeValue(forKey: old.value.slug)
        formerSlugs.forget(old.value.formerSlugs, of: id)
        guard let category = old.categoryID else { return }
        listed.removeValue(forKey: old.nameKey)
        listedByCategory.removeValue(forKey: CategoryKey(category: category, name: old.nameKey))
    }
}
