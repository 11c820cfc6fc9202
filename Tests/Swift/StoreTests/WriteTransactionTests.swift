import JSON
import SookeModel
import Testing

@testable import Store

/// The steps of a transaction.
@Suite struct WriteTransactionTests {
    @Test func aGivenIDIsStored() throws {
        var transaction = try Self.town()
        try transaction.upsert(Self.business(#"{"id":70,"name":"X","address":"1 A","latitude":48,"longitude":-123}"#))
        try transaction.upsert(Self.business(#"{"name":"Y","address":"1 A","latitude":48,"longitude":-123}"#))
        #expect(transaction.town.businesses[Slug("x")]?.value.id == 70)
        #expect(transaction.town.businesses[Slug("y")]?.value.id == 71)
    }

    @Test func matchingPartsKeepTheirIDs() throws {
        var transaction = try Self.town()
        let before = try #require(transaction.town.businesses[Slug("pub")]?.value)
        try transaction.upsert(
            Self.business(
                """
                {"slug":"pub","hours":[{"day_of_week":1,"is_closed":true},
                {"day_of_week":5,"open_time":"10:00","close_time":"12:00"}],
                "menus":[{"name":"New","items":[]},{"name":"Taps","items":[{"name":"Ale","price":"8.00"}]}]}
                """))
        let after = try #require(transaction.town.businesses[Slug("pub")]?.value)
        #expect(after.hours.map(\.dayOfWeek) == [1, 5])
        #expect(after.hours[1].id == before.hours[0].id)
        #expect(after.menus.map(\.name) == ["Taps", "New"])
        #expect(after.menus[0].items[0].id == before.menus[0].items[0].id)
    }

    @Test func partsOfOneNameKeepTheirIDs() throws {
        let twins = """
            {"slug":"pub","menus":[{"name":"Day","items":[{"name":"Soup","price":"3.00"},{"name":"Soup","price":"5.00"}]},
            {"name":"Night","items":[{"name":"Soup","price":"3.00"}]}]}
            """
        var transaction = try Self.town()
        #expect(try transaction.upsert(Self.business(twins)) == .updated)
        let menus = try #require(transaction.town.businesses[Slug("pub")]?.value.menus)
        #expect(Set(menus.map(\.id)).count == 2)
        #expect(Set(menus[0].items.map(\.id)).count == 2)
        #expect(try transaction.upsert(Self.business(twins)) == .unchanged)
    }

    @Test func aGivenIDIsNotReused() throws {
        var transaction = try Self.town()
        try transaction.upsert(Self.business(#"{"slug":"pub","menus":[{"id":9,"name":"A"},{"name":"B"}]}"#))
        #expect(transaction.town.businesses[Slug("pub")]?.value.menus.map(\.id) == [9, 10])
    }

    @Test func anInvalidRecordUsesNoID() throws {
        var transaction = try Self.town()
        let sequences = transaction.town.sequences
        let bad = #"{"name":"X","address":"1 A","latitude":48,"menus":[{"name":"M"}]}"#
        #expect(throws: FieldProblems.self) { try transaction.upsert(Self.business(bad)) }
        #expect(transaction.town.sequences == sequences)
    }

    @Test(arguments: [1, 1000]) func manyRecordsAreFoundAsIfPutOneByOne(announced: Int) throws {
        var (one, many) = (try Self.town(), try Self.town())
        Self.putAndChangeSome(&one)
        many.putMany(announced) { Self.putAndChangeSome(&$0) }
        #expect(lines(of: many.town) == lines(of: one.town))
        let queries = [
            BusinessQuery(), BusinessQuery(category: Slug("bars")), BusinessQuery(search: "pub"),
            BusinessQuery(search: "shop"), BusinessQuery(search: "shed"),
        ]
        for query in queries {
            let found = many.town.page(PageRequest(size: 100), of: query).records.map(\.slug)
            #expect(found == one.town.page(PageRequest(size: 100), of: query).records.map(\.slug), "\(query)")
            #expect(!found.isEmpty, "\(query)")
        }
    }

    /// New shops and pubs out of order, a pub with another name, a shed with a category, and a deletion.
    private static func putAndChangeSome(_ transaction: inout WriteTransaction) {
        do {
            for number in [7, 3, 9, 1, 5] {
                for name in ["Shop", "Pub"] {
                    try transaction.upsert(
                        business(
                            #"{"name":"\#(name) \#(number)","category":"bars","address":"1 A","latitude":48,"longitude":-123}"#
                        ))
                }
            }
            try transaction.upsert(business(#"{"slug":"pub","name":"The Old Pub"}"#))
            try transaction.upsert(business(#"{"slug":"pub-3","name":"A Pub"}"#))
            try transaction.upsert(business(#"{"slug":"shed","category":"bars"}"#))
            try transaction.deleteBusiness(try #require(transaction.town.businesses[Slug("shop-9")]?.id))
        } catch {
            Issue.record(error)
        }
    }

    static let pub = """
        {"category":"bars","name":"Pub","slug":"pub","address":"1 Wharf St","latitude":48.37,"longitude":-123.73,
        "hours":[{"day_of_week":5,"open_time":"11:30","close_time":"01:30"}],
        "menus":[{"name":"Taps","items":[{"name":"Ale","price":"7.50"}]}]}
        """

    /// A town with a category, a pub in it and a shed without one.
    static func town() throws -> WriteTransaction {
        var transaction = WriteTransaction(Town())
        var problems = FieldProblems()
        var reader = JSONReader(Array(#"{"name":"Bars"}"#.utf8))
        try transaction.upsert(Patch<SookeModel.Category>(from: &reader, &problems))
        try transaction.upsert(business(pub))
        try transaction.upsert(business(#"{"name":"Shed","address":"Behind","latitude":48,"longitude":-123}"#))
        return transaction
    }

    static func business(_ json: String) throws -> Patch<Business> {
        var problems = FieldProblems()
        var reader = JSONReader(Array(json.utf8))
        let patch = try Patch<Business>(from: &reader, &problems)
        #expect(problems.isEmpty)
        return patch
    }
}

/// The lines of a town in a snapshot.
func lines(of community: Town) -> [String] {
    var lines: [String] = []
    community.forEachLine(whole: true) { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
}
