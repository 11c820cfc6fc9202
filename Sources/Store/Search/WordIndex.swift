import BTree
import SookeModel

/// The words of all records of a table, each with its postings: an inverted index.
///
/// The postings of a word are in chunks, in a tree by word and slot, so that a version shares all unchanged chunks with
/// the one before. The keys of the tree are the vocabulary.
struct WordIndex: Sendable {
    /// Each chunk by its word and a slot that is at most its first, and above all slots before it.
    private(set) var chunks = BTree<Key, PostingChunk>()

    /// A changed posting copies half a kilobyte.
    private static let capacity = 512

    struct Key: Comparable, Sendable {
        let word: Word
        let slot: UInt32

        static func < (left: Key, right: Key) -> Bool {
            left.word == right.word ? left.slot < right.slot : left.word < right.word
        }
    }

    init() {}

    init(sorted chunks: some Sequence<(Key, PostingChunk)>) {
        self.chunks = BTree(sorted: chunks)
    }

    /// The most postings of a chunk that is built at once.
    static let builtCapacity: UInt16 = 384

    mutating func insert(_ posting: Posting, of word: Word) {
        guard let (key, chunk) = chunk(of: word, at: posting.slot) else {
            chunks.updateValue(PostingChunk(posting), forKey: Key(word: word, slot: 0))
            return
        }
        var postings = chunk.postings
        let place = postings.firstIndex { $0.slot >= posting.slot } ?? postings.count
        if place < postings.count, postings[place].slot == posting.slot {
            postings[place] = posting
        } else {
            postings.insert(posting, at: place)
        }
        if postings.count > Self.capacity {
            let upper = postings[(postings.count / 2)...]
            postings.removeSubrange(upper.indices)
            if let first = upper.first {
                chunks.updateValue(PostingChunk(upper, from: first), forKey: Key(word: word, slot: first.slot))
            }
        }
        chunks.updateValue(PostingChunk(postings, from: postings[0]), forKey: key)
    }

    mutating func remove(_ slot: UInt32, from word: Word) {
        guard let (key, chunk) = chunk(of: word, at: slot) else { return }
        let postings = chunk.postings.filter { $0.slot != slot }
        if let first = postings.first {
            chunks.updateValue(PostingChunk(postings, from: first), forKey: key)
        } else {
            chunks.removeValue(forKey: key)
        }
    }

    /// The chunk that has the posting of a word and a slot, or to which it belongs.
    private func chunk(of word: Word, at slot: UInt32) -> (Key, PostingChunk)? {
        let place = chunks.rank(of: Key(word: word, slot: slot))
        // A slot that is in the tree as a key, or else the one before.
        if place < chunks.count {
            let (key, chunk) = chunks.element(at: place)
            if key.word == word, key.slot == slot { return (key, chunk) }
        }
        guard place > 0 else { return nil }
        let (key, chunk) = chunks.element(at: place - 1)
        return key.word == word ? (key, chunk) : nil
    }

    func ranks(of word: Word) -> Range<Int> {
        let start = chunks.rank(of: Key(word: word, slot: 0))
        guard start < chunks.count, chunks.element(at: start).key.word == word else { return start..<start }
        return start..<chunks.rank(of: Key(word: word, slot: .max))
    }

    func ranks(ofPrefix prefix: Word) -> Range<Int> {
        let start = chunks.rank(of: Key(word: prefix, slot: 0))
        guard start < chunks.count, chunks.element(at: start).key.word.hasPrefix(prefix) else { return start..<start }
        return start..<chunks.rank(of: Key(word: prefix.last, slot: .max))
    }
}
