import SookeModel
import Store
import Testing

@testable import Exchange

/// What the files of an editor may have.
@Suite struct ImportFileEditorsTests {
    private static func options(skipsInvalid: Bool = false) -> ImportOptions {
        var options = ImportOptions()
        (options.isByEditor, options.skipsInvalid) = (true, skipsInvalid)
        return options
    }

    private static let place = #""address":"1 A","latitude":48,"longitude":-123"#
    private static let header = "name,slug,category,address,latitude,longitude"
    private static let event = #""event_type":"live-music","starts_at":"2027-06-01T19:00:00-07:00""#

    /// Files and the only problem of each: a person is refused whether they have an account or not, in an invalid record,
    /// and with the right ID.
    private static let refused: [(name: String, text: String, problem: String)] = [
        ("x.json", #"{"users":[{"email":"sam@sooke.example"}]}"#, #""sam@sooke.example": users: \#(records)"#),
        ("x.json", #"{"users":[{"email":"una@sooke.example"}]}"#, #""una@sooke.example": users: \#(records)"#),
        ("x.json", #"{"users":[{"email":7}]}"#, "users: \(records)"),
        ("x.json", #"{"users":[7]}"#, "users: \(records)"),
        ("x.ndjson", #"{"user":{"email":"sam@sooke.example"}}"#, "users: \(records)"),
        ("x.json", #"{"settings":[{"name":"Otter"}]}"#, #""Otter": settings: \#(records)"#),
        ("x.json", #"{"passwords":[{"id":1}]}"#, "passwords: \(records)"),
        ("x.json", #"{"grants":[{"id":1}]}"#, "grants: \(records)"),
        ("x.json", #"{"businesses":[{"slug":"pub","owner_id":2}]}"#, #""pub": owner_id: \#(field)"#),
        ("x.json", #"{"businesses":[{"slug":"pub","owner_id":null}]}"#, #""pub": owner_id: \#(field)"#),
        ("x.json", #"{"businesses":[{"slug":"pub","owner_id":99}]}"#, #""pub": owner_id: \#(field)"#),
        ("x.json", #"{"businesses":[{"slug":"pub","confirmed_by":1}]}"#, #""pub": confirmed_by: \#(field)"#),
        ("x.json", #"{"events":[{"slug":"concert","submitted_by":1}]}"#, #""concert": submitted_by: \#(field)"#),
        ("x.csv", "\(header),owner\nPub,pub,bars,1 A,48,-123,sam@sooke.example", "owner: \(field)"),
        ("x.csv", "\(header),owner\nPub,pub,bars,1 A,48,-123,una@sooke.example", "owner: \(field)"),
        ("x.csv", "\(header),owner\nPub,pub,bars,1 A,48,-123,2", "owner: \(field)"),
        ("x.csv", "\(header),owner_email\nPub,pub,bars,1 A,48,-123,", "owner: \(field)"),
        (
            "x.csv",
            "name,event_type,starts_at,submitted_by\nDance,live-music,2027-06-01T19:00:00-07:00,sam@sooke.example",
            "submitted_by: \(field)"
        ),
    ]
    private static let records = "are imported by administrators only; leave them out"
    private static let field = "is set by administrators only; leave it out"

    @Test(arguments: refused)
    func peopleAndSettingsAreRefused(name: String, text: String, problem: String) throws {
        let line = name == "x.csv" ? 2 : 1
        for skipsInvalid in [false, true] {
            var town = try TestTown.small()
            let before = town.dataset
            let error = try #require(throws: ImportProblems.self) {
                try town.take(text, as: name, Self.options(skipsInvalid: skipsInvalid))
            }
            #expect(error.description == "\(name):\(line): \(problem)")
            #expect(town.dataset == before)
        }
    }

    @Test func publicDataIsTaken() throws {
        var town = try TestTown.small()
        let dataset = """
            {"categories":[{"name":"Shops"}],"event_types":[{"name":"Films"}],"users":[],"settings":[],
            "businesses":[{"name":"Kiosk","category":"shops",\(Self.place)},{"slug":"pub","phone":"1","category":null}],
            "events":[{"name":"Dance","status":"approved",\(Self.event)}]}
            """
        let report = try town.take(dataset, as: "x.json", Self.options())
        #expect(
            report.description
                == "categories: 1 new; event types: 1 new; businesses: 1 new, 1 changed; events: 1 new")
        #expect(try town.business("pub").ownerID == 2 && town.business("pub").category == nil)
        #expect(try town.event("dance").status == .approved && town.event("dance").submittedBy == nil)
        let table = Self.header + "\nPub,pub,bars,2 A,48,-123\n"
        #expect(try town.take(table, as: "x.csv", Self.options()).description == "businesses: 1 changed")
        #expect(try town.business("pub").ownerID == 2)
    }

    /// The public table of the directory can be edited and imported again.
    @Test func thePublicTableHasNoOwners() throws {
        var town = try TestTown.small()
        let rows = PublicRows<Business>()
        let text = String(decoding: rows.header + rows.row(of: try town.business("pub")), as: UTF8.self)
        let report = try town.take(text.replacing("1 Wharf St", with: "2 Wharf St"), as: "x.csv", Self.options())
        #expect(report.description == "businesses: 1 changed")
        #expect(try town.business("pub").ownerID == 2)
    }
}
