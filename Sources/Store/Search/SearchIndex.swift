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
    private(set) var words = WordIndex()
    private(set) var slots = BTree<Record.SearchKey, (slot: UInt32, id: Int)>()
    private(set) var records = BTree<UInt32, Record>()
    private var freeSlots = BTree<UInt32, Void>()
    private(set) var slotCount: UInt32 = 0

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
        slots = BTree(sorted: sorted.enumerated().lazy.map { ($1.0, (UInt32($0), $1.1.id)) })
        records = BTree(sorted: sorted.enumerated().lazy.map { (UInt32($0), $1.1) })
        slotCount = UInt32(sorted.count)
    }

    private static func inOrder(_ given: [Record]) -> [(Record.SearchKey, Record)] {
        let listed = given.compactMap { record in record.searchKey.map { ($0, record) } }
        let isSorted = zip(listed, listed.dropFirst()).allSatisfy { $0.0 < $1.0 }
        return isSorted ? listed : listed.sorted { $0.0 < $1.0 }
    }

    /// Changes what differs. If that is much, an index of few records is built from the start, and others are left to
    /// the store.
    mutating func rebuild(_ given: [Record]) {
        guard isReady else { return }
        let changes = changes(to: given)
        if changes.count <= Town.smallSearch {
            apply(changes)
        } else {
            self = given.count <= Town.smallSearch ? Self(given) : Self()
        }
    }

    func updated(to given: [Record]) -> Self {
        let changes = changes(to: given)
        guard changes.count <= given.count / 10 else { return Self(given) }
        var updated = self
        updated.apply(changes)
        return updated
    }

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
            case (let old?, let new?): replace(old, with: new)
            case (let old?, nil): remove(old)
            case (nil, let new?): insert(new)
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

    mutating func insert(_ record: Record) {
        guard isReady, let key = record.searchKey else { return }
        let slot = freeSlots.first?.key ?? slotCount
        if freeSlots.removeValue(forKey: slot) == nil { slotCount += 1 }
        records.updateValue(record, forKey: slot)
        slots.updateValue((slot, record.id), forKey: key)
        for (word, fields) in record.searchWords { words.insert(Posting(slot: slot, fields: fields), of: word) }
    }

    mutating func remove(_ record: Record) {
        guard isReady, let key = record.searchKey, let slot = slots.removeValue(forKey: key)?.slot else { return }
        records.removeValue(forKey: slot)
        freeSlots.updateValue((), forKey: slot)
        for (word, _) in record.searchWords { words.remove(slot, from: word) }
    }

    mutating func replace(_ old: Record, with new: Record) {
        guard isReady else { return }
        guard let before = old.searchKey, let after = new.searchKey, let slot = slots[before]?.slot else {
            remove(old)
            return insert(new)
        }
        if before != after {
            slots.removeValue(forKey: before)
            slots.updateValue((slot, new.id), forKey: after)
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
