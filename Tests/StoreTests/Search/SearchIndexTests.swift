import Bytes
import SookeModel
import Testing

@testable import Store

/// The index through random changes, compared with one that is built at once and with a search of all texts.
@Suite struct SearchIndexTests {
    private static let words = [
        "tide", "tides", "tidal", "harbour", "harbor", "bakery", "bakeries", "café", "cafes", "pizza", "the", "co-op",
        "Joe's", "straße", "6742", "north", "norht", "and", "an",
    ]

    private func row(_ random: inout SplitMix64) -> SearchTown.Row {
        func text(_ count: Int) -> String { (0..<count).map { _ in random.pick(Self.words) }.joined(separator: " ") }
        return SearchTown.Row(
            name: text(1 + random.below(3)), category: random.below(4),
            description: random.once(in: 3) ? nil : text(random.below(6)), address: text(2),
            items: random.once(in: 2) ? [] : (0..<random.below(4)).map { _ in text(2) })
    }

    @Test(arguments: [1, 2, 3])
    func agreesWithASearchOfAllTexts(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var town = SearchTown.community([])
        var current: [Int: BusinessRecord] = [:]
        for step in 0..<1_200 {
            // Large IDs, as an import may have.
            let id = (1 + random.below(120)) * (random.once(in: 2) ? 1 : 1 << 44)
            if random.below(10) < (step < 900 ? 7 : 2) {
                let record = SearchTown.business(id, row(&random))
                current[id] = record
                town.put(record)
            } else {
                current[id] = nil
                town.remove(id)
            }
            guard step % 40 == 0 else { continue }
            expectSameContents(town.businesses.indexes.search, Array(current.values))
            for _ in 0..<4 {
                var query = (0..<1 + random.below(3)).map { _ in random.pick(Self.words + ["tid", "t", "ro"]) }
                // Joined words, parted ones, initials and acronyms.
                if random.once(in: 4) { query.append(random.pick(Self.words) + random.pick(Self.words)) }
                if random.once(in: 8) {
                    query.append(String((0..<3).compactMap { _ in random.pick(Self.words).first }))
                }
                let page: SearchPage<BusinessRecord> = try town.page(
                    PageRequest(size: 100), of: SearchQuery(query.joined(separator: " ")))
                let expected = naiveSearch(query, in: town)
                #expect(page.page.records.map(\.id) == Array(expected.prefix(100)), "\(query)")
                #expect(page.page.total == expected.count && !page.isBounded)
            }
        }
    }

    private func expectSameContents(_ index: SearchIndex<BusinessRecord>, _ records: [BusinessRecord]) {
        let built = SearchIndex(records)
        func contents(_ index: SearchIndex<BusinessRecord>) -> [String] {
            index.words.contents.map { word, postings in
                let shown = postings.map { (index.records[$0.slot]?.id ?? -1, $0.fields) }.sorted { $0 < $1 }
                return "\(word.bytes): \(shown)"
            }
        }
        #expect(contents(index) == contents(built))
        func order(_ index: SearchIndex<BusinessRecord>) -> [Int] {
            var ids: [Int] = []
            index.slots.forEach { slot, id in ids.append(index.records[slot]?.id == id ? id : -1) }
            return ids
        }
        #expect(order(index) == order(built))
    }

    /// The matches by reading all texts, in order.
    private func naiveSearch(_ query: [String], in town: Community) -> [Int] {
        let terms = (try? SearchQuery(query.joined(separator: " ")))?.terms ?? []
        let scored = town.businesses.listed.values.compactMap { record -> (score: Int, record: BusinessRecord)? in
            // The best scores of the first terms: each alone, or two as one word.
            var sums: [Int?] = [0]
            for (number, term) in terms.enumerated() {
                var sum = sums[number].flatMap { sum in naiveClass(term, record, town).map { sum + $0 } }
                if number > 0, case .word(let left) = terms[number - 1], case .word(let right) = term,
                    let before = sums[number - 1], let word = left.word.joined(with: right.word),
                    let found = naiveClass(.word(QueryWord(literal: word)), record, town)
                {
                    sum = min(sum ?? .max, before + 2 * found)
                }
                sums.append(sum)
            }
            return sums[terms.count].map { ($0, record) }
        }
        return scored.enumerated().sorted { ($0.element.score, $0.offset) < ($1.element.score, $1.offset) }
            .map(\.element.record.id)
    }

    private func naiveClass(_ term: SearchQuery.Term, _ record: BusinessRecord, _ town: Community) -> Int? {
        var texts: [(SearchField, String)] = []
        record.forEachText { texts.append(($0.field, $0.text)) }
        if let category = record.categoryID.flatMap({ town.categories[$0] }) {
            texts.append((.term, category.value.name))
        }
        func best(_ word: QueryWord) -> Int? {
            var best: Int?
            for (field, text) in texts {
                SearchText(field: field, text: text).forEachWord { other in
                    guard let match = word.match(other.word) else { return }
                    let isTypo = match >= .typo
                    let rank = other.kind == .acronym ? SearchField.address : field
                    let found =
                        (isTypo ? 12 : 0) + 2 * Int(rank.rawValue) + (match == .prefix || match == .prefixTypo ? 1 : 0)
                    best = min(best ?? found, found)
                }
            }
            return best
        }
        switch term {
        case .word(let word): return best(word)
        case .compound(let whole, let parts):
            let all = parts.map(best)
            let ofParts = all.contains(nil) ? nil : all.compactMap(\.self).max()
            return [best(whole), ofParts].compactMap(\.self).min()
        case .phrase: return nil
        }
    }

    @Test func catchesUpWithALaterVersion() throws {
        var random = SplitMix64(seed: 8)
        let rows = (0..<400).map { _ in row(&random) }
        let built = SearchTown.community(rows)
        for changes in [0, 5, 39, 200] {
            var later = built
            for _ in 0..<changes {
                let id = 1 + random.below(420)
                if random.once(in: 4) { later.remove(id) } else { later.put(SearchTown.business(id, row(&random))) }
            }
            var caughtUp = later
            caughtUp.takeSearch(from: built)
            expectSameContents(caughtUp.businesses.indexes.search, Array(later.businesses.inOrderOfID))
        }
    }

    @Test func anIndexThatWasNotBuiltStaysEmpty() {
        var index = SearchIndex<BusinessRecord>()
        let (old, new) = (SearchTown.business(1, .init(name: "A")), SearchTown.business(1, .init(name: "B")))
        index.insert(old, among: .init())
        index.replace(old, with: new, among: .init())
        index.remove(new, among: .init())
        index.rebuild([new])
        #expect(!index.isReady && index.slotCount == 0 && index.words.contents.isEmpty)
    }

    @Test func veryLongTextsAreCut() {
        let record = SearchTown.business(
            1, .init(name: "A", description: (0..<5_000).map { "w\($0)" }.joined(separator: " ")))
        #expect(record.searchWords.count <= BusinessRecord.mostWords + 1)
    }
}

extension Community {
    fileprivate mutating func put(_ record: BusinessRecord) { storage[0].businesses.put(record) }
    fileprivate mutating func remove(_ id: Int) { storage[0].businesses.remove(id: id) }
}
