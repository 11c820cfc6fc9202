import SookeModel
import Testing

@testable import Store

/// The rules for requests and imports do not affect stored records.
@Suite struct InputRulesTests {
    private static func words(_ body: () throws -> Void) throws -> String {
        do {
            try body()
            return ""
        } catch let error as WriteError {
            return error.words
        } catch let error as FieldProblems {
            return WriteError.invalid(error).words
        }
    }

    /// Why an update is refused; empty when it is not.
    private static func refusal<Value: WritableRecord>(
        _ transaction: inout WriteTransaction, _ id: Int, _ type: Value.Type, _ json: String
    ) throws -> String {
        let patch = try TransactionTown.patch(type, json)
        return try words { try transaction.update(id, patch) }
    }

    // MARK: - Names that are unique

    @Test(
        arguments: [
            (#"{"name":"Bars"}"#, "name taken: Bars"), (#"{"name":"bars"}"#, ""), (#"{"name":"Bars "}"#, ""),
            (#"{"name":"Bars","slug":"other"}"#, "name taken: Bars"),
        ])
    func aTermsNameIsItsOwn(json: String, refusal: String) throws {
        var (transaction, other) = (try TransactionTown.transaction(), try TransactionTown.transaction())
        #expect(
            try Self.words { try transaction.create(TransactionTown.patch(SookeModel.Category.self, json)) } == refusal)
        #expect(try Self.refusal(&other, 2, SookeModel.Category.self, json) == refusal)
        transaction = try TransactionTown.transaction()
        let imported = try Self.words { try transaction.upsert(TransactionTown.patch(SookeModel.Category.self, json)) }
        // Without a slug, the record is identified by its name.
        #expect(imported == (json.contains("other") ? #"name: "Bars" is the name of another category"# : ""))
        #expect(
            try Self.words { try transaction.create(TransactionTown.patch(EventType.self, #"{"name":"Bars"}"#)) } == "")
    }

    @Test func aTermOfADoubleNameCanBeChanged() throws {
        var transaction = try TransactionTown.transaction()
        var twin = SookeModel.Category()
        (twin.id, twin.name, twin.slug) = (9, "Bars", Slug("twin"))
        transaction.apply(.put(AnyRecord(twin)))
        #expect(try Self.refusal(&transaction, 9, SookeModel.Category.self, #"{"slug":"t"}"#) == "")
        let same = try TransactionTown.patch(SookeModel.Category.self, #"{"name":"Bars"}"#)
        #expect(try Self.words { try transaction.update(9, same) } == "")
        let other = try TransactionTown.patch(SookeModel.Category.self, #"{"name":"Shops"}"#)
        #expect(try Self.words { try transaction.update(9, other) } == "name taken: Shops")
    }

    @Test(
        arguments: [
            (
                #"{"menus":[{"name":"Day"},{"name":"Day"}]}"#,
                "menus[1].name: is the name of another menu of this business"
            ),
            (#"{"menus":[{"name":"caf\u00e9"},{"name":"cafe\u0301"}]}"#, ""),
            (#"{"menus":[{"name":"Day"},{"name":"Night"},{"name":"day"}]}"#, ""),
        ])
    func aMenusNameIsItsOwnInABusiness(json: String, refusal: String) throws {
        var transaction = try TransactionTown.transaction()
        #expect(try Self.refusal(&transaction, 1, Business.self, json) == refusal)
    }

    @Test func menusOfADoubleNameCanBeChanged() throws {
        var transaction = try TransactionTown.transaction()
        var pub = try #require(Business.find(1, in: transaction.town))
        var (twin, third) = (pub.menus[0], pub.menus[0])
        (twin.id, third.id) = (20, 21)
        pub.menus.append(twin)
        transaction.apply(.put(AnyRecord(pub)))
        #expect(try Self.refusal(&transaction, 1, Business.self, #"{"name":"Zed's"}"#) == "")
        var patch = Patch<Business>()
        (patch.values.menus, patch.fields) = (pub.menus, ["menus"])
        patch.values.menus[1].description = "Pints"
        #expect(try Self.words { try transaction.update(1, patch) } == "")
        patch.values.menus.append(third)
        #expect(
            try Self.words { try transaction.update(1, patch) }
                == "menus[2].name: is the name of another menu of this business")
    }

    // MARK: - Size

    private static func menu(of items: Int, named name: String = "Long") -> Menu {
        var menu = Menu()
        menu.name = name
        menu.items = (0..<items).map { number in
            var item = MenuItem()
            (item.name, item.price) = ("item \(number)", Price(cents: 100) ?? .unpriced)
            item.description = String(repeating: "x", count: 9_900)
            return item
        }
        return menu
    }

    @Test func aBusinessHasASize() throws {
        var transaction = try TransactionTown.transaction()
        var patch = Patch<Business>()
        (patch.values.menus, patch.fields) = ([Self.menu(of: 26)], ["menus"])
        #expect(try Self.words { try transaction.update(1, patch) } == "")
        patch.values.menus = [Self.menu(of: 27)]
        let refusal = try Self.words { try transaction.update(1, patch) }
        #expect(refusal.hasPrefix("menus: make the business 26"))
        #expect(refusal.hasSuffix(" bytes large, at most 262144 are allowed"))
    }

    @Test func aLargeBusinessMayBecomeSmaller() throws {
        var transaction = try TransactionTown.transaction()
        var pub = try #require(Business.find(1, in: transaction.town))
        var menu = Self.menu(of: 40)
        menu.id = 20
        for index in menu.items.indices { menu.items[index].id = 100 + index }
        pub.menus.append(menu)
        transaction.apply(.put(AnyRecord(pub)))
        #expect(try Self.refusal(&transaction, 1, Business.self, #"{"name":"Public house"}"#) == "")
        var patch = Patch<Business>()
        (patch.values.menus, patch.fields) = (pub.menus, ["menus"])
        patch.values.menus[1].items.removeLast()
        #expect(try Self.words { try transaction.update(1, patch) } == "")
        patch.values.menus[1].items.append(menu.items[39])
        #expect(try Self.words { try transaction.update(1, patch) }.hasPrefix("menus: make the business"))
    }

    // MARK: - Earlier records

    @Test func whatWasStoredBeforeDoesNotMakeATransactionInvalid() throws {
        var transaction = try TransactionTown.transaction()
        var ann = try #require(Person.find(1, in: transaction.town))
        ann.email = "ann,bob@sooke.example"
        transaction.apply(.put(AnyRecord(ann)))
        var pub = try #require(Business.find(1, in: transaction.town))
        (pub.email, pub.description) = ("a;b@sooke.example", String(repeating: "x", count: 10_001))
        transaction.apply(.put(AnyRecord(pub)))
        #expect(try Self.refusal(&transaction, 1, Person.self, #"{"display_name":"Ann"}"#) == "")
        #expect(try Self.refusal(&transaction, 1, Business.self, #"{"name":"Zed's"}"#) == "")
        #expect(
            try Self.refusal(&transaction, 1, Person.self, #"{"email":"x,y@sooke.example"}"#)
                == "email: must be an e-mail address like name@example.org")
        #expect(
            try Self.refusal(&transaction, 1, Business.self, #"{"name":"","email":"x;y@z.example"}"#)
                == "name: must not be empty; email: must be an e-mail address like name@example.org")
    }

    /// Either field of a rule about two fields violates it.
    @Test func aChangeOfOneFieldIsValidatedWithTheOther() throws {
        var transaction = try TransactionTown.transaction()
        #expect(try Self.refusal(&transaction, 1, Event.self, #"{"ends_at":"2027-01-01T21:00:00Z"}"#) == "")
        let later = try TransactionTown.patch(Event.self, #"{"starts_at":"2027-01-01T22:00:00Z"}"#)
        #expect(try Self.words { try transaction.update(1, later) } == "ends_at: must not lie before starts_at")
    }
}
