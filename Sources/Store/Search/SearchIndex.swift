import BTree

/// The index by which `q` finds the listed records of a table.
///
/// Each record has a slot, a small number that is reused, because IDs can be large: a search has an array of scores by
/// slot. Building it takes longer than reading the records, so a table begins without it; `Store` builds it after the
/// start, and until then no record is found.
///
/// `NameIndex`, the index of the contract's `search`, shares nothing with it: that one finds any part of a name, over
/// the borders of words and with its accents and punctuation, of which an index of folded words knows nothing.
struct SearchIndex<Record: SearchableRecord>: Index {
    static var isForQueries: Bool { true }

    /// Whether the index has been built. Until then it has no records, and does not change.
    private(set) var isReady = false
    /// The words by slot.
    private(set) var words = WordIndex()
    /// The slots in the order of the records.
    private(set) var slots = SlotOrder<Record.SearchKey>()
    /// The records by slot.
    private(set) var records = BTree<UInt32, Record>()
    private var freeSlots = BTree<UInt32, Void>()
    /// The number of slots in use or free.
    private(set) var slotCount: UInt32 = 0

    /// An index that has not been built.
    init() {}

    /// The index of many records.
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
        slots = SlotOrder(sorted: sorted.map(\.0))
        records = BTree(sorted: sorted.enumerated().lazy.map { (UInt32($0), $1.1) })
        slotCount = UInt32(sorted.count)
    }

    /// The listed records in their order.
    private static func inOrder(_ given: [Record]) -> [(Record.SearchKey, Record)] {
        let listed = given.compactMap { record in record.searchKey.map { ($0, record) } }
        let isSorted = zip(listed, listed.dropFirst()).allSatisfy { $0.0 < $1.0 }
        return isSorted ? listed : listed.sorted { $0.0 < $1.0 }
    }

    /// Changes what differs, or builds the index anew if that is faster. One that has not been built stays so.
    mutating func rebuild(_ given: [Record]) {
        guard isReady else { return }
        let before = Dictionary(records.lazy.map { ($1.id, $1) }) { $1 }
        var (replaced, inserted, unchanged) = ([(Record, Record)](), [Record](), 0)
        for record in given where record.searchKey != nil {
            guard let old = before[record.id] else {
                inserted.append(record)
                continue
            }
            if old === record { unchanged += 1 } else { replaced.append((old, record)) }
        }
        let removedCount = before.count - unchanged - replaced.count
        guard 10 * (replaced.count + inserted.count + removedCount) < unchanged else {
            self = Self(given)
            return
        }
        if removedCount > 0 {
            let listed = Set(given.lazy.filter { $0.searchKey != nil }.map(\.id))
            for (id, old) in before where !listed.contains(id) { remove(old, among: BTree()) }
        }
        for (old, new) in replaced { replace(old, with: new, among: BTree()) }
        for record in inserted { insert(record, among: BTree()) }
    }

    /// The records to which those of the index refer in a field.
    func groups(in field: SearchField) -> [SearchGroup] {
        var groups: [SearchGroup] = []
        let ranks = words.ranks(ofPrefix: SearchGroup.words(in: field))
        for (key, _) in words.chunks.elements(at: ranks.lowerBound).prefix(ranks.count) {
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
        slots.insert(slot, key) { [records] in records[$0]?.searchKey }
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
            let slot = slots.slot(of: before, keyOf: { [records] in records[$0]?.searchKey })
        else {
            remove(old, among: all)
            return insert(new, among: all)
        }
        if before != after {
            _ = slots.remove(before) { [records] in records[$0]?.searchKey }
            slots.insert(slot, after) { [records] in records[$0]?.searchKey }
        }
        records.updateValue(new, forKey: slot)
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
