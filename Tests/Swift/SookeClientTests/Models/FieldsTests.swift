import Foundation
import SookeModel
import Testing

@testable import SookeClient

/// Each field of the model reaches the app, and comes back, without a line for it in the client.
@Suite struct FieldsTests {
    /// Gives each field a value.
    private struct Filler<Subject: Described>: FieldVisitor {
        var subject = Subject()
        private(set) var names: [String] = []

        mutating func field<Value: FieldValue>(
            _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
            _ explanation: StaticString
        ) {
            let texts = [
                "7", "48.5", "2027-06-01T19:00:00Z", "2027-06-01", "09:30:00", "7.50", "true", "cancelled", "closed",
            ]
            let values = texts.lazy.compactMap { Value(cell: $0, isQuoted: true) }
            guard let value = values.first(where: { !$0.isSame(as: subject[keyPath: path]) }) else { return }
            subject[keyPath: path] = value
            names.append("\(name)")
        }
    }

    private static func filled<Value: ResponseValue>(_ type: Value.Type) -> (value: Value, names: [String]) {
        var filler = Filler<Value>()
        Value.visit(&filler)
        return (filler.subject, filler.names)
    }

    /// Fills the fields, and decodes what it encodes.
    private static func check<Value: ResponseValue, Joined: Codable & Hashable & Sendable>(
        _ joined: Joined, lists: FieldSet<Value>, edit: (inout Value) -> Void = { _ in }
    ) throws {
        var (value, names) = filled(Value.self)
        edit(&value)
        let expected = Value.inResponses
        #expect(FieldSet<Value>(where: { _ in true }).names.filter { !names.contains($0) } == lists.names)
        let shown = Shown(value, joined)
        let read = try JSONDecoder().decode(Shown<Value, Joined>.self, from: JSONEncoder().encode(shown))
        let lost = value.difference(from: read.value).subtracting(FieldSet.all.subtracting(expected))
        #expect(lost.names == [], "\(Value.self)")
    }

    @Test func everyFieldComesBack() throws {
        let item = Self.filled(SookeModel.MenuItem.self).value
        var menu = Self.filled(SookeModel.Menu.self).value
        menu.items = [item]
        var row = Self.filled(SpecialHours.self).value
        row.isClosed = true
        try Self.check(NothingJoined(), lists: ["synonyms"] as FieldSet<SookeModel.Category>)
        try Self.check(NothingJoined(), lists: [] as FieldSet<SookeModel.MenuItem>)
        try Self.check(NothingJoined(), lists: ["items"]) { $0 = menu }
        try Self.check(NothingJoined(), lists: [] as FieldSet<EventOverride>)
        try Self.check(
            JoinedInDetails(category: "Bars"),
            lists: ["hours", "special_hours", "menus", "former_slugs"] as FieldSet<SookeModel.Business>
        ) { business in
            business.hours = [.closed(on: 3)]
            (business.specialHours, business.menus) = ([row], [menu])
        }
        try Self.check(
            JoinedToEvent(eventTypeName: "Sports", startTime: "2027-06-01T19:00:00Z", endTime: "2027-06-01T19:00:00Z"),
            lists: ["exdates", "rdates", "overrides", "former_slugs", "sources"] as FieldSet<SookeModel.Event>
        ) { event in
            let start = [event.startsLocal].compactMap(\.self)
            (event.exdates, event.rdates) = (start, start)
            event.overrides = [Self.filled(EventOverride.self).value]
        }
    }

    private static let business = #"""
        "id":1,"slug":"a","address":"1 A","latitude":48,"longitude":-123,"category_name":"Bars","category_slug":"bars"
        """#

    /// A later server has further members, and values of forms that are not known here.
    @Test func ofALaterServer() throws {
        let menus = #"[{"id":1,"name":"M","items":[],"stars":5}]"#
        let text = #"{\#(Self.business),"name":"Pub","phone":7,"hours":"late","menus":\#(menus),"stars":5}"#
        let business = try JSONDecoder().decode(BusinessDetails.self, from: Data(text.utf8))
        #expect(business.name == "Pub" && business.phone == nil && business.hours == [])
        #expect(business.menus.map(\.name) == ["M"] && business.categorySlug == "bars")
        #expect(business.latitude == 48 && business.longitude == -123)
    }

    /// What every record has is missing, or has another form.
    @Test(arguments: ["", #","name":null"#, #","name":5"#])
    func withoutAName(name: String) {
        let text = "{\(Self.business)\(name)}"
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Business.self, from: Data(text.utf8))
        }
    }
}
