import SookeModel

/// A query of businesses.
public struct BusinessQuery: Sendable {
    /// Only businesses whose name contains this text, ignoring case.
    public var search: String?
    /// Only businesses of this category.
    public var category: Slug?

    /// All listed businesses.
    public init(search: String? = nil, category: Slug? = nil) {
        self.search = search
        self.category = category
    }
}

extension Community {
    /// A page of the listed businesses that match a query, in the order of their names.
    public func page(_ request: PageRequest, of query: BusinessQuery) -> Page<BusinessRecord> {
        candidates(for: query).page(request)
    }

    private func candidates(for query: BusinessQuery) -> Candidates<BusinessRecord> {
        let businesses = self.businesses
        var category: Int?
        if let slug = query.category {
            guard let id = self.categories[slug]?.id else { return Candidates([]) }
            category = id
        }
        guard let search = query.search else {
            guard let category else { return Candidates(businesses.listed) }
            return Candidates(businesses.listed(in: category))
        }
        let named = Candidates(named: CaseFolding.fold(search), in: businesses)
        return if let category { named.filter { $0.categoryID == category } } else { named }
    }
}
