import Bytes
import SookeModel
import Testing

@testable import Store

/// The work of searches that would take long, counted and not timed.
@Suite struct SearchLimitTests {
    private static let index: SearchIndex<BusinessRecord> = {
        var random = SplitMix64(seed: 4)
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let records = (1...4_000).map { id in
            let words = (0..<30).map { _ in String((0..<1 + random.below(6)).map { _ in random.pick(letters) }) }
            return SearchTown.business(
                id, .init(name: "Shop \(id)", description: "to be in the town " + words.joined(separator: " ")))
        }
        return SearchIndex(records)
    }()

    private func run(_ query: String, _ limits: SearchLimits) throws -> (total: Int, work: SearchWork) {
        var run = SearchRun(try SearchQuery(query), in: Self.index, names: [], limits: limits)
        let (_, total) = run.page(PageRequest(), where: nil)
        return (total, run.work)
    }

    @Test(arguments: [
        "e", "e e e e e e e e e e", "a b c d e f g h i j", "a ab abc abcd b bc bcd c cd cde", "the town in to be",
        "shop", "\"in the town\"", "abcde bcdef cdefg defgh efghi fghij ghijk hijkl ijklm jklmn",
        "co-op to-be in-the a-b",
    ])
    func aSearchTakesNoMoreStepsThanItsLimit(_ query: String) throws {
        let free = try run(query, SearchLimits(steps: .max, phraseRecords: .max, filteredRecords: .max))
        #expect(!free.work.isBounded)
        for steps in [0, 1_000, 50_000] {
            let bounded = try run(query, SearchLimits(steps: steps, phraseRecords: .max, filteredRecords: .max))
            #expect(bounded.work.steps <= steps)
            #expect(bounded.work.isBounded == (free.work.steps > steps), "\(free.work.steps)")
            #expect(bounded.total <= free.total)
        }
    }

    @Test func aPhraseReadsNoMoreRecordsThanItsLimit() throws {
        let bounded = try run("\"in the town\"", SearchLimits(phraseRecords: 100))
        #expect(bounded.work.verifiedRecords == 100 && bounded.work.isBounded && bounded.total == 100)
        let free = try run("\"in the town\"", SearchLimits(phraseRecords: 4_000))
        #expect(!free.work.isBounded && free.total == 4_000)
        // A single word needs no look at the texts.
        #expect(try run("\"town\"", SearchLimits(phraseRecords: 0)).total == 4_000)
    }

    @Test func aPredicateIsAppliedToNoMoreRecordsThanItsLimit() throws {
        var count = 0
        let limits = SearchLimits(filteredRecords: 300)
        var run = SearchRun(try SearchQuery("shop"), in: Self.index, names: [], limits: limits)
        let (records, total) = run.page(PageRequest()) { _ in
            count += 1
            return count % 2 == 0
        }
        #expect(count == 300 && total == 150 && run.work.isBounded && records.count == 20)
    }

    @Test func noMoreNamesAreReadThanTheLimit() throws {
        let names = (1...30).map { SearchName(SearchGroup(field: .term, id: $0), "Kind \($0)") }
        for (most, isBounded) in [(29, true), (30, false)] {
            let run = SearchRun(
                try SearchQuery("kind"), in: Self.index, names: names, limits: SearchLimits(names: most))
            #expect(run.names.all.count == most && run.work.isBounded == isBounded)
        }
    }
}
