/// Continues a walk through a list that began with an earlier version.
extension BusinessPlan {
    /// The next page of a walk: businesses that changed since it began stay where they were then.
    func continuedPage(_ request: PageRequest) -> Page<BusinessRecord> {
        guard let after = query.after else { return page(request) }
        var unchanged = self
        var others = matching ?? listed
        let moved = query.earlier.compactMap { id, before -> (key: BusinessKey, record: BusinessRecord)? in
            guard others.contains(id), let record = table[id] else { return nil }
            others.remove(id)
            return (query.key(of: before), record)
        }
        unchanged.matching = others
        let page = unchanged.page(request)
        let found =
            page.records.map { (key: query.key(of: $0), record: $0) }
            + moved.filter { after < $0.key }
        let records = found.sorted { $0.key < $1.key }.map(\.record)
        return Page(
            records: Array(records.prefix(request.size)), request: request, total: page.total + moved.count,
            hasNext: page.hasNext || records.count > request.size)
    }

    /// The IDs of all listed businesses.
    private var listed: IDSet {
        var ids = IDSet(upTo: table.byID.last?.key ?? 0, of: table.count)
        ids.insert(table.listed.mapKeys { $0.id })
        return ids
    }
}
