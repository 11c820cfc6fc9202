import SookeModel

/// Which businesses are asked for.
public struct BusinessQuery: Sendable {
    /// Only those whose name holds this text, letter case aside.
    public var search: String?
    /// Only those of this category.
    public var category: Slug?

    /// All listed businesses.
    public init(search: String? = nil, category: Slug? = nil) {
        self.search = search
        self.category = category
    }
}

extension Community {
    /// A page of the listed businesses that a query asks for, in the order of their names.
    public func businesses(_ query: BusinessQuery, page: PageRequest) -> Page<BusinessRecord> {
        guard let slug = query.category else {
            return select(businesses.listed, ranks: 0..<businesses.listed.count, search: query.search, page)
        }
        guard let category = categories[slug]?.value.id else {
            return Page(records: [], request: page, total: 0)
        }
        let index = businesses.listedByCategory
        let ranks = index.rank(of: .start(of: category))..<index.rank(of: .start(of: category + 1))
        return select(index, ranks: ranks, search: query.search, page)
    }

    /// The listed business of a slug.
    public func listedBusiness(_ slug: Slug) -> BusinessRecord? {
        businesses[slug].flatMap { $0.categoryID == nil ? nil : $0 }
    }

    /// The category a business is listed under.
    public func category(of business: BusinessRecord) -> TermRecord<CategoryVocabulary>? {
        business.categoryID.flatMap { categories[$0] }
    }
}
