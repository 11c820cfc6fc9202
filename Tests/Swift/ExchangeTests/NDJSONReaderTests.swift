import SookeModel
import Store
import Testing

@testable import Exchange

/// One record per line.
@Suite struct NDJSONReaderTests {
    @Test(arguments: ["\n", "\r\n", "\n\n \t\n"])
    func readsARecordALine(lineEnd: String) throws {
        var town = try TestTown.small()
        let lines = [
            #"{"event":{"event_type":"jazz","business":"club","name":"Gig","starts_at":"2027-01-01T00:00:00Z"}}"#,
            #" {"business": {"name":"Club","address":"1 A","latitude":48,"longitude":-123,"owner_id":9}} "#,
            #"{"user":{"id":9,"email":"x@sooke.example"}}"#, #"{"event_type":{"name":"Jazz"}}"#,
            #"{"category":{"name":"Clubs"}}"#, #"{"settings":{"name":"Sooke"}}"#,
            #"{"notice":{"title":"Snow"}}"#,
        ]
        let report = try town.take(lines.joined(separator: lineEnd), as: "x.ndjson")
        #expect(Town.sharedKinds.allSatisfy { report[$0].created == 1 })
        #expect(try town.event("gig").business == Slug("club"))
    }

    private static let kinds = "settings, category, event_type, user, business, event or notice"
    static let messages: [(text: String, problems: [String])] = [
        ("", []),
        ("\n \n", []),
        (
            "\n{}",
            ["x.ndjson:2: must be an object with one key, which is \(kinds)"]
        ),
        (
            #"{"busines":{}}"#,
            ["x.ndjson:1: must be an object with one key, which is \(kinds)"]
        ),
        (
            #"{"grant":{"id":1}}"#,
            ["x.ndjson:1: must be an object with one key, which is \(kinds)"]
        ),
        (
            #"{"business":{"slug":"pub"},"event":{}}"#,
            ["x.ndjson:1: event: is one key too many: a line holds one record"]
        ),
        (
            "{\"business\":{\"slug\":\"pub\",\"phone\":1}}\n{\"business\":\n{\"category\":{\"slug\":\"bars\",\"id\":\"1\"}}",
            [
                "x.ndjson:1: phone: must be a text",
                "x.ndjson:2: column 13: expected a value, found the end of the document",
                "x.ndjson:3: id: must be a whole number",
            ]
        ),
        ("[]", ["x.ndjson:1: column 1: expected an object, found an array"]),
    ]

    @Test(arguments: messages)
    func saysWhatIsWrong(text: String, problems: [String]) throws {
        #expect(try TestTown.small().problems(with: text, as: "x.ndjson") == problems)
    }
}
