import SookeModel
import Testing

@testable import Store

/// The result of `WriteTransaction.create`.
@Suite struct WriteTransactionCreateTests {
    static let place = #""address":"1 A","latitude":48,"longitude":-123"#

    /// The members of a new business, and its slug or why it is invalid.
    static let businesses: [(members: String, result: String)] = [
        (#""name":"Zed's Diner""#, "zeds-diner"), (#""name":"Zed's Diner","slug":"zeds""#, "zeds"),
        (#""name":"Zed's Diner","slug":null"#, "zeds-diner"),
        // Names need not be unique, slugs must.
        (#""name":"Pub""#, "pub-2"), (#""name":"Pub","slug":"pub""#, "taken: pub"),
        (#""name":"Zed's","slug":"shed""#, "taken: shed"),
        // Validation precedes the check whether the slug is taken.
        (#""name":"","slug":"pub""#, "name: must not be empty"),
        (#""name":"!!!""#, "slug: must not be empty"),
        (
            #""name":"X","category":"nope","owner_id":9"#,
            #"category: there is no category "nope"; owner_id: there is no user 9"#
        ),
        (#""name":"X","id":7"#, "x"),
        (#""name":"X","id":1"#, "id: 1 belongs to another business; leave it out to get a new one"),
    ]

    @Test(arguments: businesses)
    func aBusinessGetsASlugOrIsRefused(members: String, result: String) throws {
        var transaction = try TransactionTown.transaction()
        let before = transaction.town
        do {
            let made = try transaction.create(TransactionTown.patch(Business.self, "{\(members),\(Self.place)}"))
            #expect(made.slug.text == result)
            #expect(transaction.town.businesses[made.id]?.value == made)
            #expect(transaction.log == ["put business \(made.id)"])
        } catch let error as WriteError {
            #expect(error.words == result)
            #expect(transaction.log.isEmpty)
            #expect(lines(of: transaction.town) == lines(of: before))
        }
    }

    @Test func asManyAsOneLikesHaveOneName() throws {
        var transaction = try TransactionTown.transaction()
        let patch = try TransactionTown.patch(
            Event.self, #"{"name":"Gig","event_type":"music","starts_at":"2027-01-01T20:00:00Z"}"#)
        #expect(
            try (0..<4).map { _ in try transaction.create(patch).slug.text } == ["gig-2", "gig-3", "gig-4", "gig-5"])
    }

    @Test func aFormerSlugMayBeTaken() throws {
        var transaction = try TransactionTown.transaction()
        try transaction.update(1, TransactionTown.patch(Business.self, #"{"slug":"inn"}"#))
        #expect(transaction.town.businesses[formerly: Slug("pub")]?.value.id == 1)
        let made = try transaction.create(TransactionTown.patch(Business.self, #"{"name":"Pub",\#(Self.place)}"#))
        #expect(made.slug == Slug("pub"))
        #expect(transaction.town.businesses[formerly: Slug("pub")] == nil)
    }

    @Test func partsGetIDs() throws {
        var transaction = try TransactionTown.transaction()
        let made = try transaction.create(
            TransactionTown.patch(
                Business.self, #"{"name":"X",\#(Self.place),"menus":[{"name":"Taps"}],"hours":[\#(Self.closed)]}"#))
        #expect(made.menus.map(\.id) == [2])
        #expect(made.hours.map(\.id) == [1])
    }

    private static let closed = #"{"day_of_week":1,"is_closed":true}"#

    static let people: [(json: String, result: String)] = [
        (#"{"email":"cat@sooke.example"}"#, "3"),
        (#"{"email":"ANN@sooke.example"}"#, #"email: "ANN@sooke.example" is the address of another user"#),
        (#"{"display_name":"Cat"}"#, "email: must not be empty"),
    ]

    @Test(arguments: people)
    func aPersonGetsAnIDOrIsInvalid(json: String, result: String) throws {
        var transaction = try TransactionTown.transaction()
        do {
            #expect(try "\(transaction.create(TransactionTown.patch(Person.self, json)).id)" == result)
        } catch let error as WriteError {
            #expect(error.words == result)
            #expect(transaction.log.isEmpty)
        }
    }

    @Test func aTermIsMadeUniqueToo() throws {
        var transaction = try TransactionTown.transaction()
        #expect(
            try transaction.create(TransactionTown.patch(SookeModel.Category.self, #"{"name":"Bars!"}"#)).slug
                == Slug("bars-2"))
        // The slugs of the vocabularies are independent.
        #expect(try transaction.create(TransactionTown.patch(EventType.self, #"{"name":"Bars"}"#)).slug == Slug("bars"))
    }
}
