import BTree
import SookeModel

/// The index by which `q` finds the listed records of a table.
///
/// Each record has a slot, a small number that is reused, because IDs can be large: a search has an array of scores by
/// slot. Building it takes longer than reading the records, so a table begins without it; `Store` builds it after the
/// start, and until then no record is found.
struct SearchIndex<Record: SearchableRecord>: Index {
    static var isForQueries: Bool { true }

    /// Whether the index has been built. Until then it has no records, and does not change.
    private(set) var isReady = false
    /// The words by slot.
    private(set) var words = WordIndex()
    /// The slots in the order of the records.
    private(set) var slots = ChunkedOrder<Record.SearchKey, SlotChunk>()
    /// The records by slot.
    private(set) var records = BTree<UInt32, Record>()
    private var freeSlots = BTree<UInt32, Void>()
    /// The number of slots in use or free.
    private(set) var slotCount: UInt32 = 0

    /// An index that has not been built.
    init() {}

    init(_ given: [Record]) {
        isReady = true
        let sorted = Self.inOrder(given)
        var builder = WordIndexBuilder()
        for (index, (_, record)) in sorted.enumerated() {
            let slot = UInt32(index)
            for group in record.searchGroups { builder.insert(group.word, group.field.bit, of: slot) }
            record.forEachWord { builder.insert($0, $1.bit, of: slot) }
        }
        words = builder.finish()
        slots = ChunkedOrder(slotsOf: sorted)
        records = BTree(sorted: sorted.enumerated().lazy.map { (UInt32($0), $1.1) })
        slotCount = UInt32(sorted.count)
    }

    /// The listed records in their order.
    private static func inOrder(_ given: [Record]) -> [(Record.SearchKey, Record)] {
        let listed = given.compactMap { record in record.searchKey.map { ($0, record) } }
        let isSorted = zip(listed, listed.dropFirst()).allSatisfy { $0.0 < $1.0 }
        return isSorted ? listed : listed.sorted { $0.0 < $1.0 }
    }

    /// Changes what differs. If that is much, an index of few records is built anew, and others are left to the store.
    mutating func rebuild(_ given: [Record]) {
        guard isReady else { return }
        let changes = changes(to: given)
        if changes.count <= Town.smallSearch {
            apply(changes)
        } else {
            self = given.count <= Town.smallSearch ? Self(given) : Self()
        }
    }

    /// The index of the same table in another version.
    func updated(to given: [Record]) -> Self {
        let changes = changes(to: given)
        guard changes.count <= given.count / 10 else { return Self(given) }
        var updated = self
        updated.apply(changes)
        return updated
    }

    /// The records that other ones differ in: before and after.
    private func changes(to given: [Record]) -> [(old: Record?, new: Record?)] {
        var before = Dictionary(records.lazy.map { ($1.id, $1) }) { $1 }
        var changes: [(old: Record?, new: Record?)] = []
        for record in given where record.searchKey != nil {
            let old = before.removeValue(forKey: record.id)
            if old !== record { changes.append((old, record)) }
        }
        return before.values.map { ($0, nil) } + changes
    }

    private mutating func apply(_ changes: [(old: Record?, new: Record?)]) {
        for (old, new) in changes {
            switch (old, new) {
            case (let old?, let new?): replace(old, with: new, among: BTree())
            case (let old?, nil): remove(old, among: BTree())
            case (nil, let new?): insert(new, among: BTree())
            case (nil, nil): break
            }
        }
    }

    /// The records to which those of the index refer in a field.
    func groups(in field: SearchField) -> [SearchGroup] {
        var groups: [SearchGroup] = []
        let ranks = words.ranks(ofPrefix: SearchGroup.words(in: field))
        for (key, _) in words.chunks.elements.part(ranks) {
            let group = SearchGroup(field: field, id: SearchGroup.id(of: key.word))
            if groups.last != group { groups.append(group) }
        }
        return groups
    }

    mutating func insert(_ record: Record, among _: BTree<Int, Record>) {
        guard isReady, let key = record.searchKey else { return }
        let slot = freeSlots.first?.key ?? slotCount
        if freeSlots.removeValue(forKey: slot) == nil { slotCount += 1 }
        records.updateValue(record, forKey: slot)
        slots.insert((slot, record.id), key) { [records] in records[$0]?.searchKey }
        for (word, fields) in record.searchWords { words.insert(Posting(slot: slot, fields: fields), of: word) }
    }

    mutating func remove(_ record: Record, among _: BTree<Int, Record>) {
        guard isReady, let key = record.searchKey,
            let slot = slots.remove(key, keyOf: { [records] in records[$0]?.searchKey })
        else { return }
        records.removeValue(forKey: slot)
        freeSlots.updateValue((), forKey: slot)
        for (word, _) in record.searchWords { words.remove(slot, from: word) }
    }

    /// Changes the postings of the words that differ.
    mutating func replace(_ old: Record, with new: Record, among all: BTree<Int, Record>) {
        guard isReady else { return }
        guard let before = old.searchKey, let after = new.searchKey,
            let slot = slots.handle(of: before, keyOf: { [records] in records[$0]?.searchKey })
        else {
            remove(old, among: all)
            return insert(new, among: all)
        }
        if before != after {
            slots.remove(before) { [records] in records[$0]?.searchKey }
            slots.insert((slot, new.id), after) { [records] in records[$0]?.searchKey }
        }
        records.updateValue(new, forKey: slot)
        if old.hasSameTexts(as: new) { return }
        let (oldWords, newWords) = (old.searchWords, new.searchWords)
        var rest = oldWords[...]
        for (word, fields) in newWords {
            while let first = rest.first, first.word < word {
                words.remove(slot, from: first.word)
                rest.removeFirst()
            }
            if let first = rest.first, first.word == word {
                rest.removeFirst()
                if first.fields == fields { continue }
            }
            words.insert(Posting(slot: slot, fields: fields), of: word)
        }
        for (word, _) in rest { words.remove(slot, from: word) }
    }
}

/// Up to some hundred records by slot and ID, in their order: the result of a search is made of them, without access to
/// the records.
struct SlotChunk: OrderedChunk {
    /// The slots.
    private(set) var handles: [UInt32] = []
    private var ids: [Int] = []

    init() {}

    init(_ slots: Range<Int>, id: (Int) -> Int) {
        (handles, ids) = (slots.map(UInt32.init), slots.map(id))
    }

    static func handle(of record: (slot: UInt32, id: Int)) -> UInt32 { record.slot }

    mutating func insert(_ record: (slot: UInt32, id: Int), at position: Int) {
        handles.insert(record.slot, at: position)
        ids.insert(record.id, at: position)
    }

    mutating func remove(at position: Int) {
        handles.remove(at: position)
        ids.remove(at: position)
    }

    /// Calls a function with the slot and the ID of each record, in order.
    func forEach(_ body: (UInt32, Int) -> Void) {
        for place in handles.indices { body(handles[place], ids[place]) }
    }

    mutating func split() -> SlotChunk {
        var half = SlotChunk()
        let middle = handles.count / 2
        (half.handles, half.ids) = (Array(handles[middle...]), Array(ids[middle...]))
        handles.removeSubrange(middle...)
        ids.removeSubrange(middle...)
        return half
    }
}

extension ChunkedOrder where Chunk == SlotChunk {
    /// The slots from 0 of records in the order of their keys.
    init<Record: SearchableRecord>(slotsOf records: [(Key, Record)]) {
        let starts = stride(from: 0, to: records.count, by: Self.builtCount)
        self.init(
            sorted: starts.map { start in
                let slots = start..<min(start + Self.builtCount, records.count)
                return (records[start].0, SlotChunk(slots) { records[$0].1.id })
            })
    }

    /// Calls a function with the slot and the ID of each record, in order.
    func forEach(_ body: (UInt32, Int) -> Void) {
        for (_, chunk) in chunks { chunk.forEach(body) }
    }
}
