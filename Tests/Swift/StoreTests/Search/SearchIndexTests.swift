import Bytes
import SookeModel
import TestSupport
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

    @Test(arguments: 1...UInt64(Cases.count(1, of: 3)))
    func agreesWithASearchOfAllTexts(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var town = SearchTown.town([])
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
                let text = query.joined(separator: " ")
                let asked = try SearchQuery(random.once(in: 8) ? "\"\(text)\"" : text)
                let page: SearchPage<BusinessRecord> = town.page(PageRequest(size: 100), of: asked)
                let expected = search(asked, in: town)
                #expect(page.page.records.map(\.id) == Array(expected.prefix(100)), "\(query)")
                #expect(page.page.total == expected.count && !page.isBounded)
            }
        }
    }

    private func expectSameContents(_ index: SearchIndex<BusinessRecord>, _ records: [BusinessRecord]) {
        let built = SearchIndex(records)
        func contents(_ index: SearchIndex<BusinessRecord>) -> [String] {
            index.words.lists.map { word, postings in
                let shown = postings.map { (index.records[$0.slot]?.id ?? -1, $0.fields) }.sorted { $0 < $1 }
                return "\(word.bytes): \(shown)"
            }
        }
        #expect(contents(index) == contents(built))
        func order(_ index: SearchIndex<BusinessRecord>) -> [Int] {
            index.slots.map { index.records[$0.value.slot]?.id == $0.value.id ? $0.value.id : -1 }
        }
        #expect(order(index) == order(built))
    }

    /// The matches by reading all texts, in order.
    private func search(_ query: SearchQuery, in town: Town) -> [Int] {
        let scorer = SearchScorer(query)
        let scored = town.businesses.listed.map(\.value).compactMap { record -> (score: Int, id: Int)? in
            var texts: [SearchText] = []
            record.forEachText { texts.append($0) }
            if let category = record.categoryID.flatMap({ town.categories[$0] }) {
                texts.append(SearchText(field: .term, text: category.value.name))
            }
            return scorer.score(of: texts).map { ($0, record.id) }
        }
        return scored.enumerated().sorted { ($0.element.score, $0.offset) < ($1.element.score, $1.offset) }
            .map(\.element.id)
    }

    @Test func veryLongTextsAreCut() {
        let record = SearchTown.business(
            1, .init(name: "A", description: (0..<5_000).map { "w\($0)" }.joined(separator: " ")))
        #expect(record.searchWords.count <= BusinessRecord.mostWords + 1)
    }
}

extension Town {
    fileprivate mutating func put(_ record: BusinessRecord) { storage[0].businesses.put(record) }
    fileprivate mutating func remove(_ id: Int) { storage[0].businesses.remove(id: id) }
}
