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
        #expect(transaction.town.listedCategories.isEmpty && transaction.town.listedCount == 0)
        #expect(transaction.town.listedBusinesses(in: 0..<10).isEmpty)
        for (name, category) in [
            ("A", #""zoos""#), ("B", #""éclairs""#), ("C", #""bars""#), ("D", #""bars""#), ("E", "null"),
            ("F", #""apples""#),
        ] {
            try transaction.create(
                TransactionTown.patch(
                    Business.self,
                    #"{"name":"\#(name)","category":\#(category),"address":"1 A","latitude":48,"longitude":-123}"#))
        }
        let town = transaction.town
        #expect(
            town.listedCategories.map { "\($0.category.name) \($0.count)" } == [
                "apples 1", "Bars 2", "éclairs 1", "Zoos 1",
            ])
        #expect(town.listedCount == 5)
        #expect(town.listedBusinesses(in: 1..<3).map(\.name) == ["B", "C"])
        #expect(town.listedBusinesses(in: 4..<100).map(\.name) == ["F"] && town.listedBusinesses(in: 5..<9).isEmpty)
    }

    /// Events in a range, those too that were to be there but are cancelled: which of them a query finds.
    @Test(arguments: [
        ("2027-01-01T20:00:00Z", "null", "null", "2027-01-01", "2027-01-02", true),
        ("2027-01-01T20:00:00Z", "null", "null", "2027-01-02", "2027-01-03", false),
        // Its end is after the range begins.
        ("2027-01-01T20:00:00Z", #""2027-01-02T02:00:00Z""#, "null", "2027-01-02", "2027-01-03", true),
        // Each date of a series, not only the first one.
        ("2027-01-01T20:00:00Z", "null", #""FREQ=WEEKLY;COUNT=4""#, "2027-01-15", "2027-01-16", true),
        ("2027-01-01T20:00:00Z", "null", #""FREQ=WEEKLY;COUNT=4""#, "2027-01-16", "2027-01-17", false),
        ("2027-01-01T20:00:00Z", "null", #""FREQ=WEEKLY;COUNT=4""#, "2027-01-29", "2027-01-30", false),
    ])
    func occurrences(
        start: String, end: String, rule: String, from: String, to: String, isFound: Bool
    ) throws {
        for status in ["cancelled", "approved", "draft", "pending_review", "rejected"] {
            var transaction = try TransactionTown.transaction()
            try transaction.create(
                TransactionTown.patch(
                    Event.self,
                    #"{"name":"Off","event_type":"fairs","starts_at":"\#(start)","ends_at":\#(end),"#
                        + #""rrule":\#(rule),"status":"\#(status)"}"#))
            let first = try #require(Timestamp(rfc3339: "\(from)T00:00:00Z"))
            let last = try #require(Timestamp(rfc3339: "\(to)T00:00:00Z"))
            var query = EventQuery(range: first..<last, clock: .utc(first))
            let found = transaction.town.occurrences(of: query, limit: 3, visiting: 10)
            let isShown = isFound && ["approved", "cancelled"].contains(status)
            #expect(found.map(\.event.value.name).filter { $0 == "Off" } == (isShown ? ["Off"] : []))
            // Without a range there is nothing that it was to be in.
            query.range = nil
            #expect(transaction.town.occurrences(of: query, limit: 3, visiting: 10).isEmpty)
        }
    }
}
