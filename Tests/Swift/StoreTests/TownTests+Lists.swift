import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Store

/// What pages and sitemaps read of a town.
extension TownTests {
    /// Compared with scans of all records, while the town changes.
    @Test(arguments: [1, 2, 3])
    func listsHaveWhatAScanFinds(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var town = try RandomTown(&random)
        for _ in 0..<60 {
            for _ in 0..<5 { try town.change(&random) }
            let listed = town.town.businesses.inOrderOfID.filter { $0.categoryID != nil }
            #expect(town.town.listedCount == listed.count)
            let counts = ["bars", "shops"].map { slug in (slug, listed.count { $0.value.category == Slug(slug) }) }
            let found = town.town.listedCategories.map { ($0.category.slug.text, $0.count) }
            #expect("\(found)" == "\(counts.filter { $0.1 > 0 })")
            let ranks = Int.random(in: 0...20, using: &random)..<Int.random(in: 20...70, using: &random)
            let ordered = town.town.page(PageRequest(size: 100), of: BusinessQuery()).records.map(\.id)
            #expect(
                town.town.listedBusinesses(in: ranks).map(\.id)
                    == Array(ordered.dropFirst(ranks.lowerBound).prefix(ranks.count)))
            try expectOccurrences(in: town.town, &random)
        }
    }

    private func expectOccurrences(in town: Town, _ random: inout SplitMix64) throws {
        let start = Int.random(in: 0...100, using: &random)
        let range =
            Timestamp(
                clampingSeconds: start)..<Timestamp(clampingSeconds: start + Int.random(in: 0...60, using: &random))
        var query = EventQuery(range: range, clock: .utc(Timestamp.epoch))
        query.eventTypes = random.pick([nil, [Slug("music")], [Slug("fairs"), Slug("nothing")]])
        query.business = random.pick([nil, nil, Slug("b1"), Slug("nothing")])
        let business = query.business.flatMap { town.business($0, among: .listed) }
        let expected = town.events.inOrderOfID.filter { event in
            let value = event.value
            return (event.isListed || value.status == .cancelled)
                && query.eventTypes?.contains(value.eventType) != false
                && (query.business == nil || business != nil && event.businessID == business?.id)
                && event.hasOccurrence(in: range, at: query.clock, town.business(of: event))
        }
        let found = town.occurrences(of: query, limit: 3, visiting: .max)
        #expect(Set(found.map(\.event.value.id)) == Set(expected.map(\.value.id)), "\(range)")
        #expect(found.allSatisfy { $0.occurrence.isIn(range) })
    }

    /// Names in the order of people, with how many businesses each category has.
    @Test func listedCategoriesAreByName() throws {
        var transaction = WriteTransaction(Town())
        for name in ["Zoos", "éclairs", "Bars", "Empty", "apples"] {
            _ = try transaction.create(TransactionTown.patch(SookeModel.Category.self, #"{"name":"\#(name)"}"#))
        }
        #expect(transaction.town.listedCategories.isEmpty && transaction.town.listedBusinesses(in: 0..<10).isEmpty)
        for (name, category) in zip("ABCDF", ["zoos", "éclairs", "bars", "bars", "apples"]) {
            let fields = #""name":"\#(name)","category":"\#(category)","address":"1 A","latitude":48,"longitude":-123"#
            try transaction.create(TransactionTown.patch(Business.self, "{\(fields)}"))
        }
        let shown = transaction.town.listedCategories.map { "\($0.category.name) \($0.count)" }
        #expect(shown == ["apples 1", "Bars 2", "éclairs 1", "Zoos 1"])
    }
}
