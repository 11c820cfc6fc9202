import Bytes
import SookeModel

package struct BusinessIndexes: TableIndexes {
    package typealias Record = BusinessRecord

    var bySlug = KeyIndex<Slug, BusinessRecord>(\.slug)
    var formerSlugs = FormerSlugIndex<BusinessRecord>(\.formerSlugs)
    var byOwner = KeyIndex<GroupKey, BusinessRecord> { GroupKey(group: $0.ownerID, id: $0.id) }
    /// Only businesses with a category: the others are not listed.
    var listed = KeyIndex<NameKey, BusinessRecord>(isForQueries: true) { $0.categoryID == nil ? nil : $0.nameKey }
    var listedByCategory = KeyIndex<CategoryKey, BusinessRecord>(isForQueries: true) { business in
        business.categoryID.map { CategoryKey(category: $0, name: business.nameKey) }
    }
    var listedByUpdate = KeyIndex<MomentKey, BusinessRecord> { $0.categoryID == nil ? nil : $0.updatedKey }
    var search = SearchIndex<BusinessRecord>()

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<BusinessRecord>) {
        visitor.visit(&bySlug)
        visitor.visit(&formerSlugs)
        visitor.visit(&byOwner)
        visitor.visit(&listed)
        visitor.visit(&listedByCategory)
        visitor.visit(&listedByUpdate)
        visitor.visit(&search)
    }
}

extension Table<BusinessRecord> {
    /// The business may have no category.
    package subscript(slug: Slug) -> BusinessRecord? { indexes.bySlug[slug] }

    package subscript(formerly slug: Slug) -> BusinessRecord? {
        self[slug] == nil ? indexes.formerSlugs[slug].flatMap { self[$0] } : nil
    }

    package func owned(by person: Int) -> [Int] {
        indexes.byOwner.records.elements(in: GroupKey.range(of: person)).map(\.key.id)
    }

    var listed: SortedMap<NameKey, BusinessRecord> { indexes.listed.records }

    func listed(in category: Int) -> SortedMap<CategoryKey, BusinessRecord>.SubSequence {
        let keys = CategoryKey.start(of: category)..<CategoryKey.start(of: category + 1)
        return indexes.listedByCategory.records.elements(in: keys)
    }

    /// The last changed first; nil for all.
    func listed(
        changedSince moment: Timestamp?
    ) -> ReversedCollection<SortedMap<MomentKey, BusinessRecord>.SubSequence> {
        indexes.listedByUpdate.records.elements(from: .start(of: moment ?? .beginningOfTime)).reversed()
    }
}

extension Town {
    /// By name, without those that no business has.
    package var listedCategories: [(category: Category, count: Int)] {
        self.categories.inOrderOfName().map { (category: $0.value, count: self.businesses.listed(in: $0.id).count) }
            .filter { $0.count > 0 }
    }

    package var listedCount: Int { self.businesses.listed.count }

    package func listedBusinesses(in ranks: Range<Int>) -> [BusinessRecord] {
        self.businesses.listed.dropFirst(ranks.lowerBound).prefix(ranks.count).map(\.value)
    }
}

extension BusinessRecord: TableRecord {
    package static var table: TablePath<BusinessRecord> { \.businesses }

    package typealias Indexes = BusinessIndexes

    package var pathSegment: String { slug.text }

    package func joined(in town: Town) -> Joined { .business(JoinedBusiness(self, in: town)) }

    /// A business without category is visible to its owner only, but counts as public here.
    package var isPublic: Bool { true }
    package var memory: Int {
        1_800 + 2 * (value.description?.utf8.count ?? 0) + 96 * value.menus.reduce(0) { $0 + 1 + $1.items.count }
    }

    package static func make(
        _ value: Business, in town: Town, after existing: BusinessRecord?
    ) throws(InapplicableChange) -> BusinessRecord {
        let categoryID = try value.category.map { slug throws(InapplicableChange) in
            try town.known(town.categories[slug]?.id, .category, slug)
        }
        return BusinessRecord(value, categoryID: categoryID, after: existing)
    }

    package static func recordIDs(of value: Business, in sequences: inout IDSequences) { sequences.record(value) }

    /// The listed businesses in the order of their names, then the others, so that after a start the records of a list
    /// are close to each other in memory.
    package static func inSnapshotOrder(_ table: Table<BusinessRecord>) -> AnySequence<BusinessRecord> {
        let listed = table.listed.map(\.value)
        if listed.count == table.count { return AnySequence(listed) }
        return AnySequence(listed + table.inOrderOfID.filter { $0.categoryID == nil })
    }
}
