import Testing

@testable import sooke

/// `sooke audit` without a server; the route has tests of its own.
@Suite struct AuditCommandTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try folder.write("name,address,latitude,longitude\nShop,1 Wharf Road,48.37,-123.73\n", to: "shops.csv")
        try #require(try await run(["import", "\(folder.path)/shops.csv"]).code == .success)
        try #require(try await run(["user", "add", "ada@town.example"]).code == .success)
        try #require(try await run(["user", "promote", "ada@town.example", "--role", "editor"]).code == .success)
    }

    private func run(_ words: [String]) async throws -> (code: ExitCode, said: String) {
        try await CapturedConsole.run(words, on: folder)
    }

    /// The newest first, in words or as the API has them.
    @Test func showsTheNewestEntries() async throws {
        let lines = try await run(["audit"]).said.split(separator: "\n")
        #expect(lines.count == 2)
        let end = "by the owner of the server, account ada@town.example, from uid:0, at /api/v1/users"
        #expect(lines.first?.hasSuffix(" UTC  promotion ok  \(end)/1/promote") == true, "\(lines)")
        #expect(lines.last?.hasSuffix(" UTC  account made ok  \(end)") == true, "\(lines)")
        let first = try await run(["audit", "--limit", "1", "--people"]).said
        #expect(first.split(separator: "\n") == Array(lines.prefix(1)))
        #expect(try await run(["audit", "--format", "json"]).said.hasPrefix(#"{"items":[{"at":""#))
        #expect(try await run(["audit", "--limit", "0"]).code == .usage)
    }

    @Test func nobodyIsLoggedIn() async throws {
        let result = try await run(["user", "sessions", "ada@town.example"])
        #expect(result.code == .success && result.said.isEmpty)
        #expect(try await run(["user", "sessions", "eve@town.example"]).code == .noInput)
    }
}
