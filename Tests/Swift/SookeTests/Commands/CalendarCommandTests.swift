import Testing

@testable import sooke

/// `sooke calendar` on a folder without a server.
@Suite struct CalendarCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ words: String...) async throws -> (code: ExitCode, said: String) {
        try await CapturedConsole.run(words, on: folder)
    }

    @Test func addsListsAndRemoves() async throws {
        try folder.write(#"{"event_types":[{"name":"Talks"}]}"#, to: "town.json")
        #expect(try await run("import", "\(folder.path)/town.json").code == .success)
        let address = "https://library.example/secret.ics"
        let added = try await run("calendar", "add", address, "--name", "Library", "--event-type", "talks")
        #expect(added.said == "calendar 1 (Library) is added\n" && added.code == .success)
        let again = try await run("calendar", "add", address, "--name", "B", "--event-type", "talks")
        #expect(
            again.code == .badData && again.said.contains("is that of \"Library\"") && !again.said.contains("secret"))
        #expect(try await run("calendar", "list").said == "1  Library: not fetched yet, waits for accept\n")
        #expect(try await run("calendar", "pause", "1").said == "calendar 1 is paused\n")
        #expect(try await run("calendar", "list").said.hasPrefix("1  Library: paused, not fetched"))
        let list = try await run("calendar", "list", "--format", "csv").said
        #expect(list.contains("\r\nLibrary,\(address),,,talks,,publish\r\n"))
        #expect(try await run("calendar", "remove", "1").said == "calendar 1 is removed; its events stay\n")
        try folder.write(list + "Other,ftp://x,,,talks,,\r\n", to: "list.csv")
        let some = try await run("calendar", "add", "--file", "\(folder.path)/list.csv")
        #expect(some.code == .badData && some.said.contains("calendar 2 (Library) is added\n"))
        #expect(some.said.contains("Other: ") && some.said.contains("1 of 2 calendars were not added"))
        for words in [["fetch"], ["check", address]] {
            let refused = try await CapturedConsole.run(["calendar"] + words, on: folder)
            #expect(refused.code == .unavailable && refused.said.contains("no server runs on this folder"))
        }
    }
}
