import BTree

/// The records of one kind: a map from ID to record, and indexes by other keys.
///
/// The type of the record determines the indexes; see `TableRecord`. Only the table and the index itself maintain an
/// index.
package struct Table<Record: TableRecord>: Sendable {
    @usableFromInline private(set) var byID = BTree<Int, Record>()
    private(set) var indexes = Record.Indexes()
    /// Whether `put` leaves out the indexes that only queries read.
    private var isPuttingMany = false

    init() {}

    /// A table of many records, in a fraction of the time of inserting them one by one. When several have one ID or
    /// unique key, the last counts.
    init(_ given: [Record]) {
        byID = BTree(lastOf: given.map { ($0.id, $0) })
        let records = byID.count == given.count ? given : Array(inOrderOfID)
        var build = IndexBuild(records: Record.inIndexOrder(records))
        indexes.visit(&build)
    }

    @inlinable
    package var count: Int { byID.count }

    @inlinable
    package subscript(id: Int) -> Record? { byID[id] }

    @inlinable
    package func has(id: Int) -> Bool { byID.contains(id) }

    /// The records with some IDs, in the order of the IDs given.
    func records(with ids: [Int]) -> [Record] { ids.compactMap { byID[$0] } }

    @inlinable
    package var inOrderOfID: some Sequence<Record> { byID.lazy.map(\.value) }

    /// Some records whose IDs are above one, in the order of their IDs.
    func records(above id: Int, limit: Int) -> [Record] { byID.elements(from: id + 1).prefix(limit).values }

    /// Inserts a record, or replaces the one with its ID.
    mutating func put(_ record: Record) {
        if let old = byID.updateValue(record, forKey: record.id) {
            var replacement = IndexReplacement(old: old, new: record, records: byID, isPuttingMany: isPuttingMany)
            indexes.visit(&replacement)
        } else {
            var insertion = IndexInsertion(record: record, records: byID, isPuttingMany: isPuttingMany)
            indexes.visit(&insertion)
        }
    }

    /// Begins to put many records. Until the end, queries do not find them.
    mutating func beginPuttingMany() { isPuttingMany = true }

    /// Ends putting many records: builds the indexes that only queries read at once.
    mutating func endPuttingMany() {
        isPuttingMany = false
        var build = IndexBuild(records: Record.inIndexOrder(Array(inOrderOfID)), onlyForQueries: true)
        indexes.visit(&build)
    }

    /// Sets an index that was built elsewhere.
    mutating func set<I: Index<Record>>(_ path: WritableKeyPath<Record.Indexes, I>, _ index: I) {
        indexes[keyPath: path] = index
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        var removal = IndexRemoval(record: old, records: byID)
        indexes.visit(&removal)
    }
}

private struct IndexBuild<Record: TableRecord>: IndexVisitor {
    let records: [Record]
    var onlyForQueries = false

    mutating func visit<I: Index<Record>>(_ index: inout I) {
        if I.isForQueries || !onlyForQueries { index.rebuild(records) }
    }
}

private struct IndexInsertion<Record: TableRecord>: IndexVisitor {
    let record: Record
    let records: BTree<Int, Record>
    let isPuttingMany: Bool

    mutating func visit<I: Index<Record>>(_ index: inout I) {
        if !(isPuttingMany && I.isForQueries) { index.insert(record, among: records) }
    }
}

private struct IndexRemoval<Record: TableRecord>: IndexVisitor {
    let record: Record
    let records: BTree<Int, Record>

    mutating func visit(_ index: inout some Index<Record>) { index.remove(record, among: records) }
}

private struct IndexReplacement<Record: TableRecord>: IndexVisitor {
    let old: Record
    let new: Record
    let records: BTree<Int, Record>
    let isPuttingMany: Bool

    mutating func visit<I: Index<Record>>(_ index: inout I) {
        if !(isPuttingMany && I.isForQueries) { index.replace(old, with: new, among: records) }
    }
}
