import BTree
import SookeModel

struct Expansion: Sendable {
    let ranks: Range<Int>
    let match: WordMatch
}

extension WordIndex {
    /// The best matches first; some may occur several times. `seeks` increases by the number of searches in the tree.
    func expansions(of query: QueryWord, seeks: inout Int) -> [Expansion] {
        seeks += 2
        let exact = ranks(of: query.word)
        let prefix = ranks(ofPrefix: query.word)
        var found = [Expansion(ranks: exact, match: .exact)]
        if exact.isEmpty {
            found.append(Expansion(ranks: prefix, match: .prefix))
        } else {
            found.append(Expansion(ranks: exact.upperBound..<prefix.upperBound, match: .prefix))
        }
        if query.allowsTypo {
            var walk = TypoWalk(self, query.word.scalars)
            walk.run()
            seeks += walk.seeks
            found += walk.words.map { Expansion(ranks: $0, match: .typo) }
            found += walk.prefixes.withoutContained.map { Expansion(ranks: $0, match: .prefixTypo) }
        }
        return found.filter { !$0.ranks.isEmpty }
    }
}

/// A walk along a word through the vocabulary, which tries each single typo at each letter.
///
/// The letters that may be inserted or replace another one are those that follow in the vocabulary, so that the walk
/// ends where no word goes on like the query. It takes some hundred searches in the tree, however large it is; a second
/// tree of reversed words would double the memory.
private struct TypoWalk {
    private let index: WordIndex
    private let letters: [Unicode.Scalar]
    private(set) var words: [Range<Int>] = []
    private(set) var prefixes: [Range<Int>] = []
    private(set) var seeks = 0

    init(_ index: WordIndex, _ letters: [Unicode.Scalar]) {
        (self.index, self.letters) = (index, letters)
    }

    mutating func run() {
        for place in letters.indices {
            let start = letters[..<place]
            let (letter, rest) = (letters[place], letters[(place + 1)...])
            // One too many, and two swapped.
            insert(start + rest)
            if let next = rest.first, next != letter { insert(start + [next, letter] + rest.dropFirst()) }
            let following = followers(of: start)
            for other in following where other != letter {
                insert(start + [other] + rest)
                insert(start + [other, letter] + rest)
            }
            if !following.contains(letter) { return }
        }
    }

    private mutating func insert(_ letters: ArraySlice<Unicode.Scalar>) {
        let word = Word(letters.utf8)
        seeks += 1
        let all = index.ranks(ofPrefix: word)
        guard !all.isEmpty else { return }
        seeks += 1
        let exact = index.ranks(of: word)
        if !exact.isEmpty { words.append(exact) }
        let longer = (exact.isEmpty ? all.lowerBound : exact.upperBound)..<all.upperBound
        if !longer.isEmpty { prefixes.append(longer) }
    }

    private mutating func followers(of start: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
        var followers: [Unicode.Scalar] = []
        let bytes = start.utf8
        guard bytes.count < Word.capacity else { return [] }
        // Below the first letter are the words of groups.
        var rank = index.chunks.rank(of: WordIndex.Key(word: Word(bytes + [Word.lowestLetter]), slot: 0))
        let prefix = Word(bytes)
        while rank < index.chunks.count {
            seeks += 1
            let word = index.chunks.element(at: rank).key.word
            guard word.hasPrefix(prefix) else { break }
            guard let follower = word.scalars.dropFirst(start.count).first else { break }
            followers.append(follower)
            let after = Word(bytes + [Unicode.Scalar](CollectionOfOne(follower))[...].utf8).last
            rank = index.chunks.rank(of: WordIndex.Key(word: after, slot: .max))
        }
        return followers
    }
}

extension ArraySlice<Unicode.Scalar> {
    fileprivate var utf8: [UInt8] { flatMap { UTF8.encode($0) ?? UTF8.encodedReplacementCharacter } }
}

extension [Range<Int>] {
    /// The ranges that no other contains; two of them overlap only if one contains the other.
    fileprivate var withoutContained: [Range<Int>] {
        var kept: [Range<Int>] = []
        for range in sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }) {
            if let last = kept.last, range.upperBound <= last.upperBound { continue }
            kept.append(range)
        }
        return kept
    }
}
