import JSON
import SookeModel
import Testing

/// The uses of the visit of a type's fields.
@Suite struct DescribedTests {
    private static func value(phone: String? = nil, formerSlugs: [Slug] = []) -> Business {
        var business = Business()
        (business.id, business.name, business.slug, business.phone) = (7, "é", Slug("e"), phone)
        (business.latitude, business.longitude, business.formerSlugs) = (48, -123, formerSlugs)
        return business
    }

    /// The before-image in the log: the members that differ, null for those that were left out.
    @Test(arguments: [
        (value(), value(), "{}"), (value(phone: "1"), value(phone: "2"), #"{"phone":"1"}"#),
        (value(), value(phone: ""), #"{"phone":null}"#),
        (value(), value(formerSlugs: [Slug("a")]), #"{"former_slugs":null}"#),
        (value(formerSlugs: [Slug("a")]), value(), #"{"former_slugs":["a"]}"#),
        // A different spelling of the same text in Unicode is a different text.
        (value(phone: "e\u{301}"), value(phone: "\u{E9}"), #"{"phone":"e\#u{301}"}"#),
    ])
    func difference(before: Business, after: Business, was: String) {
        #expect(String(decoding: before.writtenDifference(from: after), as: UTF8.self) == was)
        #expect((before == after) == (was == "{}") && before.difference(from: after).isEmpty == (was == "{}"))
    }

    /// Fields may come in any order.
    @Test(arguments: [
        #"{"id":3,"name":"Lunch","description":null,"items":[]}"#,
        #"{"items":[],"description":null,"name":"Lunch","id":3}"#, #"{"name":"Lunch","id":3}"#,
        #"{"description":null,"id":3,"items":[],"name":"Lunch"}"#,
    ])
    func readInAnyOrder(text: String) throws {
        var menu = Menu()
        var problems = FieldProblems()
        var reader = JSONReader(Array(text.utf8))
        let found = try menu.readFields(from: &reader, unknown: .reported(), &problems)
        try reader.finish()
        #expect(problems.isEmpty && menu.id == 3 && menu.name == "Lunch")
        #expect(found.contains("items") == text.contains("items") && found.contains("name"))
        #expect(menu.written == Array(#"{"id":3,"name":"Lunch","description":null,"items":[]}"#.utf8))
    }

    /// A member that is not a field is a problem for clients, and an error in stored data.
    @Test func membersThatAreNoFields() throws {
        let text = Array(#"{"a":[1],"id":3,"b":{}}"#.utf8)
        var menu = Menu()
        var problems = FieldProblems()
        var reader = JSONReader(text)
        _ = try menu.readFields(from: &reader, unknown: .reported(except: ["b"]), &problems)
        #expect(problems.all.map(\.field) == ["a"] && menu.id == 3)
        reader = JSONReader(text)
        #expect(throws: JSONError.self) { _ = try menu.readFields(from: &reader, unknown: .refused, &problems) }
        reader = JSONReader(Array("[]".utf8))
        problems = FieldProblems()
        _ = try menu.readFields(from: &reader, unknown: .reported(), &problems)
        try reader.finish()
        #expect(problems.all == [FieldProblem("", "must be an object")])
    }

    /// The row of hours that is written in one step has the same bytes as the output of the visit.
    @Test(arguments: [DayHours(dayOfWeek: 2, opens: .midnight, closes: .endOfDay), .closed(on: 6)])
    func hoursInOneStep(row: DayHours) {
        var visited = JSONWriter()
        visited.beginObject()
        row.writeFields(.all, to: &visited)
        visited.endObject()
        #expect(row.written == visited.bytes)
    }

    @Test func takesOnlyTheFieldsThatAreNamed() {
        var business = Self.value(phone: "1")
        business.take(["name", "phone"], from: Business())
        #expect(business.name.isEmpty && business.phone == nil && business.id == 7 && business.latitude == 48)
    }
}
