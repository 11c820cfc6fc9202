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
        let category = query.category.map { categories[$0]?.value.id }
        if category == .some(nil) { return Page(records: [], request: page, total: 0) }
        if let search = query.search { return businesses(named: search, category: category ?? nil, page) }
        guard case let category?? = category else {
            return Page(of: businesses.listed.elements, page, records: businesses.records(with:))
        }
        let keys = CategoryKey.start(of: category)..<CategoryKey.start(of: category + 1)
        return Page(of: businesses.listedByCategory.elements(in: keys), page, records: businesses.records(with:))
    }

    /// A page of those whose name holds a text.
    private func businesses(named text: String, category: Int?, _ request: PageRequest) -> Page<BusinessRecord> {
        let isIncluded = category.map { category in
            { (id: Int) in businesses[id]?.categoryID == category }
        }
        let (ids, total) = businesses.listedNames.matches(
            of: CaseFolding.fold(text), at: request.ranks(in: .max), where: isIncluded)
        return Page(records: businesses.records(with: ids), request: request, total: total)
    }
}
