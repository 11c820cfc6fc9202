import BTree
import SookeModel

/// Builds the index of the words of many records in a fraction of the time of inserting them one by one.
///
/// The records come by slot, so the postings of each word come in their order. They are collected in blocks of one
/// array, which double in size, and encoded at the end.
struct WordIndexBuilder {
    private struct List {
        let first: Int
        /// The place of the newest posting, to which further fields of its record are added.
        var newest: Int
        /// The end of the block with the newest posting; the place of the next block is stored there.
        var end: Int
        var blockSize: Int
    }

    private var words: [Word] = []
    private var lists: [List] = []
    /// The postings, 26 bits for the slot, enough for 50 GB of records, and 6 for the fields; and the places of blocks.
    private var arena: [UInt32] = []
    /// The number of each word by its hash, and -1 at free places.
    private var table = [Int32](repeating: -1, count: 1 << 12)

    private static let smallestBlock = 2
    private static let largestBlock = 256

    /// Inserts a word of a record; slots do not descend.
    mutating func insert(_ word: Word, _ field: UInt8, of slot: UInt32) {
        var place = Int(truncatingIfNeeded: word.hash) & (table.count - 1)
        while table[place] >= 0, words[Int(table[place])] != word { place = (place + 1) & (table.count - 1) }
        guard table[place] >= 0 else {
            table[place] = Int32(words.count)
            words.append(word)
            let start = appendBlock(of: Self.smallestBlock)
            arena[start] = Self.encode(slot, field)
            lists.append(
                List(first: start, newest: start, end: start + Self.smallestBlock, blockSize: Self.smallestBlock))
            if words.count > table.count / 2 { grow() }
            return
        }
        append(slot, field, to: Int(table[place]))
    }

    private mutating func append(_ slot: UInt32, _ field: UInt8, to index: Int) {
        var list = lists[index]
        if arena[list.newest] >> 6 == slot {
            arena[list.newest] |= UInt32(field)
            return
        }
        list.newest += 1
        if list.newest == list.end {
            list.blockSize = min(2 * list.blockSize, Self.largestBlock)
            list.newest = appendBlock(of: list.blockSize)
            arena[list.end] = UInt32(list.newest)
            list.end = list.newest + list.blockSize
        }
        arena[list.newest] = Self.encode(slot, field)
        lists[index] = list
    }

    private static func encode(_ slot: UInt32, _ field: UInt8) -> UInt32 { slot << 6 | UInt32(field) }

    private mutating func appendBlock(of size: Int) -> Int {
        let start = arena.count
        for _ in 0...size { arena.append(0) }
        return start
    }

    private mutating func grow() {
        table = [Int32](repeating: -1, count: 2 * table.count)
        for (index, word) in words.enumerated() {
            var place = Int(truncatingIfNeeded: word.hash) & (table.count - 1)
            while table[place] >= 0 { place = (place + 1) & (table.count - 1) }
            table[place] = Int32(index)
        }
    }

    func finish() -> WordIndex {
        let sorted = words.indices.sorted { words[$0] < words[$1] }
        return WordIndex(
            sorted: sorted.lazy.flatMap { index in
                chunks(of: lists[index]).map { (WordIndex.Key(word: words[index], slot: $0), $1) }
            })
    }

    private func chunks(of list: List) -> [(UInt32, PostingChunk)] {
        var chunks: [(UInt32, PostingChunk)] = []
        var (place, size) = (list.first, Self.smallestBlock)
        var end = place + size
        var encoder: PostingEncoder?
        func endChunk() {
            guard let encoder else { return }
            chunks.append((chunks.isEmpty ? 0 : encoder.first.slot, PostingChunk(encoder)))
        }
        while true {
            let posting = Posting(slot: arena[place] >> 6, fields: UInt8(arena[place] & 0x3F))
            if let count = encoder?.count, count < WordIndex.builtCapacity {
                encoder?.append(posting)
            } else {
                endChunk()
                encoder = PostingEncoder(after: posting)
            }
            if place == list.newest { break }
            place += 1
            if place == end {
                size = min(2 * size, Self.largestBlock)
                (place, end) = (Int(arena[end]), Int(arena[end]) + size)
            }
        }
        endChunk()
        return chunks
    }
}
