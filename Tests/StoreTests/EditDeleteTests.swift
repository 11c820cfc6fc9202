import SookeModel
import Testing

@testable import Store

/// What a deletion leaves behind.
@Suite struct EditDeleteTests {
    enum Target { case category, eventType, person, business, event }

    /// What is deleted, and which records change or why it is refused.
    static let deletions: [(target: Target, id: Int, result: [String])] = [
        (.category, 1, ["in use: 1"]),
        (.category, 2, ["deleted category 2"]),
        (.category, 9, ["not found"]),
        (.eventType, 2, ["in use: 1"]),
        (.eventType, 9, ["not found"]),
        (.business, 1, ["put event 1", "deleted business 1"]),
        (.business, 2, ["deleted business 2"]),
        (.business, 9, ["not found"]),
        (.event, 1, ["deleted event 1"]),
        (.event, 9, ["not found"]),
        (.person, 1, ["put business 1", "deleted user 1"]),
        (.person, 2, ["put event 1", "deleted user 2"]),
        (.person, 9, ["not found"]),
    ]

    @Test(arguments: deletions)
    func aRecordGoesOrTheDeletionIsRefused(target: Target, id: Int, result: [String]) throws {
        var edit = try EditTown.edit()
        let before = edit.community
        do {
            switch target {
            case .category: try edit.delete(SookeModel.Category(numbered: id))
            case .eventType: try edit.delete(EventType(numbered: id))
            case .person: try edit.deletePerson(id)
            case .business: try edit.deleteBusiness(id)
            case .event: try edit.deleteEvent(id)
            }
            #expect(edit.log == result)
            #expect(try edit.isRebuilt(from: before))
        } catch let error as EditError {
            #expect([error.words] == result)
            #expect(edit.log.isEmpty)
        }
    }

    @Test func anEventStaysWhereItsBusinessWas() throws {
        var edit = try EditTown.edit()
        try edit.deleteBusiness(1)
        let gig = try #require(edit.community.events[1]?.value)
        #expect(gig.business == nil)
        #expect(gig.latitude == 48.5)
        #expect(gig.longitude == -123.5)
        var problems = FieldProblems()
        gig.validateInput(&problems)
        #expect(problems.isEmpty)
        // Nothing uses the category now.
        try edit.delete(SookeModel.Category(numbered: 1))
        #expect(edit.community.categories[1] == nil)
    }

    @Test func whatWasAPersonsIsNobodys() throws {
        var edit = try EditTown.edit()
        try edit.deletePerson(1)
        try edit.deletePerson(2)
        #expect(edit.community.businesses[1]?.value.ownerID == nil)
        #expect(edit.community.events[1]?.value.submittedBy == nil)
        #expect(edit.community.people.count == 0)
    }

    @Test func aNumberIsNotGivenAgain() throws {
        var edit = try EditTown.edit()
        try edit.deleteEvent(2)
        try edit.deleteBusiness(2)
        try edit.deletePerson(2)
        let place = EditCreateTests.place
        #expect(try edit.create(EditTown.patch(Business.self, #"{"name":"Shed",\#(place)}"#)).id == 3)
        #expect(try edit.create(EditTown.patch(Person.self, #"{"email":"bob@sooke.example"}"#)).id == 3)
    }
}

extension Term {
    fileprivate init(numbered id: Int) {
        self.init()
        self.id = id
    }
}
