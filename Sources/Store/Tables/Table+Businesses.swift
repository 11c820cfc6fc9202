import BTree
import SookeModel

/// The indexes of businesses.
///
/// They hold IDs and not records: a change that leaves the keys as they are changes none of them.
public struct BusinessIndexes: TableIndexes {
    /// The records of the table.
    public typealias Record = BusinessRecord

    var bySlug = IDIndex<BySlug>()
    var formerSlugs = FormerSlugIndex<Former>()
    /// The businesses with an owner.
    var byOwner = IDIndex<ByOwner>()
    /// Only businesses with a category: the others are not shown.
    var listed = IDIndex<ByName>()
    var listedByCategory = IDIndex<ByCategory>()
    var listedNames = NameIndex()

    /// Indexes of no businesses.
    public init() {}

    /// Visits each index once.
    public mutating func visit(_ visitor: inout some IndexVisitor<BusinessRecord>) {
        visitor.visit(&bySlug)
        visitor.visit(&formerSlugs)
        visitor.visit(&byOwner)
        visitor.visit(&listed)
        visitor.visit(&listedByCategory)
        visitor.visit(&listedNames)
    }

    enum BySlug: IndexKey {
        static func key(of record: BusinessRecord) -> Slug? { record.slug }
    }

    enum Former: FormerSlugs {
        static func slugs(of record: BusinessRecord) -> [Slug] { record.formerSlugs }
    }

    enum ByOwner: IndexKey {
        static func key(of record: BusinessRecord) -> GroupKey? {
            record.ownerID.map { GroupKey(group: $0, id: record.id) }
        }
    }

    enum ByName: IndexKey {
        static func key(of record: BusinessRecord) -> NameKey? { record.categoryID == nil ? nil : record.nameKey }
    }

    enum ByCategory: IndexKey {
        static func key(of record: BusinessRecord) -> CategoryKey? {
            record.categoryID.map { CategoryKey(category: $0, name: record.nameKey) }
        }
    }
}

extension Table<BusinessRecord> {
    /// The business with a slug, one without a category included.
    public subscript(slug: Slug) -> BusinessRecord? { indexes.bySlug[slug].flatMap { byID[$0] } }

    /// The business that had a slug before; nil when one has it now.
    public subscript(formerly slug: Slug) -> BusinessRecord? {
        self[slug] == nil ? indexes.formerSlugs[slug].flatMap { self[$0] } : nil
    }

    /// The IDs of the businesses that a person owns.
    func owned(by person: Int) -> [Int] { indexes.byOwner.tree.elements(in: GroupKey.range(of: person)).values }

    /// The IDs of the listed businesses, in the order of their names.
    var listed: BTree<NameKey, Int>.Elements { indexes.listed.tree.elements }

    /// The IDs of the listed businesses of a category, in the order of their names.
    func listed(in category: Int) -> BTree<CategoryKey, Int>.Elements {
        let keys = CategoryKey.start(of: category)..<CategoryKey.start(of: category + 1)
        return indexes.listedByCategory.tree.elements(in: keys)
    }

    /// The names of the listed businesses, to be searched in.
    var listedNames: NameIndex { indexes.listedNames }
}

extension BusinessRecord: TableRecord {
    /// The indexes of the table.
    public typealias Indexes = BusinessIndexes

    /// The slug by which events refer to the business.
    public var referenceSlug: Slug? { slug }

    /// One without a category is only shown to its owner, but counts as public here.
    public var isPublic: Bool { true }

    /// A business as a table stores it.
    ///
    /// - Throws: when the community does not have its category.
    public static func make(
        _ value: Business, in community: Community, after existing: BusinessRecord?
    ) throws(InapplicableChange) -> BusinessRecord {
        let categoryID = if let slug = value.category { try community.categoryID(of: slug) } else { nil as Int? }
        return BusinessRecord(value, categoryID: categoryID, after: existing)
    }

    /// Records the IDs of a business and of its parts as assigned.
    public static func recordIDs(of value: Business, in sequences: inout IDSequences) { sequences.record(value) }

    /// The listed businesses in the order of their names, then the others: then a start puts in one place of memory
    /// what lists look at together.
    public static func inSnapshotOrder(_ table: Table<BusinessRecord>) -> AnySequence<BusinessRecord> {
        let listed = AnySequence(table.listed.lazy.compactMap { table[$0.value] })
        let others = AnySequence(table.inOrderOfID.lazy.filter { $0.categoryID == nil })
        return AnySequence([listed, others].joined())
    }

    /// Checks that no business has a category by a slug that is not its own any more.
    ///
    /// - Throws: which business does.
    public static func checkReferences(
        to target: ReferenceTarget, in community: Community
    ) throws(InapplicableChange) {
        guard target.kind == .category else { return }
        let slug = community.categories[target.id]?.value.slug
        for id in community.businesses.listed(in: target.id).values {
            guard let business = community.businesses[id], business.category != slug else { continue }
            throw InapplicableChange(description: "business \(id) names a category that is gone")
        }
    }
}
