import BTree

/// Builds the index of the words of many records in a fraction of the time of inserting them one by one.
///
/// The records come by slot, so that the postings of each word are encoded as they come.
struct WordIndexBuilder {
    /// A word with its postings so far.
    private struct Entry {
        let word: Word
        /// The posting of the newest record, which may get further fields.
        var newest: Posting
        var first: Posting?
        var encoder: PostingEncoder?
        var chunks: [(slot: UInt32, chunk: PostingChunk)] = []

        mutating func endPosting() {
            if encoder == nil {
                first = newest
                encoder = PostingEncoder(after: newest)
            } else {
                encoder?.append(newest)
                if let count = encoder?.count, count >= WordIndex.builtCapacity { endChunk() }
            }
        }

        mutating func endChunk() {
            guard let first, let encoder else { return }
            chunks.append((chunks.isEmpty ? 0 : first.slot, PostingChunk(first, encoder)))
            (self.first, self.encoder) = (nil, nil)
        }
    }

    private var entries: [Entry] = []
    /// The entry of each word by its hash, and -1 at free places.
    private var table = [Int32](repeating: -1, count: 1 << 12)

    /// Inserts a word of a record; slots do not descend.
    mutating func insert(_ word: Word, _ field: UInt8, of slot: UInt32) {
        var place = Int(truncatingIfNeeded: word.hash) & (table.count - 1)
        while table[place] >= 0, entries[Int(table[place])].word != word { place = (place + 1) & (table.count - 1) }
        guard table[place] >= 0 else {
            table[place] = Int32(entries.count)
            entries.append(Entry(word: word, newest: Posting(slot: slot, fields: field)))
            if entries.count > table.count / 2 { grow() }
            return
        }
        let index = Int(table[place])
        let newest = entries[index].newest
        if newest.slot == slot {
            entries[index].newest = Posting(slot: slot, fields: newest.fields | field)
        } else {
            entries[index].endPosting()
            entries[index].newest = Posting(slot: slot, fields: field)
        }
    }

    private mutating func grow() {
        table = [Int32](repeating: -1, count: 2 * table.count)
        for (index, entry) in entries.enumerated() {
            var place = Int(truncatingIfNeeded: entry.word.hash) & (table.count - 1)
            while table[place] >= 0 { place = (place + 1) & (table.count - 1) }
            table[place] = Int32(index)
        }
    }

    /// The index.
    mutating func finish() -> WordIndex {
        for index in entries.indices {
            entries[index].endPosting()
            entries[index].endChunk()
        }
        entries.sort { $0.word < $1.word }
        return WordIndex(
            sorted: entries.lazy.flatMap { entry in
                entry.chunks.lazy.map { (WordIndex.Key(word: entry.word, slot: $0.slot), $0.chunk) }
            })
    }
}
