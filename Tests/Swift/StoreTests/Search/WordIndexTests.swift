import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Store

@Suite struct WordIndexTests {
    /// Random changes, compared with a dictionary and with an index that is built at once.
    @Test(arguments: 1...UInt64(Cases.count(1, of: 2)))
    func agreesWithADictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var index = WordIndex()
        var plain: [Word: [UInt32: UInt8]] = [:]
        for step in 0..<12_000 {
            // Few words, so that some have several chunks; sparse slots, so that postings take several bytes.
            let word = Word("w\(random.once(in: 2) ? 0 : random.below(30))".utf8)
            let slot = UInt32(random.below(2_000)) * (random.once(in: 2) ? 1 : 30_000)
            if random.below(10) < (step < 8_000 ? 8 : 2) {
                let fields = UInt8(1 + random.below(63))
                index.insert(Posting(slot: slot, fields: fields), of: word)
                plain[word, default: [:]][slot] = fields
            } else {
                let known = plain[word]?.keys.min() ?? slot
                let removed = random.once(in: 3) ? slot : known
                index.remove(removed, from: word)
                plain[word]?[removed] = nil
            }
            guard step % 1_500 == 0 || step == 11_999 else { continue }
            expectSame(index, plain)
        }
    }

    private func expectSame(_ index: WordIndex, _ plain: [Word: [UInt32: UInt8]]) {
        let expected = plain.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        #expect(index.contents.map(\.word) == expected.map(\.key))
        #expect(
            index.contents.map(\.postings)
                == expected.map { $0.value.sorted { $0.key < $1.key }.map { Posting(slot: $0.key, fields: $0.value) } })
        #expect(index.chunks.checkInvariants() == [])
        var builder = WordIndexBuilder()
        var bySlot: [UInt32: [(Word, UInt8)]] = [:]
        for (word, postings) in plain {
            for (slot, fields) in postings { bySlot[slot, default: []].append((word, fields)) }
        }
        for (slot, words) in bySlot.sorted(by: { $0.key < $1.key }) {
            for (word, fields) in words {
                // Field by field, as in a text.
                for bit in 0..<6 where fields & 1 << bit != 0 { builder.insert(word, 1 << bit, of: slot) }
            }
        }
        let built = builder.finish()
        #expect(built.contents.map(\.word) == index.contents.map(\.word))
        #expect(built.contents.map(\.postings) == index.contents.map(\.postings))
    }

    /// All words within one typo, compared with each word of the vocabulary.
    @Test(arguments: ["ab", "abcd", "abéж", "abcdefghijklmnop"])
    func findsEveryTypo(alphabet: String) {
        var random = SplitMix64(seed: UInt64(alphabet.utf8.count))
        let letters = Array(alphabet.unicodeScalars)
        func word(_ length: Int) -> Word {
            Word((0..<length).map { _ in String(random.pick(letters)) }.joined().utf8)
        }
        var vocabulary = (0..<500).map { _ in word(1 + random.below(9)) }
        vocabulary = Array(Set(vocabulary))
        var index = WordIndex()
        for (slot, word) in vocabulary.enumerated() {
            index.insert(Posting(slot: UInt32(slot), fields: 1), of: word)
            index.insert(Posting(slot: UInt32(slot), fields: 2), of: SearchGroup(field: .term, id: slot).word)
        }
        for _ in 0..<40 {
            let query = QueryWord(word(5 + random.below(4)))
            var seeks = 0
            var found: [Word: WordMatch] = [:]
            for expansion in index.expansions(of: query, seeks: &seeks) {
                for (key, _) in index.chunks.elements(at: expansion.ranks.lowerBound).prefix(expansion.ranks.count) {
                    found[key.word] = min(found[key.word] ?? expansion.match, expansion.match)
                }
            }
            var expected: [Word: WordMatch] = [:]
            for word in vocabulary { if let match = query.match(word) { expected[word] = match } }
            #expect(found == expected, "\(query.word.text)")
            #expect(seeks < query.word.scalars.count * (5 * letters.count + 10))
        }
    }
}

extension WordIndex {
    /// All words with their postings.
    var contents: [(word: Word, postings: [Posting])] {
        var contents: [(word: Word, postings: [Posting])] = []
        for (key, chunk) in chunks {
            if contents.last?.word == key.word {
                contents[contents.count - 1].postings += chunk.postings
            } else {
                contents.append((key.word, chunk.postings))
            }
        }
        return contents
    }
}
