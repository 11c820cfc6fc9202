import BTree

/// The records that may match a query, from an index and in the order of the pages. Predicates narrow them.
///
/// Without a predicate, a page of an index is found by rank: the last page costs as much as the first.
struct Candidates<Record: Sendable> {
    private let find: (PageRequest, _ predicate: ((Record) -> Bool)?) -> Page<Record>
    private var predicate: ((Record) -> Bool)?

    /// The records of a range of an index.
    init<Key>(_ range: BTree<Key, Record>.Elements) {
        find = { request, predicate in
            if let predicate { return Page(of: range.lazy.map(\.value).filter(predicate), request) }
            return Page(records: range.page(request).values, request: request, total: range.count)
        }
    }

    /// The listed businesses whose name contains a folded text.
    init(named text: [UInt8], in table: Table<BusinessRecord>) where Record == BusinessRecord {
        find = { request, predicate in
            let isIncluded = predicate.map { predicate in { (id: Int) in table[id].map(predicate) ?? false } }
            let (ids, total) = table.listedNames.matches(
                of: text, at: request.ranks(in: .max), where: isIncluded)
            return Page(records: table.records(with: ids), request: request, total: total)
        }
    }

    /// Records that are found by a scan.
    init(_ records: some Sequence<Record>) {
        find = { request, predicate in
            if let predicate { return Page(of: records.lazy.filter(predicate), request) }
            return Page(of: records, request)
        }
    }

    /// The candidates that satisfy a predicate.
    func filter(_ isIncluded: @escaping (Record) -> Bool) -> Candidates {
        var narrowed = self
        if let predicate {
            narrowed.predicate = { predicate($0) && isIncluded($0) }
        } else {
            narrowed.predicate = isIncluded
        }
        return narrowed
    }

    /// A page of the matching records.
    func page(_ request: PageRequest) -> Page<Record> { find(request, predicate) }
}

extension BTree.Elements {
    fileprivate func page(_ request: PageRequest) -> Self {
        let ranks = request.ranks(in: count)
        return dropFirst(ranks.lowerBound).prefix(ranks.count)
    }
}
