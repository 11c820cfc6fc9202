import Bytes
import SookeModel
import Testing

@testable import Store

/// The result of `WriteTransaction.update`.
@Suite struct WriteTransactionUpdateTests {
    /// A patch of the record with an ID, and the changes or the error.
    static let patches: [(id: Int, json: String, result: [String])] = [
        (1, #"{"phone":"250-555-0101"}"#, ["put business 1"]),
        // An unchanged record is not recorded.
        (1, "{}", []), (1, #"{"name":"Pub","category":"bars","slug":"pub"}"#, []), (1, #"{"id":1}"#, []),
        (1, #"{"slug":null}"#, []),
        // A new slug replaces the old one in records that refer to it.
        (1, #"{"slug":"inn"}"#, ["put business 1", "put event 1"]), (2, #"{"slug":"inn"}"#, ["put business 2"]),
        (1, #"{"name":"The Inn"}"#, ["put business 1"]), (9, #"{"name":"X"}"#, ["not found"]),
        (1, #"{"slug":"shed"}"#, ["taken: shed"]), (1, #"{"slug":"shed","name":""}"#, ["name: must not be empty"]),
        (1, #"{"id":2}"#, ["id: is 2, but this business has the ID 1 here"]),
        (1, #"{"category":"nope"}"#, [#"category: there is no category "nope""#]),
        (1, #"{"menus":[{"name":"Taps"},{"name":""}]}"#, ["menus[1].name: must not be empty"]),
    ]

    @Test(arguments: patches)
    func aBusinessIsChangedOrThePatchRefused(id: Int, json: String, result: [String]) throws {
        var transaction = try TransactionTown.transaction()
        let before = transaction.town
        do {
            let changed = try transaction.update(id, TransactionTown.patch(Business.self, json))
            #expect(transaction.log == result)
            #expect(transaction.town.businesses[id]?.value == changed)
            #expect(try transaction.isRebuilt(from: before))
        } catch let error as WriteError {
            #expect([error.words] == result)
            #expect(transaction.log.isEmpty)
            #expect(lines(of: transaction.town) == lines(of: before))
        }
    }

    @Test func aNewNameLeavesTheSlug() throws {
        var transaction = try TransactionTown.transaction()
        #expect(
            try transaction.update(1, TransactionTown.patch(Business.self, #"{"name":"The Inn"}"#)).slug == Slug("pub"))
        #expect(
            try transaction.update(1, TransactionTown.patch(Business.self, #"{"slug":null}"#)).slug == Slug("the-inn"))
    }

    @Test func whatIsNotGivenStays() throws {
        var transaction = try TransactionTown.transaction()
        let before = try #require(transaction.town.businesses[1]?.value)
        let after = try transaction.update(
            1,
            TransactionTown.patch(
                Business.self, #"{"menus":[{"name":"Taps","items":[{"name":"Ale","price":"8.00"}]}]}"#))
        #expect(after.category == before.category)
        #expect(after.menus[0].id == before.menus[0].id)
        #expect(after.menus[0].items[0].id == before.menus[0].items[0].id)
        #expect(after.menus[0].items[0].price.cents == 800)
        #expect(try transaction.update(1, TransactionTown.patch(Business.self, #"{"category":null}"#)).category == nil)
    }

    @Test func formerSlugsAreStoredUntilTheyAreTheSlugAgain() throws {
        var transaction = try TransactionTown.transaction()
        func rename(to slug: String) throws -> [String] {
            try transaction.update(1, TransactionTown.patch(Business.self, #"{"slug":"\#(slug)"}"#)).formerSlugs.map(
                \.text)
        }
        #expect(try rename(to: "inn") == ["pub"])
        #expect(try rename(to: "bar") == ["pub", "inn"])
        #expect(try rename(to: "pub") == ["inn", "bar"])
        #expect(try rename(to: "bar") == ["inn", "pub"])
        for slug in ["inn", "pub"] { #expect(transaction.town.businesses[formerly: Slug(slug)]?.value.id == 1) }
        #expect(transaction.town.businesses[formerly: Slug("bar")] == nil)
        #expect(transaction.town.events[1]?.value.business == Slug("bar"))
    }

    /// The oldest of more than 16 is dropped; changing back and forth adds none.
    @Test(arguments: ["business", "event"])
    func formerSlugsAreBounded(kind: String) throws {
        var transaction = try TransactionTown.transaction()
        func rename(to slug: String) throws -> [String] {
            let json = #"{"slug":"\#(slug)"}"#
            let slugs =
                kind == "event"
                ? try transaction.update(1, TransactionTown.patch(Event.self, json)).formerSlugs
                : try transaction.update(1, TransactionTown.patch(Business.self, json)).formerSlugs
            return slugs.map(\.text)
        }
        for number in 1...40 { _ = try rename(to: "name-\(number)") }
        #expect(try rename(to: "name-41") == (25...40).map { "name-\($0)" })
        for _ in 1...20 {
            _ = try rename(to: "a")
            #expect(try rename(to: "b").count == 16)
        }
        #expect(try rename(to: "a") == (27...41).map { "name-\($0)" } + ["b"])
    }

    /// Each step of an event, and its former slugs afterwards: those with which it was public.
    @Test(
        arguments: [
            ("draft", [(#"{"slug":"a"}"#, []), (#"{"slug":"b","status":"rejected"}"#, []), (#"{"slug":"c"}"#, [])]),
            ("pending_review", [(#"{"slug":"a"}"#, []), (#"{"status":"approved"}"#, []), (#"{"slug":"b"}"#, ["a"])]),
            ("pending_review", [(#"{"slug":"a","status":"approved"}"#, []), (#"{"slug":"b"}"#, ["a"])]),
            ("approved", [(#"{"slug":"a","status":"rejected"}"#, ["gig"])]),
            (
                "approved",
                [
                    (#"{"status":"rejected"}"#, ["gig"]), (#"{"slug":"a"}"#, ["gig"]), (#"{"slug":"b"}"#, ["gig"]),
                    (#"{"status":"approved"}"#, ["gig"]), (#"{"slug":"gig"}"#, ["b"]),
                ]
            ),
            ("cancelled", [(#"{"status":"pending_review"}"#, ["gig"]), (#"{"status":"approved"}"#, [])]),
        ] as [(String, [(String, [String])])])
    func formerSlugsOfAnEventAreThoseThatWerePublic(status: String, steps: [(json: String, former: [String])]) throws {
        var transaction = try TransactionTown.transaction()
        try transaction.upsert(TransactionTown.patch(Event.self, #"{"slug":"gig","status":"\#(status)"}"#))
        for step in steps {
            let event = try transaction.update(1, TransactionTown.patch(Event.self, step.json))
            #expect(event.formerSlugs.map(\.text) == step.former, "\(step.json)")
        }
    }

    /// The lists by status, compared with a scan of all events.
    @Test func listsByStatus() throws {
        var transaction = try TransactionTown.transaction()
        let statuses = Event.Status.allCases
        func add(_ number: Int, to transaction: inout WriteTransaction) throws {
            var event = Event()
            (event.name, event.eventType, event.startsAt) = (
                "E\(number)", Slug("music"), Timestamp(clampingSeconds: number)
            )
            (event.slug, event.status) = (Slug("e\(number)"), statuses[number % 5])
            event.submittedBy = [nil, 1, 2][number % 3]
            event.business = number % 7 == 0 ? Slug("pub") : nil
            event.id = 100 + number
            transaction.append(.put(AnyRecord(event)))
        }
        for number in 1...1_200 { try add(number, to: &transaction) }
        for number in stride(from: 1, to: 1_200, by: 13) { try transaction.deleteEvent(100 + number) }
        for number in stride(from: 2, to: 1_190, by: 13) { try add(number + (number % 3) * 5, to: &transaction) }
        let all = transaction.town.events.inOrderOfID.map(\.value)
        for status in statuses {
            let page = transaction.town.page(PageRequest(number: 3, size: 50), of: EventStatusQuery(status))
            let wanted = all.filter { $0.status == status }
            #expect(page.records.map(\.value) == Array(wanted[100..<150]) && page.total == wanted.count)
            if status.isPublic { continue }
            for person in [1, 2] {
                let mine = wanted.filter { $0.submittedBy == person }
                #expect(transaction.town.hiddenEventCount(of: status, submittedBy: person) == mine.count)
                for isOwner in [true, false] {
                    // Ann, who has the ID 1, owns the pub.
                    let known = wanted.filter {
                        $0.submittedBy == person || isOwner && person == 1 && $0.business == Slug("pub")
                    }
                    let page = transaction.town.page(
                        PageRequest(number: 2, size: 20),
                        of: EventStatusQuery(status, visibleTo: .init(id: person, isOwner: isOwner)))
                    #expect(page.records.map(\.value) == Array(known.dropFirst(20).prefix(20)))
                    #expect(page.total == known.count)
                }
            }
        }
    }

    @Test func aTermThatIsRenamedIsRenamedWhereItIsUsed() throws {
        var transaction = try TransactionTown.transaction()
        let before = transaction.town
        try transaction.update(1, TransactionTown.patch(SookeModel.Category.self, #"{"slug":"pubs"}"#))
        try transaction.update(1, TransactionTown.patch(EventType.self, #"{"name":"Concerts","slug":"concerts"}"#))
        #expect(transaction.log == ["put category 1", "put business 1", "put event_type 1", "put event 1"])
        #expect(transaction.town.businesses[1]?.value.category == Slug("pubs"))
        #expect(transaction.town.events[1]?.value.eventType == Slug("concerts"))
        #expect(transaction.town.page(PageRequest(), of: BusinessQuery(category: Slug("pubs"))).total == 1)
        #expect(try transaction.isRebuilt(from: before))
    }

    static let people: [(json: String, result: [String])] = [
        (#"{"display_name":"Ann"}"#, ["put user 1"]), (#"{"email":"ann@sooke.example"}"#, []),
        (#"{"email":"Ann@sooke.example"}"#, ["put user 1"]),
        (#"{"email":"bob@sooke.example"}"#, [#"email: "bob@sooke.example" is the address of another user"#]),
        (#"{"role":"super_admin","email":""}"#, ["email: must not be empty"]),
    ]

    @Test(arguments: people)
    func aPersonIsChangedOrThePatchRefused(json: String, result: [String]) throws {
        var transaction = try TransactionTown.transaction()
        do {
            try transaction.update(1, TransactionTown.patch(Person.self, json))
            #expect(transaction.log == result)
        } catch let error as WriteError {
            #expect([error.words] == result)
            #expect(transaction.log.isEmpty)
        }
    }
}
