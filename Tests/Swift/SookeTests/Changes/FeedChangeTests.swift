import JSON
import Testing

@testable import sooke

@Suite struct FeedChangeTests {
    private static let renamed =
        #"{"kind":"event_type","action":"updated","id":3,"slug":"music","former_slug":"jazz","record":{"id":3}}"#
    private static let deleted = #"{"kind":"business","action":"deleted","id":7,"slug":"zeds"}"#

    private func entry(_ by: String, _ fields: String) throws -> HistoryEntry {
        var reader = JSONReader(
            Array(
                #"{"sequence":5,"at":"2026-11-21T09:30:00.25Z","by":\#(by),"action":"updated","changes":[\#(fields)]}"#
                    .utf8
            ))
        return try HistoryEntry(from: &reader)
    }

    @Test(arguments: [
        (renamed, "event-types/3", "updated event type music (was jazz)"),
        (deleted, "businesses/7", "deleted business zeds"),
    ])
    func saysWhatIsKnown(data: String, subject: String, line: String) throws {
        let change = try FeedChange(Array(data.utf8))
        #expect(change.subject == subject)
        #expect(change.line(nil) == line)
    }

    @Test(arguments: [
        (#""local""#, "local"), (#"{"id":4,"display_name":"Ada","email":"ada@town.example"}"#, "ada@town.example"),
        (#"{"id":4,"display_name":null,"email":null}"#, "account 4"),
    ])
    func namesTheAuthor(by: String, shown: String) throws {
        let entry = try entry(
            by, #"{"field":"name","before":"Old","after":"New"},{"field":"hours","before":[],"after":[1]}"#)
        let change = try FeedChange(Array(Self.renamed.utf8))
        #expect(
            change.line(entry)
                == #"2026-11-21T09:30:00Z  updated event type music (was jazz)  name "Old" → "New", hours  (by \#(shown))"#
        )
        #expect(
            try FeedChange(Array(Self.deleted.utf8)).line(entry)
                == "2026-11-21T09:30:00Z  deleted business zeds  (by \(shown))")
    }

    @Test func refusesOtherData() {
        #expect(throws: JSONError.self) { try FeedChange(Array("{}x".utf8)) }
    }
}
