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
            // Few words, so that some have many postings.
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
        #expect(index.lists.map(\.key) == expected.map(\.key))
        #expect(
            index.lists.map(\.value)
                == expected.map { $0.value.sorted { $0.key < $1.key }.map { Posting(slot: $0.key, fields: $0.value) } })
        var bySlot: [UInt32: [(word: Word, fields: UInt8)]] = [:]
        for (word, postings) in plain {
            for (slot, fields) in postings { bySlot[slot, default: []].append((word, fields)) }
        }
        let built = WordIndex(bySlot.sorted { $0.key < $1.key }.map { (slot: $0.key, words: $0.value) })
        #expect(built.lists.map(\.key) == index.lists.map(\.key))
        #expect(built.lists.map(\.value) == index.lists.map(\.value))
    }
}
