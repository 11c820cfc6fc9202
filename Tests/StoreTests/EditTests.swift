import JSON
import SookeModel
import Testing

@testable import Store

/// What a transaction does to the town, step by step.
@Suite struct EditTests {
    @Test func aNewRecordGetsTheNextNumberAndASlug() throws {
        var edit = try Self.town()
        #expect(
            try edit.upsert(Self.business(#"{"name":"Zed's Diner","address":"1 A","latitude":48,"longitude":-123}"#))
                == .created)
        #expect(edit.community.businesses[Slug("zeds-diner")]?.value.id == 3)
    }

    @Test func aNumberThatIsBroughtIsKept() throws {
        var edit = try Self.town()
        try edit.upsert(Self.business(#"{"id":70,"name":"X","address":"1 A","latitude":48,"longitude":-123}"#))
        try edit.upsert(Self.business(#"{"name":"Y","address":"1 A","latitude":48,"longitude":-123}"#))
        #expect(edit.community.businesses[Slug("x")]?.value.id == 70)
        #expect(edit.community.businesses[Slug("y")]?.value.id == 71)
    }

    @Test func theSameRecordAgainChangesNothing() throws {
        var edit = try Self.town()
        let before = edit.changes.count
        #expect(try edit.upsert(Self.business(Self.pub)) == .unchanged)
        #expect(edit.changes.count == before)
    }

    @Test func whatIsNotGivenStays() throws {
        var edit = try Self.town()
        #expect(try edit.upsert(Self.business(#"{"slug":"pub","phone":"250-555-0199"}"#)) == .updated)
        let pub = try #require(edit.community.businesses[Slug("pub")]?.value)
        #expect(pub.phone == "250-555-0199")
        #expect(pub.name == "Pub")
        #expect(pub.menus.count == 1)
        #expect(pub.hours.count == 1)
    }

    @Test func partsKeepTheirNumbersWhenGivenAgain() throws {
        var edit = try Self.town()
        let before = try #require(edit.community.businesses[Slug("pub")]?.value)
        try edit.upsert(
            Self.business(
                """
                {"slug":"pub","hours":[{"day_of_week":1,"is_closed":true},
                {"day_of_week":5,"open_time":"10:00","close_time":"12:00"}],
                "menus":[{"name":"New","items":[]},{"name":"Taps","items":[{"name":"Ale","price":"8.00"}]}]}
                """))
        let after = try #require(edit.community.businesses[Slug("pub")]?.value)
        #expect(after.hours.map(\.dayOfWeek) == [1, 5])
        #expect(after.hours[1].id == before.hours[0].id)
        #expect(after.menus.map(\.name) == ["Taps", "New"])
        #expect(after.menus[0].items[0].id == before.menus[0].items[0].id)
    }

    @Test func partsOfOneNameKeepTheirNumbersEach() throws {
        let twins = """
            {"slug":"pub","menus":[{"name":"Day","items":[{"name":"Soup","price":"3.00"},{"name":"Soup","price":"5.00"}]},
            {"name":"Night","items":[{"name":"Soup","price":"3.00"}]}]}
            """
        var edit = try Self.town()
        #expect(try edit.upsert(Self.business(twins)) == .updated)
        let menus = try #require(edit.community.businesses[Slug("pub")]?.value.menus)
        #expect(Set(menus.map(\.id)).count == 2)
        #expect(Set(menus[0].items.map(\.id)).count == 2)
        #expect(try edit.upsert(Self.business(twins)) == .unchanged)
    }

    @Test func aNumberThatIsBroughtIsNotGivenAgain() throws {
        var edit = try Self.town()
        try edit.upsert(Self.business(#"{"slug":"pub","menus":[{"id":9,"name":"A"},{"name":"B"}]}"#))
        #expect(edit.community.businesses[Slug("pub")]?.value.menus.map(\.id) == [9, 10])
    }

    @Test func anotherSpellingInUnicodeIsAChange() throws {
        var edit = try Self.town()
        try edit.upsert(Self.business("{\"slug\":\"pub\",\"name\":\"Caf\u{E9}\"}"))
        #expect(try edit.upsert(Self.business("{\"slug\":\"pub\",\"name\":\"Cafe\u{301}\"}")) == .updated)
    }

    @Test func aRefusedRecordUsesNoNumber() throws {
        var edit = try Self.town()
        let numbers = edit.community.numbers
        let bad = #"{"name":"X","address":"","latitude":48,"longitude":-123,"menus":[{"name":"M"}]}"#
        #expect(throws: FieldProblems.self) { try edit.upsert(Self.business(bad)) }
        #expect(edit.community.numbers == numbers)
    }

    static let refused: [(json: String, problem: String)] = [
        (#"{"slug":"pub","id":9}"#, "id: is 9, but this business has the number 1 here"),
        (
            #"{"id":1,"name":"Other","address":"1 A","latitude":48,"longitude":-123}"#,
            "id: 1 belongs to another business; leave it out to get a new one"
        ),
        (#"{"slug":"pub","category":"nope"}"#, #"category: there is no category "nope""#),
        (#"{"slug":"pub","owner_id":9}"#, "owner_id: there is no user 9"),
        (#"{"name":"!!!","address":"1 A","latitude":48,"longitude":-123}"#, "slug: must not be empty"),
    ]

    @Test(arguments: refused)
    func aBadRecordIsRefusedAndNothingRemains(json: String, problem: String) throws {
        var edit = try Self.town()
        let changes = edit.changes.map(\.change)
        let refusal = #expect(throws: FieldProblems.self) { try edit.upsert(Self.business(json)) }
        #expect(refusal?.all.map(\.description).contains(problem) == true)
        #expect(edit.changes.map(\.change) == changes)
        #expect(edit.community.businesses.count == 2)
    }

    @Test func changesAreAfterImagesThatRebuildTheTown() throws {
        let edit = try Self.town()
        var rebuilt = Community()
        for change in edit.changes + edit.changes { try rebuilt.apply(change.change, at: edit.at) }
        #expect(lines(of: rebuilt) == lines(of: edit.community))
    }

    static let pub = """
        {"category":"bars","name":"Pub","slug":"pub","address":"1 Wharf St","latitude":48.37,"longitude":-123.73,
        "hours":[{"day_of_week":5,"open_time":"11:30","close_time":"01:30"}],
        "menus":[{"name":"Taps","items":[{"name":"Ale","price":"7.50"}]}]}
        """

    /// A town with a category, a pub in it and a shed without one.
    static func town() throws -> Edit {
        var edit = Edit(Community())
        var problems = FieldProblems()
        var reader = JSONReader(Array(#"{"name":"Bars"}"#.utf8))
        try edit.upsert(Patch<SookeModel.Category>(from: &reader, &problems))
        try edit.upsert(business(pub))
        try edit.upsert(business(#"{"name":"Shed","address":"Behind","latitude":48,"longitude":-123}"#))
        return edit
    }

    static func business(_ json: String) throws -> Patch<Business> {
        var problems = FieldProblems()
        var reader = JSONReader(Array(json.utf8))
        let patch = try Patch<Business>(from: &reader, &problems)
        #expect(problems.isEmpty)
        return patch
    }
}

/// The lines of a town, as a snapshot holds them.
func lines(of community: Community) -> [String] {
    var lines: [String] = []
    community.forEachLine(whole: true) { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
}
