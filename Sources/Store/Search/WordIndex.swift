import SookeModel

/// A posting: a word occurs in some fields of the record with a slot.
struct Posting: Equatable, Sendable {
    let slot: UInt32
    /// The bits of the fields; see `SearchField`.
    let fields: UInt8
}

/// The words of all records of a table, each with its postings by slot: an inverted index.
struct WordIndex: Sendable {
    private(set) var lists = SortedMap<Word, [Posting]>()

    init() {}

    /// - Parameter words: those of each slot, in the order of the slots.
    init(_ words: some Sequence<(slot: UInt32, words: [(word: Word, fields: UInt8)])>) {
        var lists: [Word: [Posting]] = [:]
        for (slot, words) in words {
            for (word, fields) in words { lists[word, default: []].append(Posting(slot: slot, fields: fields)) }
        }
        self.lists = SortedMap(lists.lazy.map { ($0.key, $0.value) })
    }

    subscript(word: Word) -> [Posting] { lists[word] ?? [] }

    func words(from prefix: Word) -> some Sequence<(key: Word, value: [Posting])> {
        let last = prefix.last
        return lists.elements(from: prefix).lazy.prefix { $0.key <= last }
    }

    mutating func insert(_ posting: Posting, of word: Word) {
        var postings = self[word]
        let place = postings.firstIndex { $0.slot >= posting.slot } ?? postings.count
        if place < postings.count, postings[place].slot == posting.slot {
            postings[place] = posting
        } else {
            postings.insert(posting, at: place)
        }
        lists.updateValue(postings, forKey: word)
    }

    mutating func remove(_ slot: UInt32, from word: Word) {
        let postings = self[word].filter { $0.slot != slot }
        if postings.isEmpty { lists.removeValue(forKey: word) } else { lists.updateValue(postings, forKey: word) }
    }
}
