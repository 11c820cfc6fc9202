/// The records of one kind: a map from ID to record, and indexes by other keys.
///
/// The type of the record determines the indexes; see `TableRecord`.
package struct Table<Record: TableRecord>: Sendable {
    @usableFromInline private(set) var byID = SortedMap<Int, Record>()
    /// Only the table changes them, and `Town` those of words, which are built elsewhere.
    var indexes = Record.Indexes()
    /// While it is true, the indexes that only queries read are left out; they are built at its end.
    var isLoading = false {
        didSet {
            if isLoading { return }
            var build = IndexBuild(records: Array(inOrderOfID))
            indexes.visit(&build)
        }
    }

    init() {}

    @inlinable
    package var count: Int { byID.count }

    @inlinable
    package subscript(id: Int) -> Record? { byID[id] }

    @inlinable
    package func has(id: Int) -> Bool { byID[id] != nil }

    /// In the order of the IDs given.
    func records(with ids: [Int]) -> [Record] { ids.compactMap { byID[$0] } }

    @inlinable
    package var inOrderOfID: some Sequence<Record> { byID.lazy.map(\.value) }

    @specialized(where Record == BusinessRecord)
    mutating func put(_ record: Record) {
        let old = byID.updateValue(record, forKey: record.id)
        var change = IndexChange(old: old, new: record, isLoading: isLoading)
        indexes.visit(&change)
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        var change = IndexChange(old: old, new: nil, isLoading: isLoading)
        indexes.visit(&change)
    }
}

private struct IndexBuild<Record: TableRecord>: IndexVisitor {
    let records: [Record]

    mutating func visit<I: Index<Record>>(_ index: inout I) {
        if index.isForQueries { index.rebuild(records) }
    }
}

private struct IndexChange<Record: TableRecord>: IndexVisitor {
    let old, new: Record?
    let isLoading: Bool

    mutating func visit<I: Index<Record>>(_ index: inout I) {
        if isLoading, index.isForQueries { return }
        switch (old, new) {
        case (let old?, let new?): index.replace(old, with: new)
        case (nil, let new?): index.insert(new)
        case (let old?, nil): index.remove(old)
        case (nil, nil): break
        }
    }
}
