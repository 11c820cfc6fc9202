import SookeModel

/// A page of the records that match a search, the best first.
package struct SearchPage<Record: Sendable>: Sendable {
    package let page: Page<Record>
    package let matches: [[SearchMatch]]
    /// Whether the search ended early, because it would have taken too long: there may be further matches.
    package let isBounded: Bool
}

/// The index of words is still being built, after a start.
package struct SearchUnavailable: Error, Sendable {}

extension Town {
    /// A page of the listed events that match a search; equal matches are in the order of their start.
    ///
    /// - Parameter visible: the businesses by whose names events are found.
    package func page(
        _ request: PageRequest, of query: SearchQuery, among visible: VisibleBusinesses = .listed,
        where isIncluded: ((EventRecord) -> Bool)? = nil
    ) throws(SearchUnavailable) -> SearchPage<EventRecord> {
        let index = self.events.indexes.search
        let names = (index.groups(in: .term) + index.groups(in: .place)).lazy.map { group in
            if group.field == .term { return SearchName(group, self.eventTypes[group.id]?.value.name ?? "") }
            let business = self.businesses[group.id].flatMap { visible.contains($0) ? $0 : nil }
            return SearchName(group, business?.name ?? "")
        }
        return try index.page(request, of: query, names: names, where: isIncluded)
    }
}

extension SearchIndex {
    func page(
        _ request: PageRequest, of query: SearchQuery, names: some Collection<SearchName>,
        where isIncluded: ((Record) -> Bool)?,
        limits: SearchLimits = SearchLimits()
    ) throws(SearchUnavailable) -> SearchPage<Record> {
        guard isReady else { throw SearchUnavailable() }
        var run = SearchRun(query, in: self, names: names, limits: limits)
        let (records, total) = run.page(request, where: isIncluded)
        let budget = WorkBudget(WorkBudget.mostForMatches)
        let matches = records.map { run.matches(in: $0, budget) }
        return SearchPage(
            page: Page(records: records, request: request, total: total), matches: matches,
            isBounded: run.work.isBounded || budget.isBounded)
    }
}
