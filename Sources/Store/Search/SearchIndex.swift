import SookeModel

/// The index by which `q` finds the listed records of a table.
///
/// Each record has a slot, a small number that is reused, because IDs can be large: a search has an array of scores by
/// slot.
struct SearchIndex<Record: SearchableRecord>: Index {
    var isForQueries: Bool { true }

    private(set) var words = WordIndex()
    private(set) var slots = SortedMap<Record.SearchKey, (slot: UInt32, id: Int)>()
    private(set) var records = SortedMap<UInt32, Record>()
    private var freeSlots = SortedMap<UInt32, Void>()
    private(set) var slotCount: UInt32 = 0

    init() {}

    init(_ given: [Record]) {
        let listed = given.compactMap { record in record.searchKey.map { ($0, record) } }.sorted { $0.0 < $1.0 }
        let numbered = zip(0..<UInt32(listed.count), listed)
        words = WordIndex(numbered.lazy.map { ($0, $1.1.searchWords) })
        slots = SortedMap(numbered.lazy.map { ($1.0, ($0, $1.1.id)) })
        records = SortedMap(numbered.lazy.map { ($0, $1.1) })
        slotCount = UInt32(listed.count)
    }

    mutating func rebuild(_ given: [Record]) { self = Self(given) }

    /// The records to which those of the index refer in a field.
    func groups(in field: SearchField) -> [SearchGroup] {
        words.words(from: SearchGroup.words(in: field)).map { word, _ in
            SearchGroup(field: field, id: SearchGroup.id(of: word))
        }
    }

    mutating func insert(_ record: Record) {
        guard let key = record.searchKey else { return }
        let slot = freeSlots.first?.key ?? slotCount
        if freeSlots.removeValue(forKey: slot) == nil { slotCount += 1 }
        records.updateValue(record, forKey: slot)
        slots.updateValue((slot, record.id), forKey: key)
        for (word, fields) in record.searchWords { words.insert(Posting(slot: slot, fields: fields), of: word) }
    }

    mutating func remove(_ record: Record) {
        guard let key = record.searchKey, let slot = slots.removeValue(forKey: key)?.slot else { return }
        records.removeValue(forKey: slot)
        freeSlots.updateValue((), forKey: slot)
        for (word, _) in record.searchWords { words.remove(slot, from: word) }
    }

    mutating func replace(_ old: Record, with new: Record) {
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
