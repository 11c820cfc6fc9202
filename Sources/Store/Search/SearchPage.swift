import SookeModel

package struct SearchPage<Record: Sendable>: Sendable {
    package let page: Page<Record>
    package let matches: [[SearchMatch]]
    /// Whether the search ended early, because it would have taken too long: there may be further matches.
    package let isBounded: Bool
}

extension Town {
    /// A page of the listed events that match a search; equal matches are in the order of their start.
    package func page(
        _ request: PageRequest, of query: SearchQuery, among visible: VisibleBusinesses = .listed,
        where isIncluded: ((EventRecord) -> Bool)? = nil
    ) -> SearchPage<EventRecord> {
        let index = self.events.indexes.search
        let names = (index.groups(in: .term) + index.groups(in: .place)).lazy.map { group in
            if group.field == .term { return SearchName(group, self.eventTypes[group.id]) }
            let business = self.businesses[group.id].flatMap { visible.contains($0) ? $0 : nil }
            return SearchName(group, business?.name ?? "")
        }
        return index.page(request, of: query, names: names, where: isIncluded)
    }
}

extension SearchIndex {
    func page(
        _ request: PageRequest, of query: SearchQuery, names: some Collection<SearchName>,
        where isIncluded: ((Record) -> Bool)?,
        limits: SearchLimits = SearchLimits()
    ) -> SearchPage<Record> {
        var run = SearchRun(query, in: self, names: names, limits: limits)
        let (records, total) = run.page(request, where: isIncluded)
        let budget = WorkBudget(WorkBudget.mostForMatches)
        let matches = records.map { run.matches(in: $0, budget) }
        return SearchPage(
            page: Page(records: records, request: request, total: total), matches: matches,
            isBounded: run.work.isBounded || budget.isBounded)
    }
}

/// The listed businesses that match a search, for a `BusinessQuery` with any other filters and order.
package struct BusinessSearch: Sendable {
    /// The businesses, the best first; equal ones are in the order of their names.
    package let ranked: [RankedBusiness]
    private let run: SearchRun<BusinessRecord>

    /// Pays for what matches in the businesses of a page; nil in those of a whole list, of which each is paid for by
    /// its part.
    private var budget: WorkBudget? = WorkBudget(WorkBudget.mostForMatches)

    package var isBounded: Bool { run.work.isBounded || budget?.isBounded == true }

    package var inParts: BusinessSearch {
        var search = self
        search.budget = nil
        return search
    }

    package init(_ query: SearchQuery, in town: Town) {
        var run = SearchRun(query, in: town.businesses.indexes.search, names: town.categoryNames)
        ranked = run.rankedBusinesses()
        self.run = run
    }

    package func matches(in business: BusinessRecord) -> [SearchMatch] {
        run.matches(in: business, budget)
    }
}

extension Town {
    /// The names of the categories of listed businesses, whose words count as words of the businesses.
    var categoryNames: some Collection<SearchName> {
        self.businesses.indexes.search.groups(in: .term).lazy.map { group in
            SearchName(group, self.categories[group.id])
        }
    }

    /// The categories of listed businesses about which a query is: those with most of its words in their names and
    /// synonyms first, and whether they have all.
    package func relatedCategories(to query: SearchQuery) -> [(category: Category, hasAll: Bool)] {
        let names = categoryNames.map { name in (name: name, count: query.terms.count { name.matches($0) }) }
        return names.filter { $0.count > 0 }.sorted { $0.count > $1.count }.compactMap { name, count in
            self.categories[name.group.id].map { ($0.value, count == query.terms.count) }
        }
    }
}

extension SearchName {
    fileprivate init(_ group: SearchGroup, _ term: TermRecord<some WritableVocabulary>?) {
        self.init(group, term?.value.name ?? "", or: term?.value.synonymText ?? "")
    }

    fileprivate func matches(_ term: SearchQuery.Term) -> Bool {
        switch term {
        case .word(let word): searchClass(of: word) != nil
        case .compound(let whole, let parts): ([whole] + parts).contains { searchClass(of: $0) != nil }
        case .phrase(let words): field(of: words) != nil
        }
    }
}
