import SookeModel
import Testing

@testable import Store

/// The effects of a deletion.
@Suite struct WriteTransactionDeleteTests {
    enum Target { case category, eventType, person, business, event }

    /// The deleted record, and the changes or the error.
    static let deletions: [(target: Target, id: Int, result: [String])] = [
        (.category, 1, ["in use: 1"]), (.category, 2, ["deleted category 2"]), (.category, 9, ["not found"]),
        (.eventType, 2, ["in use: 1"]), (.eventType, 9, ["not found"]),
        (.business, 1, ["put event 1", "deleted business 1"]), (.business, 2, ["deleted business 2"]),
        (.business, 9, ["not found"]), (.event, 1, ["deleted event 1"]), (.event, 9, ["not found"]),
        (.person, 1, ["put business 1", "deleted user 1"]), (.person, 2, ["put event 1", "deleted user 2"]),
        (.person, 9, ["not found"]),
    ]

    @Test(arguments: deletions)
    func aRecordGoesOrTheDeletionIsRefused(target: Target, id: Int, result: [String]) throws {
        var transaction = try TransactionTown.transaction()
        let before = transaction.town
        do {
            switch target {
            case .category: try transaction.delete(SookeModel.Category(numbered: id))
            case .eventType: try transaction.delete(EventType(numbered: id))
            case .person: try transaction.deletePerson(id)
            case .business: try transaction.deleteBusiness(id)
            case .event: try transaction.deleteEvent(id)
            }
            #expect(transaction.log == result)
            #expect(try transaction.isRebuilt(from: before))
        } catch let error as WriteError {
            #expect([error.words] == result)
            #expect(transaction.log.isEmpty)
        }
    }

    @Test func anEventStaysWhereItsBusinessWas() throws {
        var transaction = try TransactionTown.transaction()
        try transaction.deleteBusiness(1)
        let gig = try #require(transaction.town.events[1]?.value)
        #expect(gig.business == nil)
        #expect(gig.latitude == 48.5)
        #expect(gig.longitude == -123.5)
        var problems = FieldProblems()
        gig.validateInput(&problems)
        #expect(problems.isEmpty)
        // No record uses the category any more.
        try transaction.delete(SookeModel.Category(numbered: 1))
        #expect(transaction.town.categories[1] == nil)
    }

    @Test func anIDIsNotReused() throws {
        var transaction = try TransactionTown.transaction()
        try transaction.deleteEvent(2)
        try transaction.deleteBusiness(2)
        try transaction.deletePerson(2)
        let place = WriteTransactionCreateTests.place
        #expect(try transaction.create(TransactionTown.patch(Business.self, #"{"name":"Shed",\#(place)}"#)).id == 3)
        #expect(try transaction.create(TransactionTown.patch(Person.self, #"{"email":"bob@sooke.example"}"#)).id == 3)
    }
}

extension Term {
    fileprivate init(numbered id: Int) {
        self.init()
        self.id = id
    }
}
