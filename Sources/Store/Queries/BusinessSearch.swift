import SookeModel

/// The listed businesses that match a search, for a `BusinessQuery` with any other filters and order.
package struct BusinessSearch: Sendable {
    /// The businesses, the best first; equal ones are in the order of their names.
    package let ranked: [RankedBusiness]
    private let run: SearchRun<BusinessRecord>

    /// Pays for what matches in the businesses of a page; nil in those of a whole list, of which each is paid for by
    /// its part.
    private var budget: WorkBudget? = WorkBudget(WorkBudget.mostForMatches)

    /// Whether the search would have taken too long and ended early: there may be further matches.
    package var isBounded: Bool { run.work.isBounded || budget?.isBounded == true }

    package var inParts: BusinessSearch {
        var search = self
        search.budget = nil
        return search
    }

    package init(_ query: SearchQuery, in town: Town) throws(SearchUnavailable) {
        let index = town.businesses.indexes.search
        guard index.isReady else { throw SearchUnavailable() }
        var run = SearchRun(query, in: index, names: town.categoryNames)
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
            SearchName(group, self.categories[group.id]?.value.name ?? "")
        }
    }
}
